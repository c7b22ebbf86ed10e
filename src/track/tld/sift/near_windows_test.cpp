// Compares near and far windows with the overlaps of every window.
#include "track/tld/sift/near_windows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "base/real_box.h"
#include "base/shuffle.h"

namespace winnow {
namespace {

ObjectGrid grid_of(Size level, const RealBox& box) {
  LearntObject object(1);
  object.box = box;
  ObjectGrid grid;
  grid.plan(level, object);
  return grid;
}

// Boxes inside of the frame, at its edges, and outside.
std::vector<RealBox> boxes() {
  std::vector<RealBox> list{{0, 0, 30, 40},       {170, 110, 30, 40}, {-15, -20, 30, 40},
                            {188, 131.5, 30, 40}, {500, 20, 30, 40},  {20, -1e12, 30, 40},
                            {0, 0, 200, 150},     {60, 50, 31, 1e9},  {90.5, 77.25, 4, 5.5}};
  Random random(8);
  for (int i = 0; i < 30; ++i)
    list.push_back({random.real(-30, 190), random.real(-30, 140), random.real(20, 60), random.real(25, 70)});
  return list;
}

TEST(NearWindows, AreThoseOfAllWindows) {
  const ObjectGrid grid = grid_of({200, 150}, {50, 40, 30, 40});
  std::size_t longest = 0;
  for (const RealBox& box : boxes()) {
    std::vector<NearWindow> wanted;
    for (std::int64_t window = 0; window < grid.windows.window_count; ++window) {
      const double overlap = overlap_of(box, real_box(grid_box(grid.windows, window)));
      if (overlap > 0.6) wanted.push_back({window, overlap});
    }
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const NearWindow& a, const NearWindow& b) { return a.overlap > b.overlap; });
    wanted.resize(std::min<std::size_t>(wanted.size(), 12));
    longest = std::max(longest, wanted.size());
    const std::vector<NearWindow> got = nearest_windows(grid, box, 0.6, 12);
    ASSERT_EQ(got.size(), wanted.size()) << box.x << " " << box.y;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].window, wanted[i].window);
      EXPECT_EQ(got[i].overlap, wanted[i].overlap);
    }
    // Windows that only just touch the box.
    std::int64_t touching = 0;
    for (std::int64_t window = 0; window < grid.windows.window_count; ++window)
      touching += overlap_of(box, real_box(grid_box(grid.windows, window))) > 0 ? 1 : 0;
    EXPECT_EQ(nearest_windows(grid, box, 0, 1'000'000).size(), static_cast<std::size_t>(touching));
  }
  EXPECT_EQ(longest, 12u);
}

TEST(FarWindows, AreThoseThatOverlapLess) {
  const ObjectGrid grid = grid_of({200, 150}, {50, 40, 30, 40});
  ASSERT_GT(grid.windows.levels.size(), 3u);
  Random random(3);
  std::vector<std::int64_t> rising, mixed;
  for (std::int64_t window = 0; window < grid.windows.window_count; window += 1 + random.below(3))
    rising.push_back(window);
  mixed = rising;
  shuffle(mixed, Random(4));
  std::int64_t near = 0;
  for (const RealBox& box : boxes()) {
    for (const double below : {0.001, 0.2}) {
      FarWindows far_windows(grid, box, below);
      for (const auto* list : {&rising, &rising, &mixed})
        for (const std::int64_t window : *list) {
          const bool wanted = overlap_of(box, real_box(grid_box(grid.windows, window))) < below;
          ASSERT_EQ(far_windows.holds(window), wanted) << box.x << " " << box.y << " " << window;
          near += wanted ? 0 : 1;
        }
    }
  }
  EXPECT_GT(near, 10'000);
}

}  // namespace
}  // namespace winnow
