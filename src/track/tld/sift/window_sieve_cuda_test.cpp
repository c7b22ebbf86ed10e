// Compares levels, blurred levels and lists of likely windows of a device with those of `reference`.
#include <gtest/gtest.h>

#include "base/device/device_for_test.h"
#include "track/tld/sift/window_sieve.h"

#ifdef WINNOW_HAVE_CUDA

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/device/cuda_memory.h"
#include "base/random.h"
#include "track/tld/object_learner.h"
#include "track/tld/object_scene_for_test.h"
#include "track/tld/object_search.h"

namespace winnow {
namespace {

// An object of the scene, learnt from a frame of this size.
LearntObject learnt(Size frame, const RealBox& box, int halvings) {
  LearntObject object(5);
  object.halvings = halvings;
  ObjectFrame planes;
  planes.make(make_scene(frame, {{box}}).view(), halvings, kObjectStepsRef);
  object.box = planes.to_level(box);
  ObjectGrid grid;
  grid.plan(planes.level().size(), object);
  EXPECT_TRUE(learn_first(planes, grid, object));
  return object;
}

// Teaches an object every 37th window of a frame. Many windows are then likely, of all sizes.
void teach(GrayView frame, LearntObject& object) {
  ObjectFrame planes;
  planes.make(frame, object.halvings, kObjectStepsRef);
  ObjectGrid grid;
  grid.plan(planes.level().size(), object);
  std::vector<FernPattern> patterns;
  for (std::int64_t window = 0; window < grid.windows.window_count; window += 37) {
    const WindowPlace place = place_window(grid.windows, window);
    patterns.push_back(fern_pattern(planes.blurred().row(place.y) + place.x,
                                    grid.offsets[static_cast<std::size_t>(place.level)]));
  }
  object.ferns.learn(patterns, {}, kFerns * kFernOne, Random(1));
}

// A frame in which the object stands among noise, at another place.
GrayFrame noisy(Size size, const RealBox& box, std::uint64_t seed) {
  return noisy_scene(size, {box.x / 2, box.y / 2, box.width, box.height}, seed);
}

struct Sifted {
  ObjectFrame frame;
  ObjectGrid grid;
  std::vector<LikelyWindow> likely;
};

void sift_by_reference(GrayView frame, const LearntObject& object, Sifted& sifted) {
  sifted.frame.make(frame, object.halvings, kObjectStepsRef);
  sifted.grid.plan(sifted.frame.level().size(), object);
  sift_windows_ref(sifted.frame, sifted.grid, object, 1, sifted.likely);
}

void expect_same_picture(GrayView got, GrayView wanted, const char* what) {
  ASSERT_EQ(got.size(), wanted.size()) << what;
  for (int y = 0; y < wanted.height; ++y)
    ASSERT_TRUE(std::equal(wanted.row(y), wanted.row(y) + wanted.width, got.row(y))) << what << ", row " << y;
}

void expect_same(WindowSieve& sieve, const LearntObject& object, const Sifted& wanted) {
  ObjectFrame frame;
  const std::span<const LikelyWindow> likely = sieve.finish(wanted.grid, object, 1, frame);
  EXPECT_EQ(frame.halvings(), wanted.frame.halvings());
  expect_same_picture(frame.level(), wanted.frame.level(), "level");
  expect_same_picture(frame.blurred(), wanted.frame.blurred(), "blurred");
  ASSERT_EQ(likely.size(), wanted.likely.size());
  for (std::size_t i = 0; i < likely.size(); ++i) {
    ASSERT_EQ(likely[i].window, wanted.likely[i].window) << i;
    ASSERT_EQ(likely[i].sum, wanted.likely[i].sum) << i;
    ASSERT_EQ(likely[i].pattern, wanted.likely[i].pattern) << i;
  }
}

// Sifts a frame on both, and returns the number of likely windows.
std::size_t compare(SieveFrames& frames, WindowSieve& sieve, GrayView frame, const LearntObject& object) {
  Sifted wanted;
  sift_by_reference(frame, object, wanted);
  frames.keep(frame, FlowRules());
  sieve.begin(wanted.grid, object);
  expect_same(sieve, object, wanted);
  return wanted.likely.size();
}

TEST(WindowSieveCuda, FramesAndObjectsOfManySizes) {
  WINNOW_NEEDS_DEVICE();
  const auto frames = make_sieve_frames_cuda(1, 0);
  const auto sieve = frames->make_sieve();
  for (const int halvings : {0, 1, 2, 3}) {
    const double side = 26 << halvings;
    const RealBox box{40, 30, side, side * 1.3};
    const LearntObject object = learnt({640, 480}, box, halvings);
    for (const Size size :
         {Size{640, 480}, Size{641, 479}, Size{333, 377}, Size{1000, 299}, Size{640, 480}}) {
      SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << ", " << halvings << " halvings");
      const std::size_t likely = compare(*frames, *sieve, noisy(size, box, 3).view(), object);
      if (halvings == 0) {
        EXPECT_GT(likely, 10u);
      }
      if (HasFailure()) return;
    }
  }
}

// Frames that are smaller than all windows, or hold one column, row or place of windows.
TEST(WindowSieveCuda, FramesAlmostTooSmall) {
  WINNOW_NEEDS_DEVICE();
  const auto frames = make_sieve_frames_cuda(1, 0);
  const auto sieve = frames->make_sieve();
  for (const int halvings : {0, 2}) {
    const double side = 24 << halvings;
    LearntObject object = learnt({400, 300}, {60, 50, side, side}, halvings);
    object.least_variance = 0;
    const int least = halvings == 0 ? 24 : 17 << halvings;  // a side of 96 / 1.2^k is 24 or 17 on the level
    for (const Size size : {Size{least, least}, Size{least, 300}, Size{300, least}, Size{least + 1, 301},
                            Size{least - 1, 200}, Size{200, 3}, Size{1, 1}, Size{2, 1}, Size{1, 5}}) {
      SCOPED_TRACE(testing::Message() << size.width << "x" << size.height << ", " << halvings << " halvings");
      compare(*frames, *sieve, noisy(size, {0, 0, 30, 30}, 4).view(), object);
      if (HasFailure()) return;
    }
  }
}

// Thresholds that no window passes, or all do. The list of all windows needs more room than a sieve has first.
TEST(WindowSieveCuda, AllWindowsAndNone) {
  WINNOW_NEEDS_DEVICE();
  const Size size{300, 200};
  const auto frames = make_sieve_frames_cuda(1, 0);
  const auto sieve = frames->make_sieve();
  LearntObject object = learnt(size, {90, 60, 26, 30}, 0);
  const GrayFrame flat(size, 77);
  object.ferns.learn(std::vector<FernPattern>(1), {}, kFerns * kFernOne, Random(1));
  object.least_variance = 0;
  EXPECT_GT(compare(*frames, *sieve, flat.view(), object), 8192u);
  object.least_variance = 0.001;
  EXPECT_EQ(compare(*frames, *sieve, flat.view(), object), 0u);
  object.least_variance = 1e9;
  EXPECT_EQ(compare(*frames, *sieve, noisy(size, object.box, 5).view(), object), 0u);
  object.least_variance = 0;
  EXPECT_GT(compare(*frames, *sieve, flat.view(), object), 8192u) << "the room stays";
}

// A window whose variance is exactly the least one passes.
TEST(WindowSieveCuda, TheLeastVarianceItself) {
  WINNOW_NEEDS_DEVICE();
  const Size size{120, 90};
  const auto frames = make_sieve_frames_cuda(1, 0);
  const auto sieve = frames->make_sieve();
  LearntObject object = learnt(size, {40, 30, 24, 24}, 0);
  object.ferns.learn(std::vector<FernPattern>(1), {}, kFerns * kFernOne, Random(1));
  GrayFrame frame(size, 10);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; x += 2) frame.at(x, y) = 13;
  object.least_variance = 2.25;  // half of the pixels differ from the mean by 1.5, the others by -1.5
  const std::size_t even = compare(*frames, *sieve, frame.view(), object);
  object.least_variance = 2.2500001;
  EXPECT_LT(compare(*frames, *sieve, frame.view(), object), even);
}

