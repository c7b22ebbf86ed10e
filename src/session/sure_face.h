// Says which boxes of a search may begin a face of a video. The others only confirm one.
//
// In:     a box's neighbours, and its presence.
// Out:    whether it is sure.
// Exact:  comparisons of numbers.
// Memory: plain data.
// Thread: any.
#pragma once

#include <optional>

#include <winnow/face_search.h>
#include <winnow/follower.h>

namespace winnow {

struct SureFace {
  static constexpr int kTimes = 2;  // what many neighbours are, in numbers that the detector asks for

  // Presence that is enough, and presence that is enough with many neighbours. Without them, presence does
  // not count.
  std::optional<double> presence = {}, least_presence = {};
  int neighbors = 0, many_neighbors = 0;

  bool holds(int found, float seen) const {
    if (found <= neighbors) return false;
    return !presence || seen >= *presence || (seen >= *least_presence && found > many_neighbors);
  }
};

// `options`: those of the caller.
inline SureFace sure_face(const DetectorModel& model, const Landmarks& landmarks,
                          const FollowOptions& options) {
  const int usual = model.search_defaults().min_neighbors;
  const double least = face_search(model, landmarks).min_confidence;
  SureFace sure;
  sure.neighbors = options.search.min_neighbors.value_or(least > 0 ? kFaceNeighbors : usual);
  sure.many_neighbors = SureFace::kTimes * usual;
  if (!(least > 0)) return sure;
  sure.presence = options.min_confidence.value_or(options.begin);
  sure.least_presence = options.min_confidence.value_or(least);
  return sure;
}

}  // namespace winnow
