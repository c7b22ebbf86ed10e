#include "train/landmarks/landmark_options.h"

#include <string>

#include "backend/backend.h"
#include "model/landmarks/landmark_model.h"
#include "shape/shape_learner.h"
#include "train/options.h"
#include "train/samples/positives.h"

namespace winnow {
namespace {

void check_range(double value, double least, double most, const char* name) {
  if (value >= least && value <= most) return;
  const auto text = [](double number) {
    std::string digits = std::to_string(number);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
  };
  refuse(std::string(name) + " must be from " + text(least) + " to " + text(most));
}

}  // namespace

std::size_t leaf_values(const LandmarkOptions& options, std::size_t points) {
  const auto wanted = static_cast<std::size_t>(options.basis);
  return wanted > 0 && wanted < 2 * points ? wanted : 2 * points;
}

void check_training(const LandmarkOptions& options, const RunOptions& run) {
  find_backend(run.machine.backend, kLandmarkKind);
  check_devices(run.machine.devices);
  check_means(run);
  if (run.resume && run.checkpoint.empty()) refuse("to go on, the folder of the state is needed");
  check_range(options.stages, 1, kMaxShapeStages, "the number of stages");
  check_range(options.trees, 1, 10'000, "the number of trees in a stage");
  check_range(options.depth, 1, kMostLearnerDepth, "the depth of trees");
  check_range(options.pixels, 2, 2'000, "the number of pixels in a stage");
  check_range(options.splits, 1, 1'000, "the number of tried splits");
  check_range(options.rate, 0.001, 1, "the rate");
  check_range(options.calm, 0, 1e6, "the calm");
  check_range(options.samples, 1, 10'000, "the number of samples of a face");
  check_range(options.scale_jitter, 0, 0.3, "the jitter of sizes");
  check_range(options.move_jitter, 0, 0.3, "the jitter of places");
  check_range(options.mixed, 0, 1, "the fraction of mixed shapes");
  for (const double radius : {options.first_radius, options.last_radius})
    check_range(radius, 0.001, 2, "the radius around points");
  for (const double closeness : {options.first_closeness, options.last_closeness})
    check_range(closeness, 0.001, 10, "the closeness of pixels");
  check_range(options.basis, 0, 256, "the number of basis vectors");
  check_range(options.held_back, 0, 0.5, "the fraction that is held back");
  check_range(options.confidence_trees, 0, 10'000, "the number of trees of the confidence");
  if (!options.eyes.empty()) parse_eyes(options.eyes);
  check_range(options.presence_trees, 0, 10'000, "the number of trees of the presence");
}

}  // namespace winnow
