// Finds the boxes of labelled faces, as winnow/truth.h declares; its opening comment holds here.
#include <algorithm>

#include <winnow/truth.h>

#include "base/real_box.h"
#include "truth/face_rule.h"

namespace winnow {
namespace {

Point middle_of(const RealBox& box) { return {middle_x(box), middle_y(box)}; }

bool holds(const RealBox& box, const Point& p) {
  return p.x >= box.x && p.y >= box.y && p.x <= box.x + box.width && p.y <= box.y + box.height;
}

}  // namespace

std::vector<std::optional<std::size_t>> match_faces(const LabelledPicture& picture,
                                                    std::span<const Box> boxes) {
  struct Pair {
    double overlap;
    std::size_t label, box;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < picture.labels.size(); ++i) {
    if (!marks_face(picture.labels[i])) continue;
    const RealBox face = box_around(picture.labels[i].points);
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const RealBox box = real_box(boxes[b]);
      if (holds(box, middle_of(face)) && holds(face, middle_of(box)))
        pairs.push_back({overlap_of(box, face), i, b});
    }
  }
  // The list is in the order of labels, then boxes. A stable sort keeps that order where overlaps are equal.
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.overlap > b.overlap; });
  std::vector<std::optional<std::size_t>> matched(picture.labels.size());
  std::vector<bool> taken(boxes.size());
  for (const Pair& pair : pairs) {
    if (matched[pair.label] || taken[pair.box]) continue;
    matched[pair.label] = pair.box;
    taken[pair.box] = true;
  }
  return matched;
}

}  // namespace winnow
