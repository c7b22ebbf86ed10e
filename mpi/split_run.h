// Runs `winnow-mpi detect --split-picture`: one picture after the other, each on all ranks.
//
// In:     a job whose options were checked, its model, and the greeting for the other ranks.
// Out:    lines on standard output of rank 0 or in the file of --lines; the exit code.
// Exact:  the lines of the command `winnow`.
// Memory: as `Scan`.
// Thread: the main thread.
#pragma once

#include <winnow/answer.h>
#include <winnow/detector_model.h>

#include <vector>

#include "cluster/messages.h"
#include "cluster/transport.h"
#include "detecting/detect_run.h"

namespace winnow::mpi {

// kUsage for a job that the option does not serve.
void check_split(const cli::DetectJob& job, const DetectorModel& model, const std::vector<Input>& inputs);
int run_split(Transport& transport, const cli::DetectJob& job, const DetectorModel& model,
              const RecordRules& rules, const Hello& hello, std::vector<Input> inputs);

}  // namespace winnow::mpi
