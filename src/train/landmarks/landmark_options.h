// Checks the options of a training of landmarks, counts the numbers of a leaf, and names the length of
// errors.
//
// In:     options, and the number of points of a face.
// Out:    kUsage for an option out of its range; counts.
// Thread: any.
#pragma once

#include <cstddef>
#include <string>

#include <winnow/train_landmarks.h>

namespace winnow {

// The name of the length by which a training with this scheme divides errors.
std::string norm_text(const PointScheme& scheme);

// Returns how many numbers a leaf holds: `options.basis` if this is above 0 and less than the number of
// coordinates, else one for each coordinate.
std::size_t leaf_values(const LandmarkOptions& options, std::size_t points);
inline bool has_basis(const LandmarkOptions& options, std::size_t points) {
  return leaf_values(options, points) < 2 * points;
}

}  // namespace winnow
