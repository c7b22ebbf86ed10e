// Runs `winnow-mpi detect` and `winnow-mpi faces`.
//
// In:     the arguments of the command, on each rank the same; a transport.
// Out:    lines on standard output of rank 0 or in the file of --lines; the exit code.
// Exact:  the lines of the command `winnow`.
// Memory: as `ClusterScan` and `Scan`.
// Thread: the main thread.
#pragma once

#include <winnow/machine.h>

#include <string>

#include "cluster/transport.h"
#include "commands.h"

namespace winnow::mpi {

// What a rank may use of its host.
struct HostPart {
  int number = 0;  // of the rank among those of its host that search
  int of = 1;      // how many these are
};
// A rank's part of its host: if rank 0 only deals, and if it searches, too.
struct HostParts {
  HostPart dealt, split;
};

int run_as_root(Transport& transport, const HostParts& parts, const cli::Arguments& arguments);
int run_as_rank(Transport& transport, const HostParts& parts);

}  // namespace winnow::mpi
