#include "session/written_shape.h"

#include <cmath>

#include "model/landmarks/landmark_model.h"

namespace winnow {
namespace {

float probability(double slope, double sum, double shift) {
  return static_cast<float>(1 / (1 + std::exp(-(slope * sum + shift))));
}

}  // namespace

void write_shape(const LandmarkModel& model, const ShapeBox& box, const FittedShapes& from, std::size_t task,
                 Shape& shape) {
  const std::size_t points = model.mean.size();
  const double* const columns = from.coordinates.data() + task * 2 * points;
  shape.points.resize(points);
  for (std::size_t i = 0; i < points; ++i)
    shape.points[i] = {box.left + box.across * columns[i], box.top + box.down * columns[points + i]};
  const auto& confidence = model.confidence;
  shape.confidence.resize(confidence ? points : 0);
  shape.presence = -1;
  if (!confidence) return;
  const double unit = std::ldexp(1, -confidence->leaves.unit_bits[0]);
  const std::int32_t* const sums = from.confidence.data() + task * confidence->slope.size();
  const auto chance = [&](std::size_t i) {
    return probability(confidence->slope[i], sums[i] * unit, confidence->shift[i]);
  };
  for (std::size_t i = 0; i < points; ++i) shape.confidence[i] = chance(i);
  if (model.has_presence()) shape.presence = chance(points);
}

}  // namespace winnow
