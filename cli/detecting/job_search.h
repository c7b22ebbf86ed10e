// Makes what answers the frames of a job: the work, the states of videos, and the rules of its lines.
//
// In:     a job whose options were checked, and its models.
// Out:    parts for a `Scan`. kUsage for options that the model does not know.
// Exact:  the same job gives the same answers.
// Memory: the parts own what they need.
// Thread: the main thread.
#pragma once

#include <winnow/answer.h>
#include <winnow/landmarks.h>
#include <winnow/scan.h>

#include <memory>
#include <optional>

#include "detecting/detect_run.h"

namespace winnow::cli {

struct JobSearch {
  std::unique_ptr<ScanWork> work;
  MakeScanState make_state;  // null: no input has a state
  RecordRules rules;
};

// kUsage if the file holds a model of another kind.
Landmarks load_landmarks(const std::string& path);
// Checks the options for the model.
RecordRules rules_of(const DetectJob& job, const DetectorModel& model,
                     const std::optional<Landmarks>& landmarks);
JobSearch make_job_search(const DetectJob& job, const DetectorModel& model,
                          const std::optional<Landmarks>& landmarks);

}  // namespace winnow::cli
