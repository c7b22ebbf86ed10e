// Learns how likely a box shows what a model marks, from faces and from false alarms of the detector.
//
// In:     faces and false boxes, and a model with all stages and the confidence of its points.
// Out:    the confidence with presence: more trees, and one more number in each list. What it says of points
//         stays the same. Nothing changes if there are too few false boxes.
// Exact:  as `learn_confidence`.
// Memory: the pixels and shapes of all samples. Lists of shapes are those of the `SampleMemory`.
// Thread: one thread at a time; moving samples and reading pictures uses more threads.
//
// A sample begins as a user's: with the mean shape, in a box near the detector's. All stages move it. Trees
// learn from all faces: too few are held back, and the faces that the detector misses are the hard ones. The
// curve is fitted to held-back faces and to false boxes, each judged by trees that the pictures of the other
// half taught. Both kinds weigh the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <winnow/landmarks.h>
#include <winnow/train_landmarks.h>

#include "shape/shape_learner.h"
#include "train/landmarks/landmark_samples.h"

namespace winnow {

// With fewer false boxes than this there is no presence.
inline constexpr std::size_t kLeastFalseBoxes = 8;

struct PresenceWork {
  const FaceSet& faces;
  const LandmarkOptions& options;
  const LandmarkOptions& as_used;  // the jitter of boxes as users have them
  const std::vector<std::size_t>& mirrored;
  const std::vector<std::uint32_t>& held_back;
  const FixedMean& mean;
  ShapeLearner& learner;
  int threads;
  std::uint64_t seed;  // that of `learn_confidence`
  SampleMemory& memory;
};

std::optional<PresenceCheck> learn_presence(const PresenceWork& work, LandmarkModel& model);

}  // namespace winnow
