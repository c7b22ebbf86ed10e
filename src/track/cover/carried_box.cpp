#include "track/cover/carried_box.h"

#include <optional>

namespace winnow {
namespace {

// Flow must carry a third of the points there and back. This limit and the least likeness are lower than in a
// follower: a needless cover costs less than an open face.
constexpr CarryRule kCarryRule{1.0 / 3, kCoverLikeness};

}  // namespace

bool carry_box(CarriedBox& from, std::span<const FlowPoint> carried, GrayView to, CarryScratch& scratch) {
  const std::optional<double> likeness =
      carry_box(from.box, from.points, from.look, carried, to, kCarryRule, scratch);
  if (likeness) from.likeness = *likeness;
  return likeness.has_value();
}

}  // namespace winnow
