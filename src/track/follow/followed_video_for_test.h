// Makes videos for tests of `FollowedObjects`: boxes that are carried, found and fitted as a test says.
//
// In:     the rules of following, and for each frame the boxes that a search would see and how points move.
// Out:    the objects of each frame.
// Memory: a `Video` owns its objects and one picture.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "track/follow/followed_objects.h"

namespace winnow::sample {

// Five points of an object in this box.
inline std::vector<PointPlace> points_in(const RealBox& box) {
  std::vector<PointPlace> points;
  for (const auto& [x, y] : {std::pair(0.3, 0.4), {0.7, 0.4}, {0.5, 0.6}, {0.35, 0.8}, {0.65, 0.8}})
    points.push_back({box.x + x * box.width, box.y + y * box.height});
  return points;
}

// A picture that grows lighter to the right, or downwards. All of its boxes look alike.
inline GrayImage ramp(bool right) {
  GrayImage image(400, 300);
  for (int y = 0; y < 300; ++y)
    for (int x = 0; x < 400; ++x) image.row(y)[x] = static_cast<std::uint8_t>((right ? x : y) / 2);
  return image;
}

// A made video: objects are boxes that are carried and found as the test says.
class Video {
 public:
  explicit Video(const FollowRules& rules) : objects(rules) {}

  // One frame. Every point moves by (`right`, `down`); the points of objects for which `holds` is false are
  // not found. Searches see `seen`. Returns whether the frame was searched.
  bool frame(const std::vector<RealBox>& seen, double right = 0, double down = 0, bool holds = true,
             bool sure = true, GrayView picture = {}) {
    if (picture.empty()) picture = alike.view();
    std::vector<PointPlace> list;
    std::vector<RealBox> boxes;
    objects.points(list, boxes);
    std::vector<FlowPoint> carried;
    for (const PointPlace& place : list) carried.push_back({place.x + right, place.y + down, holds});
    const bool searches = objects.wants_search();
    objects.carry(carried, picture);
    std::vector<std::vector<PointPlace>> points;
    std::vector<SeenObject> list_of_seen;
    for (const RealBox& box : seen) points.push_back(points_in(box));
    for (std::size_t i = 0; i < seen.size(); ++i)
      list_of_seen.push_back({seen[i], sure, presence, points[i]});
    if (searches) objects.meet(list_of_seen, picture);
    fits = 0;
    for (std::size_t i = 0; i < objects.objects().size(); ++i) {
      if (!objects.wants_fit(objects.objects()[i])) continue;
      ++fits;
      objects.fit(i, points_in(fit_beside(objects.objects()[i].box)), presence);
    }
    objects.finish();
    return searches;
  }

  // Where a fit finds the points of an object that flow carried into this box.
  RealBox fit_beside(const RealBox& box) const { return {box.x + beside, box.y, box.width, box.height}; }

  double beside = 0;    // how far to the right fits lie
  double presence = 1;  // what fits and searches say
  int fits = 0;         // the fits of the last frame

  FollowedObjects objects;
  GrayImage alike = ramp(true);
};

}  // namespace winnow::sample
