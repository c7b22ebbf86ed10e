#include "track/cover/carried_face.h"

#include <optional>

namespace winnow {
namespace {

// A third of the points must hold. Both limits are lower than a follower's, because a needless cover costs
// less than a wrong face in a follower.
constexpr CarryRule kCarryRule{1.0 / 3, kCoverLikeness};

}  // namespace

bool carry_face(CarriedFace& face, std::span<const FlowPoint> carried, GrayView to, CarryScratch& scratch) {
  const std::optional<double> likeness =
      carry_face(face.box, face.points, face.look, carried, to, kCarryRule, scratch);
  if (likeness) face.likeness = *likeness;
  return likeness.has_value();
}

}  // namespace winnow
