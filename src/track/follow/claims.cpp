#include "track/follow/claims.h"

#include <algorithm>
#include <cmath>

namespace winnow {
namespace {

// A box is near up to a distance of `kNearSide` times the face's side plus `kNearWay` times its way. The box
// may be larger or smaller than the face by a factor of up to `kMostGrowth`.
constexpr double kNearSide = 0.7, kNearWay = 0.5, kMostGrowth = 1.6;

}  // namespace

double nearness_of(const FaceBox& from, double speed_x, double speed_y, double frames, const FaceBox& box) {
  const double growth = side_of(box) / side_of(from);
  if (growth > kMostGrowth || growth * kMostGrowth < 1) return 0;
  const double x = from.middle_x() + speed_x * frames - box.middle_x(),
               y = from.middle_y() + speed_y * frames - box.middle_y();
  const double way = std::sqrt(speed_x * speed_x + speed_y * speed_y) * frames;
  return 1 - std::sqrt(x * x + y * y) / (kNearSide * side_of(from) + kNearWay * way);
}

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
