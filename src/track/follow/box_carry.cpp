#include "track/follow/box_carry.h"

#include <cstddef>

#include "track/follow/host_median.h"
#include "track/follow/motion_rule.h"

namespace winnow {

std::optional<double> carry_box(RealBox& box, std::span<PointPlace> points, const Look& look,
                                std::span<const FlowPoint> carried, GrayView to, const CarryRule& rule,
                                CarryScratch& scratch) {
  const auto step_of = [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    return point_step(points[at], carried[at], box);
  };
  HostMedian median(static_cast<int>(carried.size()), scratch.values);
  const Motion motion = motion_of(step_of, median);
  if (motion.held == 0 || motion.held < rule.least_held * static_cast<double>(carried.size()))
    return std::nullopt;
  const RealBox there = moved(box, motion);
  const double likeness = likeness_of(look_at(to, there), look);
  if (likeness < rule.least_same) return std::nullopt;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    const PointStep step = step_of(static_cast<int>(i));
    points[i] = step.holds ? step.to : motion(step.from);
  }
  box = there;
  return likeness;
}

}  // namespace winnow
