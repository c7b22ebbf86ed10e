// Makes a thesis's tables on landmarks of faces: speed by stages, and errors of points.
//
// In:     models of landmarks, and pictures whose points people marked.
// Out:    tables in the form of `results_file.h`.
// Exact:  errors are those of `winnow eval landmarks`, in its norm `root`. Times vary.
// Memory: the caller owns the tables.
#pragma once

#include <winnow/landmarks.h>
#include <winnow/machine.h>

#include <span>
#include <string>
#include <vector>

#include "results_file.h"

namespace bench {

// The model cut to its first stages, without confidence. kUsage if the model has fewer stages, or if `stages`
// is below 1.
winnow::LandmarkModel first_stages(const winnow::LandmarkModel& model, int stages);

struct NamedLandmarks {
  std::string name;
  winnow::LandmarkModel model;
};
// Models of random trees in the form of dlib's 68-point file: with leaves of floats as in that file, and with
// leaves of 16 bits.
std::vector<NamedLandmarks> random_landmarks_like_dlib();

// `command`: the command that makes the table, as the table shows it.

// Measures fits a second for each number of stages: with one face a call, and with 64 faces a call.
ResultList stage_results(std::span<const NamedLandmarks> models, std::span<const int> stages,
                         const winnow::MachineOptions& machine, int repeat, const std::string& command);

// Measures errors of points in the boxes of a detector: one row for each file of truth.
ResultList error_results(const NamedLandmarks& named, const std::string& detector,
                         std::span<const std::string> truths, const winnow::MachineOptions& machine,
                         const std::string& command);

}  // namespace bench
