// Checks the options of a training of landmarks, and finds which points change places when a face is
// mirrored.
//
// In:     options, and the number of points of a face.
// Out:    kUsage for an option out of its range; for each point the number of the point that it becomes in a
//         mirrored picture.
// Thread: any.
#pragma once

#include <cstddef>
#include <vector>

#include <winnow/train_landmarks.h>

namespace winnow {

// Returns for each point the number of the point that it becomes in a mirrored picture, or an empty list if
// no samples are mirrored. kUsage if `options.mirrored` does not fit the points, or if mirroring twice
// does not give back each point. `chosen` is `FaceSet::points`, and `marked` is `FaceSet::marked`.
std::vector<std::size_t> mirrored_points(const LandmarkOptions& options, std::size_t points,
                                         const std::vector<int>& chosen = {}, std::size_t marked = 0);

// Returns how many numbers a leaf holds: `options.basis` if this is above 0 and less than the number of
// coordinates, else one for each coordinate.
std::size_t leaf_values(const LandmarkOptions& options, std::size_t points);
inline bool has_basis(const LandmarkOptions& options, std::size_t points) {
  return leaf_values(options, points) < 2 * points;
}

}  // namespace winnow
