// Learns presence: how likely a box shows a face. It learns from faces and from the detector's false alarms
// ("false boxes").
//
// In:     faces, false boxes, and a model with all its stages and the confidence of its points.
// Out:    the model's confidence gets presence: more trees, and one more number in each list. The confidence
//         of the points stays the same. Nothing changes if there are too few false boxes.
// Exact:  as `learn_confidence`.
// Memory: the pixels and shapes of all samples. The shapes lie in the `SampleMemory`.
// Thread: one thread at a time; moving samples and reading pictures uses more threads.
//
// A sample begins like a user's fit: with the mean shape, in a box near the detector's. All stages then move
// its shape. The trees of presence learn from all faces, because too few are held back, and because the hard
// faces, which the detector missed, are never held back. The curve is fitted to held-back faces and to false
// boxes. For this, the pictures are parted into two halves, and each half is judged by trees that the other
// half taught. All held-back faces together weigh as much as all false boxes.
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
  const LandmarkOptions& as_used;  // `options`, for samples that begin like a user's fit
  const std::vector<std::size_t>& mirrored;
  const std::vector<std::uint32_t>& held_back;
  const FixedMean& mean;
  ShapeLearner& learner;
  int threads;
  std::uint64_t seed;  // the seed that `learn_confidence` gets
  SampleMemory& memory;
};

std::optional<PresenceCheck> learn_presence(const PresenceWork& work, LandmarkModel& model);

}  // namespace winnow
