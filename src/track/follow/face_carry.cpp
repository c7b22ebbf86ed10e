#include "track/follow/face_carry.h"

#include <algorithm>
#include <cstddef>

namespace winnow {
namespace {

// A point holds if flow carries it back to near its beginning: within this fraction of the face's side, or
// within a pixel.
constexpr double kMostBack = 0.02;

FaceBox moved(const FaceBox& box, const Motion& motion) {
  const double width = box.width * motion.scale, height = box.height * motion.scale;
  return {motion.x(box.middle_x()) - width / 2, motion.y(box.middle_y()) - height / 2, width, height};
}

}  // namespace

std::optional<double> carry_face(FaceBox& box, std::span<FacePlace> points, const FaceLook& look,
                                 std::span<const FlowPoint> carried, GrayView to, const CarryRule& rule,
                                 CarryScratch& scratch) {
  const double most = std::max(1.0, kMostBack * std::max(box.width, box.height));
  const auto holds = [&](std::size_t i) { return carried[i].found && carried[i].back_distance <= most; };
  std::vector<PointStep>& steps = scratch.steps;
  steps.clear();
  for (std::size_t i = 0; i < carried.size(); ++i)
    if (holds(i)) steps.push_back({points[i].x, points[i].y, carried[i].x, carried[i].y});
  const double held = static_cast<double>(steps.size());
  if (steps.empty() || held < rule.least_held * static_cast<double>(carried.size())) return std::nullopt;
  const Motion motion = motion_of(steps, scratch.motion);
  const FaceBox there = moved(box, motion);
  const double likeness = likeness_of(look_at(to, there), look);
  if (likeness < rule.least_same) return std::nullopt;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    FacePlace& point = points[i];
    point =
        holds(i) ? FacePlace{carried[i].x, carried[i].y} : FacePlace{motion.x(point.x), motion.y(point.y)};
  }
  box = there;
  return likeness;
}

}  // namespace winnow
