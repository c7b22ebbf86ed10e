// Begins MPI, finds out which rank this is, and runs its part.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "cluster_run.h"
#include "mpi_transport.h"
#include "terminal/exit_code.h"
#include "terminal/standard_output.h"

namespace {

using namespace winnow;

// The ranks of this rank's host that answer. Rank 0 answers only if it is alone.
mpi::HostPart part_of_host(int rank, int ranks) {
  if (ranks == 1) return {};
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
  const int answers = rank > 0 ? 1 : 0;
  mpi::HostPart part;
  int before = 0, all = 0;
  MPI_Exscan(&answers, &before, 1, MPI_INT, MPI_SUM, host);
  MPI_Allreduce(&answers, &all, 1, MPI_INT, MPI_SUM, host);
  int first = 0;
  MPI_Comm_rank(host, &first);
  part.number = first == 0 ? 0 : before;
  part.of = all > 0 ? all : 1;
  MPI_Comm_free(&host);
  return part;
}

}  // namespace

int main(int argc, char** argv) {
  cli::guard_standard_streams();
  int level = 0, rank = 0, ranks = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mpi::MpiTransport transport(rank, ranks);
  const mpi::HostPart part = part_of_host(rank, ranks);
  const int code = cli::exit_code_of([&] {
    return rank == 0 ? mpi::run_as_root(transport, {argv + (argc > 0 ? 1 : 0), argv + argc})
                     : mpi::run_as_rank(transport, part);
  });
  std::fflush(nullptr);
  MPI_Finalize();
  std::_Exit(code);
}
