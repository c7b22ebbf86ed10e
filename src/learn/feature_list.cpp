#include "learn/feature_list.h"

#include <algorithm>
#include <string>

#include <winnow/error.h>

#include "base/random.h"

namespace winnow {
namespace {

// The rectangles of a feature, in units of `dx` and `dy`. The same shapes serve upright and tilted features.
struct Shape {
  int across, down;  // the size of the whole feature
  HaarRect rects[3];
};
constexpr float kAll = -1.f;
// The weights are such that the response to a picture of one colour is 0.
constexpr Shape kClassic[] = {
    {2, 1, {{{0, 0, 2, 1}, kAll}, {{1, 0, 1, 1}, 2.f}, {}}},
    {1, 2, {{{0, 0, 1, 2}, kAll}, {{0, 1, 1, 1}, 2.f}, {}}},
    {3, 1, {{{0, 0, 3, 1}, kAll}, {{1, 0, 1, 1}, 3.f}, {}}},
    {1, 3, {{{0, 0, 1, 3}, kAll}, {{0, 1, 1, 1}, 3.f}, {}}},
    {2, 2, {{{0, 0, 2, 2}, kAll}, {{0, 0, 1, 1}, 2.f}, {{1, 1, 1, 1}, 2.f}}},
};
constexpr Shape kMore[] = {
    {4, 1, {{{0, 0, 4, 1}, kAll}, {{1, 0, 2, 1}, 2.f}, {}}},
    {1, 4, {{{0, 0, 1, 4}, kAll}, {{0, 1, 1, 2}, 2.f}, {}}},
    {3, 3, {{{0, 0, 3, 3}, kAll}, {{1, 1, 1, 1}, 9.f}, {}}},
};
constexpr Shape kTiltedShapes[] = {kClassic[0], kClassic[1], kClassic[2], kClassic[3], kMore[0], kMore[1]};

// In a tilted rectangle, `x` runs down to the right, and `y` runs down to the left.
Box place(const Box& unit, int x, int y, int dx, int dy, bool tilted) {
  const int right = unit.x * dx, left = unit.y * dy;
  if (!tilted) return {x + right, y + left, unit.width * dx, unit.height * dy};
  return {x + right - left, y + right + left, unit.width * dx, unit.height * dy};
}

template <class Visit>
void visit_shape(const Shape& shape, bool tilted, Size window, int x, int y, int dx, int dy, Visit& visit) {
  const int width = shape.across * dx, height = shape.down * dy;
  const bool inside =
      tilted ? x - height >= 0 && x + width <= window.width && y + width + height <= window.height
             : x + width <= window.width && y + height <= window.height;
  if (!inside) return;
  HaarFeature feature;
  feature.tilted = tilted;
  for (int i = 0; i < 3; ++i) {
    if (shape.rects[i].weight == 0.f) continue;
    feature.rects[static_cast<std::size_t>(i)] = {place(shape.rects[i].box, x, y, dx, dy, tilted),
                                                  shape.rects[i].weight};
  }
  visit(feature);
}

template <class VisitHaar, class VisitLbp>
void visit_features(FeatureSet set, Size window, VisitHaar visit_haar, VisitLbp visit_lbp) {
  for (int x = 0; x < window.width; ++x) {
    for (int y = 0; y < window.height; ++y) {
      for (int dx = 1; dx <= window.width - x; ++dx) {
        for (int dy = 1; dy <= window.height - y; ++dy) {
          if (set == FeatureSet::kLbp) {
            if (x + 3 * dx <= window.width && y + 3 * dy <= window.height)
              visit_lbp(LbpFeature{{x, y, dx, dy}});
            continue;
          }
          for (const Shape& shape : kClassic) visit_shape(shape, false, window, x, y, dx, dy, visit_haar);
          if (set == FeatureSet::kHaar) continue;
          for (const Shape& shape : kMore) visit_shape(shape, false, window, x, y, dx, dy, visit_haar);
          if (set != FeatureSet::kHaarTilted) continue;
          for (const Shape& shape : kTiltedShapes) visit_shape(shape, true, window, x, y, dx, dy, visit_haar);
        }
      }
    }
  }
}

// Draws `count` different numbers below `of`, in rising order (Floyd's algorithm).
std::vector<std::int64_t> draw(std::int64_t count, std::int64_t of, std::uint64_t seed) {
  std::vector<std::int64_t> drawn;
  std::vector<bool> taken(static_cast<std::size_t>(of));
  for (std::int64_t i = of - count; i < of; ++i) {
    auto number = static_cast<std::int64_t>(hash(seed, i) % static_cast<std::uint64_t>(i + 1));
    if (taken[static_cast<std::size_t>(number)]) number = i;
    taken[static_cast<std::size_t>(number)] = true;
    drawn.push_back(number);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace

const char* feature_set_name(FeatureSet set) {
  switch (set) {
    case FeatureSet::kHaar:
      return "haar";
    case FeatureSet::kHaarMore:
      return "haar-more";
    case FeatureSet::kHaarTilted:
      return "haar-tilted";
    case FeatureSet::kLbp:
      return "lbp";
  }
  return "unknown";
}

std::int64_t count_features(FeatureSet set, Size window) {
  std::int64_t count = 0;
  visit_features(
      set, window, [&](const HaarFeature&) { ++count; }, [&](const LbpFeature&) { ++count; });
  return count;
}

FeatureList list_features(FeatureSet set, Size window, std::int64_t pool, std::uint64_t seed) {
  FeatureList list;
  list.kind = set == FeatureSet::kLbp ? FeatureKind::kLbp : FeatureKind::kHaar;
  list.window = window;
  const std::int64_t all = count_features(set, window);
  const bool some = pool > 0 && pool < all;
  if ((some ? pool : all) > kMostFeatures) {
    throw Error(ErrorCode::kLimit, "a window of " + std::to_string(window.width) + "x" +
                                       std::to_string(window.height) + " has " + std::to_string(all) +
                                       " features; take a smaller window or a pool of at most " +
                                       std::to_string(kMostFeatures));
  }
  std::vector<std::int64_t> drawn;
  if (some) drawn = draw(pool, all, seed);
  std::int64_t number = 0;
  std::size_t next = 0;
  const auto wanted = [&] {
    const std::int64_t own = number++;
    if (!some) return true;
    if (next >= drawn.size() || drawn[next] != own) return false;
    ++next;
    return true;
  };
  visit_features(
      set, window,
      [&](const HaarFeature& feature) {
        if (!wanted()) return;
        list.haar.push_back(feature);
        list.tilted = list.tilted || feature.tilted;
      },
      [&](const LbpFeature& feature) {
        if (wanted()) list.lbp.push_back(feature);
      });
  return list;
}

}  // namespace winnow
