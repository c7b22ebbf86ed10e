#include "train/landmarks/landmark_options.h"

#include <array>
#include <string>

#include "backend/backend.h"
#include "model/landmarks/landmark_model.h"
#include "shape/shape_learner.h"
#include "train/options.h"

namespace winnow {
namespace {

// The numbers of the 68 points of iBUG 300-W that change places.
std::vector<std::size_t> usual_68() {
  std::vector<std::size_t> mirrored(68);
  const auto turn_round = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) mirrored[i] = first + last - i;
  };
  const auto swap = [&](std::size_t a, std::size_t b) {
    mirrored[a] = b;
    mirrored[b] = a;
  };
  turn_round(0, 16);                                       // the edge of the face
  turn_round(17, 26);                                      // the brows
  for (std::size_t i = 27; i <= 30; ++i) mirrored[i] = i;  // the bridge of the nose
  turn_round(31, 35);                                      // the base of the nose
  swap(36, 45);                                            // the eyes
  swap(37, 44);
  swap(38, 43);
  swap(39, 42);
  swap(40, 47);
  swap(41, 46);
  turn_round(48, 54);  // the mouth: outside above and below, inside above and below
  turn_round(55, 59);
  turn_round(60, 64);
  turn_round(65, 67);
  return mirrored;
}

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

std::vector<std::size_t> mirrored_points(const LandmarkOptions& options, std::size_t points) {
  if (!options.mirror) return {};
  if (options.mirrored.empty()) {
    if (points == 68) return usual_68();
    if (points == 5) return {3, 2, 1, 0, 4};
    return {};
  }
  if (options.mirrored.size() != points)
    refuse("the list of mirrored points has " + std::to_string(options.mirrored.size()) +
           " numbers, faces have " + std::to_string(points) + " points");
  std::vector<std::size_t> mirrored;
  for (const int number : options.mirrored) mirrored.push_back(static_cast<std::size_t>(number));
  for (std::size_t i = 0; i < points; ++i)
    if (mirrored[i] >= points || mirrored[mirrored[i]] != i)
      refuse("mirrored twice, point " + std::to_string(i) + " must become itself");
  return mirrored;
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
}

}  // namespace winnow