// Largest windows, of dark and bright pixels: their sums of squares are near 2^32.
TEST(WindowSieveCuda, LargestWindows) {
  WINNOW_NEEDS_DEVICE();
  const Size size{700, 600};
  const auto frames = make_sieve_frames_cuda(1, 0);
  const auto sieve = frames->make_sieve();
  LearntObject object = learnt(size, {60, 50, 420, 410}, 0);
  object.least_variance = 9000;
  GrayFrame frame(size, 255);
  Random random(9);
  for (std::uint8_t& pixel : frame.pixels) pixel = random.below(3) == 0 ? 0 : 255;
  teach(frame.view(), object);
  Sifted sifted;
  sift_by_reference(frame.view(), object, sifted);
  ASSERT_FALSE(sifted.likely.empty());
  ASSERT_GE(sifted.likely.back().window, sifted.grid.windows.levels.back().first_window);
  EXPECT_GT(compare(*frames, *sieve, frame.view(), object), 1000u);
  const GrayFrame white(size, 255);
  object.least_variance = 0;
  teach(white.view(), object);
  EXPECT_GT(compare(*frames, *sieve, white.view(), object), 1000u);
}

// Several objects share a frame. Each learns between frames, and one stops in the middle.
TEST(WindowSieveCuda, SeveralObjectsAtOnce) {
  WINNOW_NEEDS_DEVICE();
  const Size size{500, 380};
  const auto frames = make_sieve_frames_cuda(1, 0);
  std::vector<std::pair<LearntObject, std::unique_ptr<WindowSieve>>> objects;
  for (const int halvings : {0, 2, 1, 0, 3}) {
    const double side = 25 << halvings;
    objects.emplace_back(learnt(size, {50, 40, side, side * 1.2}, halvings), frames->make_sieve());
    objects.back().first.least_variance = kLeastVariance;
    teach(noisy(size, {90, 60, 40, 48}, 0).view(), objects.back().first);
  }
  for (int round = 0; round < 6; ++round) {
    const GrayFrame frame = noisy(size, {90.0 + 10 * round, 60, 40, 48}, static_cast<std::uint64_t>(round));
    std::vector<Sifted> wanted(objects.size());
    frames->keep(frame.view(), FlowRules());
    for (std::size_t i = 0; i < objects.size(); ++i) {
      sift_by_reference(frame.view(), objects[i].first, wanted[i]);
      ASSERT_GT(wanted[i].likely.size(), 100u) << "round " << round << ", object " << i;
      objects[i].second->begin(wanted[i].grid, objects[i].first);
    }
    if (round == 3) continue;  // as if an error had come between
    if (round == 4) {
      objects.pop_back();  // before it finished
      wanted.pop_back();
    }
    for (std::size_t i = objects.size(); i-- > 0;) {
      SCOPED_TRACE(testing::Message() << "round " << round << ", object " << i);
      expect_same(*objects[i].second, objects[i].first, wanted[i]);
      if (HasFailure()) return;
      std::vector<FernPattern> patterns;
      for (std::size_t k = 0; k < std::min<std::size_t>(50, wanted[i].likely.size()); ++k)
        patterns.push_back(wanted[i].likely[k].pattern);
      objects[i].first.ferns.learn(patterns, patterns, kFerns * kFernOne, Random(7));
    }
  }
}

TEST(WindowSieveCuda, AllocatesNothingForFramesOfOneSize) {
  WINNOW_NEEDS_DEVICE();
  const Size size{320, 240};
  const RealBox box{100, 80, 30, 40};
  const LearntObject object = learnt(size, box, 0);
  const auto frames = make_sieve_frames_cuda(1, 0);
  const auto sieve = frames->make_sieve();
  // The frame before is kept, too, so the second frame still allocates.
  for (std::uint64_t seed = 0; seed < 2; ++seed)
    compare(*frames, *sieve, noisy(size, box, seed).view(), object);
  const std::int64_t allocated = cuda_allocations();
  for (std::uint64_t seed = 2; seed < 6; ++seed)
    compare(*frames, *sieve, noisy(size, box, seed).view(), object);
  EXPECT_EQ(cuda_allocations(), allocated);
}

}  // namespace
}  // namespace winnow

#endif
