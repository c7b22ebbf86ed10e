#include "faces/overlap_groups.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bench {
namespace {

using winnow::Box;

Box mean_box(std::span<const Box> boxes, std::span<const std::size_t> members) {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  for (const std::size_t member : members) {
    x += boxes[member].x;
    y += boxes[member].y;
    width += boxes[member].width;
    height += boxes[member].height;
  }
  const auto mean = [&](std::int64_t sum) {
    return static_cast<int>(std::lrint(static_cast<double>(sum) / static_cast<double>(members.size())));
  };
  return {mean(x), mean(y), mean(width), mean(height)};
}

}  // namespace

bool do_overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

std::vector<Box> overlap_groups(std::span<const Box> boxes, int min_members) {
  std::vector<bool> visited(boxes.size());
  std::vector<std::size_t> cluster;  // visited boxes; those from `next` on may have unvisited neighbours
  std::vector<Box> means;
  for (std::size_t first = 0; first < boxes.size(); ++first) {
    if (visited[first]) continue;
    cluster.assign(1, first);
    visited[first] = true;
    for (std::size_t next = 0; next < cluster.size(); ++next) {
      const Box from = boxes[cluster[next]];
      for (std::size_t i = first + 1; i < boxes.size(); ++i) {
        if (visited[i] || !do_overlap(from, boxes[i])) continue;
        visited[i] = true;
        cluster.push_back(i);
      }
    }
    if (cluster.size() >= static_cast<std::size_t>(min_members)) means.push_back(mean_box(boxes, cluster));
  }
  return means;
}

}  // namespace bench
