#include "track/tld/learnt_object.h"

#include <algorithm>
#include <cmath>

namespace winnow {

int halvings_for(const RealBox& box) {
  int halvings = 0;
  for (double side = std::min(box.width, box.height) / 2; side >= kLeastWindowSide; side /= 2) ++halvings;
  return halvings;
}

void ObjectGrid::plan(Size size, const LearntObject& object) {
  level = size;
  const Size sides{static_cast<int>(std::lrint(object.box.width)),
                   static_cast<int>(std::lrint(object.box.height))};
  plan_boxes(
      size, sides,
      std::min({object.halvings == 0 ? kLeastWindowSide : kLeastHalvedSide, sides.width, sides.height}),
      windows);
  offsets.clear();
  for (const Level& each : windows.levels)
    offsets.push_back(fern_offsets(object.pairs, each.window, size.width));
}

}  // namespace winnow
