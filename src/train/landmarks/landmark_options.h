// Checks the options of a training of landmarks, and says which points change places in a mirror.
//
// In:     options, and the points of a face.
// Out:    kUsage for an option out of its range; for each point its number in a mirrored picture.
// Thread: any.
#pragma once

#include <cstddef>
#include <vector>

#include <winnow/train_landmarks.h>

namespace winnow {

// Empty if no samples are mirrored. kUsage if `options.mirrored` is no exchange of points.
// `chosen`, `marked`: `FaceSet::points` and `FaceSet::marked`.
std::vector<std::size_t> mirrored_points(const LandmarkOptions& options, std::size_t points,
                                         const std::vector<int>& chosen = {}, std::size_t marked = 0);

// The numbers that a leaf holds: one for each vector of the basis if that is fewer than the coordinates.
std::size_t leaf_values(const LandmarkOptions& options, std::size_t points);
inline bool has_basis(const LandmarkOptions& options, std::size_t points) {
  return leaf_values(options, points) < 2 * points;
}

}  // namespace winnow
