// Begins MPI, finds out which rank this is, and runs its part.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "cluster/messages.h"
#include "cluster_run.h"
#include "commands.h"
#include "mpi_transport.h"
#include "terminal/exit_code.h"
#include "terminal/standard_output.h"
#include "terminal/terminal.h"

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

// Runs a rank but the first one. A rank that fails beside its answers ends the run, since others wait for it.
int run_rank(mpi::MpiTransport& transport, const mpi::HostParts& parts) {
  try {
    return mpi::run_as_rank(transport, parts);
  } catch (...) {
    cli::say("rank " + std::to_string(transport.rank()) + ": " + present_failure().sentence);
    MPI_Abort(MPI_COMM_WORLD, cli::kExitProblem);
    return cli::kExitProblem;
  }
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
                     : run_rank(transport, parts);
  });
  std::fflush(nullptr);
  if (transport.broken()) MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
  std::_Exit(code);
}
