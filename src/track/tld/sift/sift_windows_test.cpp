// Compares the likely windows that SIMD and threads list with those of `reference`.
#include "track/tld/sift/sift_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/simd.h"
#include "base/simd_for_test.h"
#include "track/tld/object_learner.h"
#include "track/tld/object_scene_for_test.h"
#include "track/tld/object_search.h"
#include "track/tld/sift/fern_lanes.h"

namespace winnow {
namespace {

// An object, and a frame in which it stands among noise.
struct Scene {
  LearntObject object{7};
  ObjectFrame frame;
  ObjectGrid grid;

  Scene(Size size, const RealBox& box, std::uint64_t seed) {
    GrayFrame pixels = make_scene(size, {{box}});
    Random random(seed);
    for (std::uint8_t& pixel : pixels.pixels)
      pixel = static_cast<std::uint8_t>(std::clamp(pixel + random.below(9) - 4, 0, 255));
    frame.make(pixels.view(), 0, kObjectStepsCpu);
    object.box = box;
    grid.plan(size, object);
    EXPECT_TRUE(learn_first(frame, grid, object));
  }
};

std::size_t compare(const Scene& scene) {
  std::vector<LikelyWindow> wanted, got(3);
  sift_windows_ref(scene.frame, scene.grid, scene.object, 1, wanted);
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(threads);
    sift_windows_cpu(scene.frame, scene.grid, scene.object, threads, got);
    EXPECT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < std::min(got.size(), wanted.size()) && !testing::Test::HasFailure(); ++i) {
      EXPECT_EQ(got[i].window, wanted[i].window) << i;
      EXPECT_EQ(got[i].sum, wanted[i].sum) << i;
      EXPECT_EQ(got[i].pattern, wanted[i].pattern) << i;
    }
  }
  return wanted.size();
}

TEST(SiftWindows, SimdAndThreadsListWhatTheReferenceLists) {
  // Small steps and large ones, many windows and few, and windows that touch the last pixel.
  for (const auto& [size, box] : std::vector<std::pair<Size, RealBox>>{{{640, 400}, {300, 200, 24, 26}},
                                                                       {{333, 211}, {40, 50, 30, 8}},
                                                                       {{900, 700}, {200, 100, 240, 250}},
                                                                       {{90, 70}, {30, 20, 26, 25}},
                                                                       {{26, 25}, {0, 0, 26, 25}}}) {
    SCOPED_TRACE(testing::Message() << size.width << "x" << size.height);
    Scene scene(size, box, 3);
    for (const double part : {0., 1., 3.}) {
      const double least = scene.object.least_variance;
      scene.object.least_variance = part * least;
      const std::size_t likely = compare(scene);
      scene.object.least_variance = least;
      if (part < 2) {
        EXPECT_GT(likely, 0u) << part;
      }
    }
    scene.object.least_variance = 1e9;
    EXPECT_EQ(compare(scene), 0u);
  }
}

TEST(SiftWindows, ManyWindowsAreShared) {
  // More than a thread's worth of windows for each of several threads.
  const Scene scene({900, 700}, {300, 200, 24, 24}, 5);
  EXPECT_GT(scene.grid.windows.window_count, 300'000);
  EXPECT_GT(compare(scene), 100u);
}

TEST(FernLanes, GiveThePatternsOfNeighbouringWindows) {
  const sample::GiveTargetBack give_back;
  Random random(11);
  for (const Size window : {Size{8, 8}, Size{31, 17}, Size{64, 90}}) {
    const int pitch = 200;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(pitch * 100 + kFernLanes));
    for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(random.below(4));  // many are equal
    pixels[5] = 255;
    pixels[6] = 0;
    const FernOffsets offsets = fern_offsets(make_fern_pairs(3), window, pitch);
    for (const std::string& target : simd_targets()) {
      simd_force(target);
      FernLanes lanes;
      for (const int first : {0, 1, 77, pitch * 10 - kFernLanes}) {
        find_fern_lanes(pixels.data() + first, offsets, lanes);
        for (int lane = 0; lane < kFernLanes; ++lane)
          ASSERT_EQ(lanes.pattern(lane), fern_pattern(pixels.data() + first + lane, offsets))
              << target << " " << lane;
      }
    }
  }
}

}  // namespace
}  // namespace winnow
