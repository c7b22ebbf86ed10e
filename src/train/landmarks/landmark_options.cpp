#include "train/landmarks/landmark_options.h"

#include <algorithm>
#include <string>

#include "backend/backend.h"
#include "model/landmarks/landmark_model.h"
#include "shape/shape_learner.h"
#include "train/options.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

// Returns for each of the 68 points of iBUG 300-W the number of the point that it becomes in a mirrored
// picture.
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
  turn_round(48, 54);  // the mouth, in four calls: outer edge above and below, inner edge above and below
  turn_round(55, 59);
  turn_round(60, 64);
  turn_round(65, 67);
  return mirrored;
}

using Numbers = std::vector<std::size_t>;

// Returns for each chosen point the place in `chosen` of the point that it becomes in a mirrored picture. The
// result is empty if one of these mirrored points is not chosen.
Numbers chosen_of_68(const std::vector<int>& chosen) {
  const Numbers usual = usual_68();
  Numbers mirrored;
  for (const int number : chosen) {
    if (number < 0 || static_cast<std::size_t>(number) >= usual.size()) return {};
    const auto partner = static_cast<int>(usual[static_cast<std::size_t>(number)]);
    const auto at = std::find(chosen.begin(), chosen.end(), partner);
    if (at == chosen.end()) return {};
    mirrored.push_back(static_cast<std::size_t>(at - chosen.begin()));
  }
  return mirrored;
}

// Turns places in the list `kFiveOf68` into numbers of the 68 points; -1 for a place outside the list.
std::vector<int> among_68(const std::vector<int>& chosen) {
  std::vector<int> numbers;
  for (const int number : chosen) {
    const bool known = number >= 0 && static_cast<std::size_t>(number) < kFiveOf68.size();
    numbers.push_back(known ? static_cast<int>(kFiveOf68[static_cast<std::size_t>(number)]) : -1);
  }
  return numbers;
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

std::vector<std::size_t> mirrored_points(const LandmarkOptions& options, std::size_t points,
                                         const std::vector<int>& chosen, std::size_t marked) {
  if (!options.mirror) return {};
  if (options.mirrored.empty()) {
    if (!chosen.empty())
      return marked == kAllPoints         ? chosen_of_68(chosen)
             : marked == kFiveOf68.size() ? chosen_of_68(among_68(chosen))
                                          : Numbers{};
    if (points == kAllPoints) return usual_68();
    if (points == kFiveOf68.size()) return chosen_of_68({kFiveOf68.begin(), kFiveOf68.end()});
    return {};
  }
  if (options.mirrored.size() != points)
    refuse("the list of mirrored points has " + std::to_string(options.mirrored.size()) +
           " numbers, faces have " + std::to_string(points) + " points");
  std::vector<std::size_t> mirrored;
  for (const int number : options.mirrored) {
    if (number < 0 || static_cast<std::size_t>(number) >= points)
      refuse("there is no point " + std::to_string(number) + " to mirror: the learned points are 0 to " +
             std::to_string(points - 1));
    mirrored.push_back(static_cast<std::size_t>(number));
  }
  for (std::size_t i = 0; i < points; ++i)
    if (mirrored[mirrored[i]] != i)
      refuse("mirrored twice, point " + std::to_string(i) + " must become itself");
  return mirrored;
}

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
  check_range(options.presence_trees, 0, 10'000, "the number of trees of the presence");
}

}  // namespace winnow
