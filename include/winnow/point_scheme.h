// Says what the points of a face or of another object mean: their names, their mirror partners, and the eyes.
//
// In:     names of points, or numbers that a training found.
// Out:    plain data, kept in models of landmarks.
// Exact:  two schemes are equal if all lists are equal.
// Memory: a scheme owns its lists.
// Thread: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace winnow {

// Points are counted from 0. An empty list means that its content is unknown.
struct PointScheme {
  // One name for each point. The points of iBUG's scheme (300-W) have the names "ibug 0" to "ibug 67".
  std::vector<std::string> names;
  // For each point the point that it becomes in a mirrored picture.
  std::vector<std::uint16_t> mirrored;
  // The points of the two eyes. The mean of an eye's points is taken for its pupil.
  std::vector<std::uint16_t> left_eye, right_eye;
  std::vector<std::uint16_t> outer_corners;  // the outer corners of both eyes: two points
  bool has_eyes() const { return !left_eye.empty() && !right_eye.empty(); }
  bool operator==(const PointScheme&) const = default;
};

}  // namespace winnow
