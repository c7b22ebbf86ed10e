#include "track/follow/face_carry.h"

#include <cstddef>

#include "track/follow/host_median.h"
#include "track/follow/motion_rule.h"

namespace winnow {

std::optional<double> carry_face(FaceBox& box, std::span<FacePlace> points, const FaceLook& look,
                                 std::span<const FlowPoint> carried, GrayView to, const CarryRule& rule,
                                 CarryScratch& scratch) {
  const auto step_of = [&](int i) {
    const FacePlace& from = points[static_cast<std::size_t>(i)];
    const FlowPoint& there = carried[static_cast<std::size_t>(i)];
    return PointStep{from.x, from.y, there.x, there.y, holds(there.found, there.back_distance, box)};
  };
  HostMedian median(static_cast<int>(carried.size()), scratch.values);
  const Motion motion = motion_of(step_of, median);
  if (motion.held == 0 || motion.held < rule.least_held * static_cast<double>(carried.size()))
    return std::nullopt;
  const FaceBox there = moved(box, motion);
  const double likeness = likeness_of(look_at(to, there), look);
  if (likeness < rule.least_same) return std::nullopt;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    FacePlace& point = points[i];
    const PointStep step = step_of(static_cast<int>(i));
    point = step.holds ? FacePlace{step.to_x, step.to_y} : FacePlace{motion.x(point.x), motion.y(point.y)};
  }
  box = there;
  return likeness;
}

}  // namespace winnow
