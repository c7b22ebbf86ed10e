// Finds the steps that a backend has for training a kind of model.
//
// In:     a backend, a kind of model, and the struct of steps that the kind's trainer knows: `TrainSteps` for
//         cascades (learn/steps.h), `BlockSteps` for cascades of HOG blocks (hog/blocks/block_learner.h).
// Out:    the steps. kBackend if the backend is absent, or has no such steps.
// Exact:  every backend's steps give the same numbers.
// Memory: the steps live as long as the program, unless `add_kind_steps` changes the table.
// Thread: any.
#pragma once

#include <any>
#include <string>

#include <winnow/backend.h>

namespace winnow {

// The struct of steps with which a backend trains a kind of model. Empty if the backend does not train the
// kind. `auto` stands for the first backend that runs here and trains the kind.
const std::any& training_of(BackendKind kind, const std::string& model_kind);
[[noreturn]] void refuse_training(BackendKind kind, const std::string& model_kind);

template <class Steps>
const Steps& find_training(BackendKind kind, const std::string& model_kind) {
  const auto* steps = std::any_cast<Steps>(&training_of(kind, model_kind));
  if (steps == nullptr) refuse_training(kind, model_kind);
  return *steps;
}

}  // namespace winnow
