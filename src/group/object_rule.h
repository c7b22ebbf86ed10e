// Decides which merged objects the caller gets, and gives their boxes in pixels of the caller's picture.
//
// In:     an object in pixels of the searched picture, which may have a border.
// Out:    the object without the border and clipped, if the caller gets it.
// Exact:  integers, and one comparison of doubles. Host and device use this rule.
// Memory: nothing is allocated.
#pragma once

#include <cstdint>

#include <winnow/box.h>

#include "base/device/host_device.h"
#include "group/group.h"

namespace winnow {

struct ObjectRule {
  Size picture;          // without its border
  int margin = 0;        // pixels of the border on each side
  bool clip = true;      // boxes are cut to the picture
  double min_score = 0;  // the least score of a kept object
  bool operator==(const ObjectRule&) const = default;
};

// Whether the middle of a box lies in the picture or on its edge.
WINNOW_HOST_DEVICE inline bool middle_inside(const Box& box, Size picture) {
  const std::int64_t x = std::int64_t{2} * box.x + box.width, y = std::int64_t{2} * box.y + box.height;
  return x >= 0 && y >= 0 && x <= std::int64_t{2} * picture.width && y <= std::int64_t{2} * picture.height;
}

// Moves and clips the object's box. Returns false if the caller does not get the object:
// - The picture had a border, and the object's middle lies in the border: the object is a mirror image.
// - The box is empty after clipping, or the score is too low.
WINNOW_HOST_DEVICE inline bool finish_object(const ObjectRule& rule, Candidate& object) {
  Box& box = object.box;
  box.x -= rule.margin;
  box.y -= rule.margin;
  if (rule.margin > 0 && !middle_inside(box, rule.picture)) return false;
  if (rule.clip) box = clip(box, rule.picture);
  return box.width > 0 && box.height > 0 && !(object.score < rule.min_score);
}

}  // namespace winnow
