// Learns a stage of landmarks from samples, and moves samples by a learned stage.
//
// In:     samples with their present shapes, the model so far, and a learner.
// Out:    the model with one more stage; the samples' next shapes.
// Exact:  integers, and doubles in a fixed order: the same on every backend. Samples move as a fit moves
//         them.
// Memory: the pixels and goals of all samples, in lists of the `SampleMemory`.
// Thread: one thread at a time; functions use more threads inside.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <winnow/landmarks.h>
#include <winnow/train_landmarks.h>

#include "shape/shape_learner.h"
#include "shape/shape_program.h"
#include "train/landmarks/landmark_samples.h"
#include "train/landmarks/sample_memory.h"

namespace winnow {

class StageLearner {
 public:
  StageLearner(LandmarkSamples& samples, const LandmarkOptions& options, const FixedMean& mean,
               ShapeLearner& learner, int threads, std::uint64_t seed, SampleMemory& memory);

  // Numbers of a leaf.
  int values() const { return values_; }
  // Adds stage `stage` to `model`, whose mean is set, and moves the samples. `go_on(trees)` is called after
  // each tree. If it returns false, the model stays as it was, and so does the result: false.
  bool learn(int stage, LandmarkModel& model, const std::function<bool(int)>& go_on);

 private:
  void residual(std::size_t sample, std::int32_t* residual) const;
  std::vector<std::int16_t> find_basis() const;
  int find_goals(const std::vector<std::int16_t>& basis);

  LandmarkSamples& samples_;
  const LandmarkOptions& options_;
  const FixedMean& mean_;
  ShapeLearner& learner_;
  int threads_;
  std::uint64_t seed_;
  int values_;
  bool has_basis_;
  SampleList<std::uint8_t> pixels_;
  SampleList<std::int32_t> goals_, left_;  // at the stage's begin, and what its trees leave
};

// The sample that part `part` of `apart` samples gives to the basis. It is drawn: at a fixed distance lie the
// same few samples of every face.
std::size_t basis_sample(std::uint64_t seed, std::size_t part, std::size_t apart, std::size_t count);

// Moves samples by stage `stage` of a model. The samples' pictures are opened.
void move_by_stage(LandmarkSamples& samples, const ShapeProgram& program, int stage, int threads);

}  // namespace winnow
