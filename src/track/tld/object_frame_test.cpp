// Tests the level, the blur and the sums of a prepared frame.
#include "track/tld/object_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "image/border.h"
#include "track/tld/box_grid.h"
#include "track/tld/object_scene_for_test.h"

namespace winnow {
namespace {

GrayFrame noise(Size size, std::uint64_t seed) {
  GrayFrame frame(size);
  Random random(seed);
  for (std::uint8_t& pixel : frame.pixels) pixel = static_cast<std::uint8_t>(random.below(256));
  return frame;
}

std::uint64_t spread_of(GrayView picture, const Box& box) {
  std::int64_t sum = 0, square = 0;
  for (int y = box.y; y < box.y + box.height; ++y)
    for (int x = box.x; x < box.x + box.width; ++x) {
      sum += picture.row(y)[x];
      square += std::int64_t{picture.row(y)[x]} * picture.row(y)[x];
    }
  return static_cast<std::uint64_t>(std::int64_t{box.width} * box.height * square - sum * sum);
}

TEST(ObjectFrame, SpreadsAreThoseOfThePixels) {
  const GrayFrame frame = noise({70, 50}, 1);
  ObjectFrame planes;
  planes.make(frame.view(), 0, kObjectStepsCpu);
  for (const Box box : {Box{0, 0, 70, 50}, Box{3, 5, 1, 1}, Box{69, 49, 1, 1}, Box{10, 20, 30, 7}})
    EXPECT_EQ(planes.spread(box), spread_of(frame.view(), box));
}

TEST(ObjectFrame, SpreadsOfTheLargestWindowsAreRight) {
  const Size size{530, 520};
  const Box box{11, 3, 513, 511};
  ASSERT_EQ(std::int64_t{box.width} * box.height, kMostWindowArea);
  for (const int high : {255, 254, 0, 128}) {
    GrayFrame frame(size, high == 0 ? 0 : 255);
    for (std::size_t i = 0; i < frame.pixels.size(); i += 2)
      frame.pixels[i] = static_cast<std::uint8_t>(high);
    ObjectFrame planes;
    planes.make(frame.view(), 0, kObjectStepsCpu);
    EXPECT_EQ(planes.spread(box), spread_of(frame.view(), box)) << high;
  }
}

TEST(ObjectFrame, BlursByAGaussian) {
  const int weights[] = {2, 9, 28, 55, 68, 55, 28, 9, 2};
  for (const Size size : {Size{31, 17}, Size{3, 2}, Size{1, 1}}) {
    const GrayFrame frame = noise(size, 2);
    ObjectFrame planes;
    planes.make(frame.view(), 0, kObjectStepsCpu);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        int sum = 1 << 15;
        for (int j = 0; j < 9; ++j)
          for (int i = 0; i < 9; ++i)
            sum += weights[i] * weights[j] *
                   frame.view().row(mirrored(y + j - 4, size.height))[mirrored(x + i - 4, size.width)];
        ASSERT_EQ(planes.blurred().row(y)[x], sum >> 16) << x << " " << y;
      }
  }
}

TEST(ObjectFrame, BoxesGoToTheLevelAndBack) {
  const GrayFrame frame = noise({200, 120}, 3);
  ObjectFrame planes;
  planes.make(frame.view(), 2, kObjectStepsCpu);
  EXPECT_EQ(planes.level().size(), (Size{50, 30}));
  // The middle of pixel 8 of the frame is the middle of pixel 2 of the level.
  const RealBox there = planes.to_level({8, 12, 1, 1});
  EXPECT_DOUBLE_EQ(there.x + there.width / 2, 2.5);
  EXPECT_DOUBLE_EQ(there.y + there.height / 2, 3.5);
  const RealBox back = planes.to_frame(planes.to_level({17.25, 3.5, 40, 31}));
  EXPECT_NEAR(back.x, 17.25, 1e-12);
  EXPECT_NEAR(back.y, 3.5, 1e-12);
  EXPECT_NEAR(back.width, 40, 1e-12);
  EXPECT_NEAR(back.height, 31, 1e-12);
}

TEST(ObjectFrame, ShowsALevelThatWasMadeElsewhere) {
  const GrayFrame frame = noise({60, 40}, 5), level = noise({15, 10}, 6), blurred = noise({15, 10}, 7);
  ObjectFrame planes;
  planes.show({2, level.view(), blurred.view()});
  EXPECT_EQ(planes.halvings(), 2);
  EXPECT_EQ(planes.level().data, level.pixels.data());
  EXPECT_EQ(planes.blurred().data, blurred.pixels.data());
  EXPECT_DOUBLE_EQ(planes.to_level({8, 12, 4, 4}).width, 1);
  planes.make(frame.view(), 0, kObjectStepsCpu);
  EXPECT_EQ(planes.level().size(), frame.size);
  EXPECT_EQ(planes.halvings(), 0);
  EXPECT_EQ(planes.spread({0, 0, 60, 40}), spread_of(frame.view(), {0, 0, 60, 40}));
}

TEST(ObjectFrame, IsTheSameForEveryBackend) {
  const GrayFrame frame = noise({301, 203}, 4);
  for (const int halvings : {0, 1, 3}) {
    ObjectFrame ref, cpu;
    ref.make(frame.view(), halvings, kObjectStepsRef);
    cpu.make(frame.view(), halvings, kObjectStepsCpu);
    const Size size = ref.level().size();
    ASSERT_EQ(cpu.level().size(), size);
    for (int y = 0; y < size.height; ++y) {
      EXPECT_TRUE(std::equal(ref.level().row(y), ref.level().row(y) + size.width, cpu.level().row(y)));
      EXPECT_TRUE(std::equal(ref.blurred().row(y), ref.blurred().row(y) + size.width, cpu.blurred().row(y)));
    }
    const Box all{0, 0, size.width, size.height};
    EXPECT_EQ(ref.spread(all), cpu.spread(all));
  }
}

}  // namespace
}  // namespace winnow
