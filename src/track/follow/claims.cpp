#include "track/follow/claims.h"

#include <algorithm>
#include <cmath>

#include "base/real_box.h"

namespace winnow {
namespace {

// A box is near up to a distance of `kNearSide` times the object's side plus `kNearWay` times its way. The
// box may be larger or smaller than the object by a factor of up to `kMostGrowth`.
constexpr double kNearSide = 0.7, kNearWay = 0.5, kMostGrowth = 1.6;

}  // namespace

double nearness_of(const RealBox& from, double speed_x, double speed_y, double frames, const RealBox& box) {
  const double growth = side_of(box) / side_of(from);
  if (growth > kMostGrowth || growth * kMostGrowth < 1) return 0;
  const double x = middle_x(from) + speed_x * frames - middle_x(box),
               y = middle_y(from) + speed_y * frames - middle_y(box);
  const double way = std::sqrt(speed_x * speed_x + speed_y * speed_y) * frames;
  return 1 - std::sqrt(x * x + y * y) / (kNearSide * side_of(from) + kNearWay * way);
}

std::vector<Claim> claims_of(std::span<const double> fits, std::size_t boxes, double least) {
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < fits.size(); ++i)
    if (fits[i] > least) pairs.push_back(i);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](std::size_t a, std::size_t b) { return fits[a] > fits[b]; });
  std::vector<bool> object_taken(boxes > 0 ? fits.size() / boxes : 0), box_taken(boxes);
  std::vector<Claim> claims;
  for (const std::size_t pair : pairs) {
    const std::size_t object = pair / boxes, box = pair % boxes;
    if (object_taken[object] || box_taken[box]) continue;
    object_taken[object] = box_taken[box] = true;
    claims.push_back({object, box});
  }
  return claims;
}

}  // namespace winnow
