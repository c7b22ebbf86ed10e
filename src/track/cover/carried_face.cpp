#include "track/cover/carried_face.h"

#include <optional>

namespace winnow {
namespace {

// Flow must carry a third of the points there and back. This limit and the least likeness are lower than in a
// follower: a needless cover costs less than a wrong face.
constexpr CarryRule kCarryRule{1.0 / 3, kCoverLikeness};

}  // namespace

bool carry_face(CarriedFace& face, std::span<const FlowPoint> carried, GrayView to, CarryScratch& scratch) {
  const std::optional<double> likeness =
      carry_face(face.box, face.points, face.look, carried, to, kCarryRule, scratch);
  if (likeness) face.likeness = *likeness;
  return likeness.has_value();
}

}  // namespace winnow
