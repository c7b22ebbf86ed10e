// Begins MPI, finds out which rank this is, and runs its part.
#include <mpi.h>
#include <winnow/error.h>
#include <winnow/version.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "cluster_run.h"
#include "commands.h"
#include "mpi_transport.h"
#include "terminal/standard_output.h"
#include "terminal/terminal.h"

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

int run_safely(Transport& transport, const mpi::HostPart& part, const cli::Arguments& arguments) {
  try {
    return transport.rank() == 0 ? mpi::run_as_root(transport, arguments) : mpi::run_as_rank(transport, part);
  } catch (const cli::OutputClosed&) {
    return cli::kExitOutputClosed;
  } catch (const Error& error) {
    cli::say(error.what());
    const bool usage = error.code() == ErrorCode::kUsage || error.code() == ErrorCode::kBackend ||
                       (error.code() == ErrorCode::kLimit && error.file().empty());
    return usage ? cli::kExitUsage : cli::kExitProblem;
  } catch (const std::bad_alloc&) {
    cli::say("there is not enough memory");
  } catch (const std::exception& error) {
    cli::say(error.what());
  }
  return cli::kExitProblem;
}

}  // namespace

int main(int argc, char** argv) {
  cli::guard_standard_streams();
  int level = 0, rank = 0, ranks = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mpi::MpiTransport transport(rank, ranks);
  const int code = run_safely(transport, part_of_host(rank, ranks), {argv + (argc > 0 ? 1 : 0), argv + argc});
  std::fflush(nullptr);
  MPI_Finalize();
  std::_Exit(code);
}
