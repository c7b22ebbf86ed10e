#include "track/cover/carried_face.h"

#include <algorithm>
#include <cstddef>

namespace winnow {
namespace {

// A point holds if it is carried back to within this part of the face's side of where it began, or a pixel. A face
// is there if so many of its points hold, and if it looks so much like itself. A follower asks for more, since
// a wrong face costs more there than a cover too many.
constexpr double kMostBack = 0.02, kLeastHeld = 1.0 / 3, kLeastSame = 0.3;

}  // namespace

bool carry_face(CarriedFace& face, std::span<const FlowPoint> carried, GrayView to, CarryScratch& scratch) {
  const double most = std::max(1.0, kMostBack * std::max(face.box.width, face.box.height));
  const auto holds = [&](std::size_t i) { return carried[i].found && carried[i].back_distance <= most; };
  scratch.steps.clear();
  for (std::size_t i = 0; i < carried.size(); ++i)
    if (holds(i)) scratch.steps.push_back({face.points[i].x, face.points[i].y, carried[i].x, carried[i].y});
  if (scratch.steps.empty() ||
      static_cast<double>(scratch.steps.size()) < kLeastHeld * static_cast<double>(carried.size()))
    return false;
  const Motion motion = motion_of(scratch.steps, scratch.motion);
  const double width = face.box.width * motion.scale, height = face.box.height * motion.scale;
  const FaceBox box{motion.x(face.box.middle_x()) - width / 2, motion.y(face.box.middle_y()) - height / 2,
                    width, height};
  const double likeness = likeness_of(look_at(to, box), face.look);
  if (likeness < kLeastSame) return false;
  face.likeness = likeness;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    FacePlace& point = face.points[i];
    point =
        holds(i) ? FacePlace{carried[i].x, carried[i].y} : FacePlace{motion.x(point.x), motion.y(point.y)};
  }
  face.box = box;
  return true;
}

}  // namespace winnow
