#include "track/follow/claims.h"

#include <algorithm>

namespace winnow {

double overlap_of(const FaceBox& a, const FaceBox& b) {
  const double width = std::min(a.left + a.width, b.left + b.width) - std::max(a.left, b.left),
               height = std::min(a.top + a.height, b.top + b.height) - std::max(a.top, b.top);
  if (!(width > 0) || !(height > 0)) return 0;
  const double shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
}

std::vector<Claim> claims_of(std::span<const double> fits, std::size_t boxes, double least) {
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < fits.size(); ++i)
    if (fits[i] > least) pairs.push_back(i);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](std::size_t a, std::size_t b) { return fits[a] > fits[b]; });
  std::vector<bool> face_taken(boxes > 0 ? fits.size() / boxes : 0), box_taken(boxes);
  std::vector<Claim> claims;
  for (const std::size_t pair : pairs) {
    const std::size_t face = pair / boxes, box = pair % boxes;
    if (face_taken[face] || box_taken[box]) continue;
    face_taken[face] = box_taken[box] = true;
    claims.push_back({face, box});
  }
  return claims;
}

}  // namespace winnow
