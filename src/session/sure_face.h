// Says which boxes of a search may begin a face of a video. The others only confirm one.
//
// In:     a box's neighbours, and its presence.
// Out:    whether it is sure.
// Exact:  comparisons of numbers.
// Memory: plain data.
// Thread: any.
#pragma once

#include <winnow/face_search.h>

namespace winnow {

struct SureFace {
  static constexpr float kPresence = 0.5F;
  static constexpr int kTimes = 2;  // what many neighbours are, in numbers that the detector asks for

  double least_presence = 0;  // 0: presence does not count
  int neighbors = 0, many_neighbors = 0;

  bool holds(int found, float presence) const {
    if (found <= neighbors) return false;
    return !(least_presence > 0) || presence >= kPresence ||
           (presence >= static_cast<float>(least_presence) && found > many_neighbors);
  }
};

// `options`: those of the caller.
inline SureFace sure_face(const DetectorModel& model, const Landmarks& landmarks,
                          const DetectOptions& options) {
  const int usual = model.search_defaults().min_neighbors;
  const double presence = face_search(model, landmarks).min_confidence;
  return {presence, options.min_neighbors.value_or(presence > 0 ? kFaceNeighbors : usual),
          SureFace::kTimes * usual};
}

}  // namespace winnow
