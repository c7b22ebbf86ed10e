// Says which boxes of a search may begin a face of a video. The other boxes only confirm a face that is
// followed already.
//
// In:     a box, its number of neighbours and its presence.
// Out:    whether the box is sure, so that it may begin a face.
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
  // A box has many neighbours if it has more than this many times the number that the detector asks for.
  static constexpr int kTimes = 2;
  // The presence that is enough for a small face with many neighbours. It is low, because presence was
  // learned from larger faces.
  static constexpr double kSmallPresence = 0.02;

  // A box with more than `neighbors` neighbours needs `presence`. If it has more than `many_neighbors`, it
  // needs only `least_presence`. Without these values, presence does not count.
  std::optional<double> presence = {}, least_presence = {};
  int neighbors = 0, many_neighbors = 0;
  int small_face = 0;  // boxes narrower than this are small faces

  bool holds(const Detection& object, float seen) const {
    if (object.neighbors <= neighbors) return false;
    if (!presence || seen >= *presence) return true;
    const bool is_small = object.box.width < small_face;
    return object.neighbors > many_neighbors && seen >= (is_small ? kSmallPresence : *least_presence);
  }
};

// `options`: the caller's options. If `begin` is at most the least presence that the search keeps, all boxes
// of the search are sure. Programs that hide faces choose such a `begin`.
inline SureFace sure_face(const DetectorModel& model, const Landmarks& landmarks,
                          const FollowOptions& options) {
  const int usual = model.search_defaults().min_neighbors;
  const FaceSearch search = face_search(model, landmarks, {}, options.min_confidence);
  const bool counts = face_search(model, landmarks).min_confidence > 0;  // whether presence counts
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
