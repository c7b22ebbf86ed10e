// Says which boxes of a search may begin a face of a video. The others only confirm one.
//
// In:     a box, its neighbours and its presence.
// Out:    whether it is sure.
// Exact:  comparisons of numbers.
// Memory: plain data.
// Thread: any.
#pragma once

#include <optional>

#include <winnow/detection.h>
#include <winnow/face_search.h>
#include <winnow/follower.h>

namespace winnow {

struct SureFace {
  static constexpr int kTimes = 2;  // what many neighbours are, in numbers that the detector asks for
  // Presence that is enough for a small face with many neighbours: presence was learned from larger faces.
  static constexpr double kSmallPresence = 0.02;

  // Presence that is enough, and presence that is enough with many neighbours. Without them, presence does
  // not count.
  std::optional<double> presence = {}, least_presence = {};
  int neighbors = 0, many_neighbors = 0;
  int small_face = 0;  // narrower boxes are small faces

  bool holds(const Detection& object, float seen) const {
    if (object.neighbors <= neighbors) return false;
    if (!presence || seen >= *presence) return true;
    const bool is_small = object.box.width < small_face;
    return object.neighbors > many_neighbors && seen >= (is_small ? kSmallPresence : *least_presence);
  }
};

// `options`: those of the caller. If a face begins with as little presence as the search keeps, all boxes of
// the search are sure: so it is where faces must be hidden.
inline SureFace sure_face(const DetectorModel& model, const Landmarks& landmarks,
                          const FollowOptions& options) {
  const int usual = model.search_defaults().min_neighbors;
  const FaceSearch search = face_search(model, landmarks, {}, options.min_confidence);
  const bool counts = face_search(model, landmarks).min_confidence > 0;  // presence
  SureFace sure;
  sure.neighbors = options.search.min_neighbors.value_or(counts ? kFaceNeighbors : usual);
  sure.many_neighbors = SureFace::kTimes * usual;
  if (!counts || (!options.min_confidence && options.begin <= search.min_confidence)) return sure;
  sure.presence = options.min_confidence.value_or(options.begin);
  sure.least_presence = search.min_confidence;
  sure.small_face = search.small_face;
  return sure;
}

}  // namespace winnow
