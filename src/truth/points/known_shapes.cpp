#include "truth/points/known_shapes.h"

#include <cstddef>

#include "truth/points/mean_points.h"
#include "truth/points/point_names.h"

namespace winnow {
namespace {

struct Place {
  std::size_t number;
  Point at;
};
// Places of some of the 68 points: their mean over 870 faces of HELEN, made symmetric. The unit is the root
// mean square distance from the middle of all 68 points.
constexpr Place kPlaces[] = {{0, {-1.343, -0.664}},  {8, {0, 1.404}},        {16, {1.343, -0.664}},
                             {17, {-1.109, -0.935}}, {21, {-0.219, -1.036}}, {22, {0.219, -1.036}},
                             {26, {1.109, -0.935}},  {27, {0, -0.745}},      {30, {0, -0.061}},
                             {33, {0, 0.187}},       {36, {-0.831, -0.707}}, {39, {-0.349, -0.672}},
                             {42, {0.349, -0.672}},  {45, {0.831, -0.707}},  {48, {-0.519, 0.524}},
                             {51, {0, 0.436}},       {54, {0.519, 0.524}},   {57, {0, 0.807}}};
constexpr std::size_t kAll = 68;
constexpr std::size_t kFives[][5] = {{36, 39, 42, 45, 33}, {45, 42, 36, 39, 33}};

// The largest distance of a single one of 1,207 faces of HELEN and AFW is 0.38. Any other order of these
// points is farther off.
constexpr double kMostOfAll = 0.4;
// Another order of five such points has 0.46 or more. Ears, eyes and a nose have 0.26.
constexpr double kMostOfFive = 0.2;

Point place_of(std::size_t number) {
  for (const Place& each : kPlaces)
    if (each.number == number) return each.at;
  return {};
}

bool lies_as(std::span<const Point> shape, std::span<const Point> known, double most) {
  const std::vector<Point> a = normal_shape(shape), b = normal_shape(known);
  return !a.empty() && shape_distance(a, b) <= most;
}

}  // namespace

std::vector<std::string> names_of_shape(std::span<const Point> shape) {
  std::vector<std::string> names;
  std::vector<Point> some, known;
  if (shape.size() == kAll) {
    for (const Place& each : kPlaces) some.push_back(shape[each.number]), known.push_back(each.at);
    if (!lies_as(some, known, kMostOfAll)) return {};
    for (std::size_t i = 0; i < kAll; ++i) names.push_back(ibug_name(i));
    return names;
  }
  for (const auto& five : kFives) {
    if (shape.size() != std::size(five)) continue;
    known.clear();
    for (const std::size_t number : five) known.push_back(place_of(number));
    if (!lies_as(shape, known, kMostOfFive)) continue;
    for (const std::size_t number : five) names.push_back(ibug_name(number));
    return names;
  }
  return {};
}

}  // namespace winnow
