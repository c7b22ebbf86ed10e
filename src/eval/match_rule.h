// Decides whether a detection matches a label.
//
// In:     a box, a label and a rule.
// Out:    the quality of the match, or nothing.
// Exact:  doubles. A value that equals a bound is within the bound.
// Memory: nothing is allocated.
// Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <winnow/box.h>
#include <winnow/eval.h>
#include <winnow/truth.h>

#include "base/real_box.h"

namespace winnow {

// The box with the same middle and height, and `aspect` times its height as width. An aspect of 0 keeps the
// box.
inline RealBox with_aspect(const RealBox& box, double aspect) {
  if (aspect <= 0) return box;
  const double width = aspect * box.height;
  return {box.x + (box.width - width) / 2, box.y, width, box.height};
}

// The box of the object inside a detection's box.
inline RealBox object_in(const Box& box, const ObjectPlace& place) {
  const double across = place.margin * box.width, down = place.margin * box.height;
  return with_aspect({box.x + across, box.y + down, box.width - 2 * across, box.height - 2 * down},
                     place.aspect);
}

// The larger of two distances in pixels: from point a to point b (the eyes), and from point c (the mouth) to
// the line through a and b. Here and in `holds_points`, the label must have the rule's points (`has_points`).
inline double label_span(const Label& label, const EvalRule& rule) {
  const auto point = [&](int i) { return label.points[static_cast<std::size_t>(rule.span[i])]; };
  const Point a = point(0), b = point(1), c = point(2);
  const double dx = b.x - a.x, dy = b.y - a.y, base = std::hypot(dx, dy);
  if (base == 0) return std::hypot(c.x - a.x, c.y - a.y);
  return std::max(base, std::abs(dx * (c.y - a.y) - dy * (c.x - a.x)) / base);
}

inline bool holds_points(const Box& box, const Label& label, const EvalRule& rule) {
  return std::all_of(rule.hold.begin(), rule.hold.end(), [&](int i) {
    const Point& p = label.points[static_cast<std::size_t>(i)];
    return p.x >= box.x && p.y >= box.y && p.x <= static_cast<double>(box.x) + box.width &&
           p.y <= static_cast<double>(box.y) + box.height;
  });
}

// Whether the label has all points that the rule names in `hold` and `span`.
inline bool has_points(const Label& label, const EvalRule& rule) {
  const auto there = [&](int i) { return static_cast<std::size_t>(i) < label.points.size(); };
  return std::all_of(rule.hold.begin(), rule.hold.end(), there) &&
         std::all_of(rule.span.begin(), rule.span.end(), there);
}

// The quality of a match, where larger is better; none if the detection does not match. An ignored label
// matches if the label covers at least the fraction `rule.iou` of the detection. So a detection may lie
// anywhere in a large ignored label. If the rule uses points and an ignored label has these points, the
// points decide.
inline std::optional<double> match(const Box& box, const Label& label, const EvalRule& rule) {
  const RealBox object = object_in(box, rule.place), marked = with_aspect(label.box, rule.place.aspect);
  const double overlapping = overlap_of(object, marked);
  if (rule.match == MatchKind::kPoints && has_points(label, rule)) {
    const bool right = holds_points(box, label, rule) &&
                       std::max(box.width, box.height) <= rule.at_most * label_span(label, rule);
    return right ? std::optional(overlapping) : std::nullopt;
  }
  if (label.ignore) {
    const double area = area_of(object), covered = area > 0 ? shared_area(object, label.box) / area : 0;
    return covered >= rule.iou ? std::optional(covered) : std::nullopt;
  }
  if (rule.match == MatchKind::kPoints) return std::nullopt;
  return overlapping >= rule.iou ? std::optional(overlapping) : std::nullopt;
}

}  // namespace winnow
