// Runs `winnow eval landmarks`: every model marks the faces of every picture, and the evaluation goes into a
// folder.
//
// In:     a job whose options were checked.
// Out:    the files of the evaluation, figures on standard output, and the exit code. A picture that cannot
//         be read is named and left out with its labels. All models are judged on the same pictures.
// Memory: a picture is decoded once for all models. The reader's queue bounds the decoded pictures
//         (`feed.h`).
// Thread: the main thread; one thread reads ahead.
#pragma once

#include <winnow/detector.h>
#include <winnow/eval_landmarks.h>
#include <winnow/truth.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace winnow::cli {

// The word that stands for the labels' own boxes.
inline constexpr const char* kBoxesOfTruth = "truth";

struct LandmarkEvalJob {
  std::vector<std::string> models;          // files
  std::vector<std::string> truth;           // files or folders
  std::vector<TruthOptions> truth_options;  // one for each truth
  std::string boxes;       // a detector's name or file, or `kBoxesOfTruth`; "": the detector of each model
  double move = 0;         // moves each box by this fraction of its side
  std::uint64_t seed = 1;  // seed of the random directions
  DetectOptions options;
  std::optional<double> min_confidence;  // drops faces with less confidence; no value: as `face_search` says
  MachineOptions machine;
  std::string out, title;
  bool json = false, quiet = false;
};

// Returns the exit code.
int run_landmark_eval(const LandmarkEvalJob& job);

}  // namespace winnow::cli
