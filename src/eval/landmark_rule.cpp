#include "eval/landmark_rule.h"

#include <algorithm>

#include <winnow/error.h>

#include "truth/points/known_shapes.h"
#include "truth/points/mean_points.h"
#include "truth/points/point_names.h"

namespace winnow {
namespace {

// The mean of faces that look to the side has 0.38 at most. Other orders of five points of a face have 0.46
// or more.
constexpr double kMostDistance = 0.42;

// For each name of `some` its place in `all`; empty if one of them is not there.
std::vector<std::size_t> places_of(const std::vector<std::string>& some,
                                   const std::vector<std::string>& all) {
  std::vector<std::size_t> places;
  for (const std::string& name : some) {
    const auto at = std::find(all.begin(), all.end(), name);
    if (at == all.end()) return {};
    places.push_back(static_cast<std::size_t>(at - all.begin()));
  }
  return places;
}

std::vector<std::size_t> counted_to(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

}  // namespace

ComparedPoints compared_points(const PointScheme& labels, std::size_t label, const PointScheme& model,
                               std::size_t shape) {
  const auto &a = labels.names, &b = model.names;
  if (a.size() == label && b.size() == shape) {
    if (a.size() < b.size()) {
      if (const auto places = places_of(a, b); !places.empty()) return {counted_to(label), places, true};
    } else if (const auto places = places_of(b, a); !places.empty()) {
      return {places, counted_to(shape), true};
    }
    const bool shared = std::any_of(a.begin(), a.end(), [&](const std::string& name) {
      return std::find(b.begin(), b.end(), name) != b.end();
    });
    if (shared) return {};
  }
  if (label == shape) return {counted_to(label), counted_to(shape), false};
  return {};
}

PointScheme scheme_of_model(const LandmarkModel& model) {
  if (model.scheme) return *model.scheme;
  std::vector<Point> mean;
  for (const ShapePoint& point : model.mean)
    mean.push_back({static_cast<double>(point.x), static_cast<double>(point.y)});
  const std::vector<Point> shape = normal_shape(mean);
  return shape.empty() ? PointScheme{} : scheme_of_names(names_of_shape(shape));
}

void check_same_order(std::span<const std::vector<Point>> labels, std::span<const Point> shape) {
  const std::vector<Point> mean = mean_of_faces(labels), other = normal_shape(shape);
  if (mean.empty() || other.empty() || shape_distance(mean, other) <= kMostDistance) return;
  throw Error(ErrorCode::kUsage,
              "the points of the labels stand in another order than those of the model, or are other points; "
              "names in the head line of the points, or a model of the same order, are needed");
}

}  // namespace winnow
