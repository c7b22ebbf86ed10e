// Helps the tests of `CoverPaths`: a box, faces that searches find, and all covers of a video.
//
// In:     paths whose frames were all added.
// Out:    the covers of each frame.
// Memory: plain data.
#pragma once

#include <vector>

#include "track/cover/cover_paths.h"

namespace winnow::sample {

inline constexpr RealBox kBox{100, 100, 40, 40};

inline RealBox at(double x) { return {x, 100, 40, 40}; }

inline std::vector<std::vector<CoverPaths::Given>> given_by(CoverPaths& paths) {
  std::vector<std::vector<CoverPaths::Given>> frames;
  while (paths.oldest() <= paths.newest()) paths.give(frames.emplace_back());
  return frames;
}

inline std::vector<std::vector<RealBox>> all_of(CoverPaths& paths) {
  std::vector<std::vector<RealBox>> frames;
  for (const auto& given : given_by(paths)) {
    frames.emplace_back();
    for (const CoverPaths::Given& each : given) frames.back().push_back(each.box);
  }
  return frames;
}

// A face that a search found. A path that begins so is sure if one search is enough.
inline CoverPaths::Place found(const RealBox& box, bool likely = true) { return {box, box, true, likely}; }

}  // namespace winnow::sample
