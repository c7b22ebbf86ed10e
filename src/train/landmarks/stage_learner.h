// Learns a stage of landmarks from samples, and applies a learned stage to the shapes of samples.
//
// In:     samples with their present shapes, the model so far, and a learner.
// Out:    the model with one more stage; the samples' shapes after this stage.
// Exact:  integers, and doubles in a fixed order: the same on every backend. A stage moves samples exactly as
//         a fit moves shapes.
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

  // The count of numbers in a leaf.
  int values() const { return values_; }
  // Adds stage `stage` to `model`, whose mean must be set, and applies the stage to the samples' shapes.
  // Calls `go_on(trees)` after each tree. If `go_on` returns false, `learn` returns false and changes neither
  // model nor samples.
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
  SampleList<std::int32_t> goals_, left_;  // the goals before the stage, and after its trees
};

// Samples are parted into runs of `apart` samples, and each run gives one sample to the basis. Returns the
// sample of run `part`, drawn by a hash. If these samples lay a fixed distance apart, the basis might see
// only a few of the samples of every face.
std::size_t basis_sample(std::uint64_t seed, std::size_t part, std::size_t apart, std::size_t count);

// Applies stage `stage` of a model to the shapes of samples. Reads the samples' pictures.
void move_by_stage(LandmarkSamples& samples, const ShapeProgram& program, int stage, int threads);

}  // namespace winnow
