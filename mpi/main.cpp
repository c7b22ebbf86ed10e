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

// Counts the ranks of a host, with or without rank 0.
mpi::HostPart part_of(MPI_Comm host, int rank, bool with_root) {
  const int searches = rank > 0 || with_root ? 1 : 0;
  mpi::HostPart part;
  int before = 0, all = 0, first = 0;
  MPI_Exscan(&searches, &before, 1, MPI_INT, MPI_SUM, host);
  MPI_Allreduce(&searches, &all, 1, MPI_INT, MPI_SUM, host);
  MPI_Comm_rank(host, &first);
  part.number = first == 0 ? 0 : before;
  part.of = all > 0 ? all : 1;
  return part;
}

mpi::HostParts parts_of_host(int rank) {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
  const mpi::HostParts parts{part_of(host, rank, false), part_of(host, rank, true)};
  MPI_Comm_free(&host);
  return parts;
}

}  // namespace

int main(int argc, char** argv) {
  cli::guard_standard_streams();
  int level = 0, rank = 0, ranks = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mpi::MpiTransport transport(rank, ranks);
  const mpi::HostParts parts = parts_of_host(rank);
  const int code = cli::exit_code_of([&] {
    return rank == 0 ? mpi::run_as_root(transport, parts, {argv + (argc > 0 ? 1 : 0), argv + argc})
                     : mpi::run_as_rank(transport, parts);
  });
  std::fflush(nullptr);
  MPI_Finalize();
  std::_Exit(code);
}
