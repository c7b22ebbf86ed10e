#include <algorithm>
#include <cmath>

#include "group/group.h"
#include "group/group_rule.h"

namespace winnow {
namespace {

int root(std::vector<int>& parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

// The smaller index becomes the root, so that a group's root is its first member.
void join(std::vector<int>& parent, int a, int b) {
  a = root(parent, a);
  b = root(parent, b);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
}

}  // namespace

// Similar boxes have left and top edges no further apart than `reach`, the largest of any box. So the boxes
// are dealt to bands of that height, sorted by x within a band, and each is compared only with the boxes to
// its right in its own band and with those near it in the band below.
void group_cpu(std::span<const Candidate> candidates, int min_neighbors, double eps, GroupScratch& scratch,
               std::vector<Candidate>& objects) {
  const int n = static_cast<int>(candidates.size());
  if (min_neighbors <= 0) {
    objects.assign(candidates.begin(), candidates.end());
    return;
  }
  auto& parent = scratch.parent;
  parent.resize(candidates.size());
  double reach = 0;
  int top = n > 0 ? candidates[0].box.y : 0;
  for (int i = 0; i < n; ++i) {
    parent[i] = i;
    const Box& box = candidates[i].box;
    reach = std::max(reach, similar_reach(box, box, eps));
    top = std::min(top, box.y);
  }
  // Band and x in one key; boxes are copied in sorted order so that the sweep reads memory in a row.
  const std::int64_t band_height =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(reach)) + 1);
  auto& keys = scratch.keys;
  auto& order = scratch.order;
  keys.resize(candidates.size());
  for (int i = 0; i < n; ++i) {
    const Box& box = candidates[i].box;
    const auto band = static_cast<std::uint64_t>((static_cast<std::int64_t>(box.y) - top) / band_height);
    keys[i] = band << 32 | (static_cast<std::uint32_t>(box.x) ^ 0x80000000u);
  }
  order.resize(candidates.size());
  for (int i = 0; i < n; ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
  auto& boxes = scratch.boxes;
  boxes.resize(candidates.size());
  for (int i = 0; i < n; ++i) boxes[i] = candidates[order[i]].box;

  int below = 0;  // first box of the band below that may still be near
  for (int i = 0; i < n; ++i) {
    const Box a = boxes[i];
    const std::uint64_t band = keys[order[i]] >> 32;
    const double mine = similar_reach(a, a, eps);
    for (int j = i + 1; j < n && keys[order[j]] >> 32 == band && boxes[j].x - a.x <= mine; ++j) {
      if (similar(a, boxes[j], eps)) join(parent, order[i], order[j]);
    }
    while (below < n && (keys[order[below]] >> 32 <= band ||
                         (keys[order[below]] >> 32 == band + 1 && a.x - boxes[below].x > reach))) {
      ++below;
    }
    for (int j = below; j < n && keys[order[j]] >> 32 == band + 1 && boxes[j].x - a.x <= mine; ++j) {
      if (similar(a, boxes[j], eps)) join(parent, order[i], order[j]);
    }
  }
  auto& label = scratch.label;
  label.resize(candidates.size());
  int groups = 0;
  for (int i = 0; i < n; ++i) {
    const int first = root(parent, i);
    label[i] = first == i ? groups++ : label[first];
  }
  merge_labels(candidates, groups, min_neighbors, eps, scratch, objects);
}

}  // namespace winnow
