#include "image/warp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "base/random.h"
#include "image/texture_for_test.h"

namespace winnow {
namespace {

using sample::pixels;
using sample::texture;

GrayImage sampled(GrayView picture, const Affine& place, Size size) {
  GrayImage window(size.width, size.height);
  sample_affine(picture, place, window.view());
  return window;
}

TEST(Warp, ItsOwnSizeIsItself) {
  const GrayImage picture = texture(31, 17);
  EXPECT_EQ(pixels(sampled(picture.view(), {}, picture.size()).view()), pixels(picture.view()));
  const GrayImage crop = sampled(picture.view(), place_box({3, 5, 8, 9}, {8, 9}), {8, 9});
  EXPECT_EQ(pixels(crop.view()), pixels(picture.view().crop({3, 5, 8, 9})));
}

TEST(Warp, TapsAreNoMoreThanAreSeen) {
  for (const double length : {0.0, 0.3, 1.0, 1 + 1e-9, 1.01}) EXPECT_EQ(taps_along(length), 1) << length;
  EXPECT_EQ(taps_along(1.02), 2);
  EXPECT_EQ(taps_along(7), 7);
  EXPECT_EQ(taps_along(1e9), 256);
}

TEST(Warp, WholeFactorsAreMeansOfAreas) {
  const GrayImage picture = texture(40, 60);
  for (const int factor : {2, 4, 5, 10, 20}) {
    const Size size{40 / factor, 60 / factor};
    const GrayImage small = sampled(picture.view(), place_box({0, 0, 40, 60}, size), size);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        int sum = 0;
        for (int j = 0; j < factor; ++j) {
          for (int i = 0; i < factor; ++i) sum += picture.row(y * factor + j)[x * factor + i];
        }
        EXPECT_NEAR(small.row(y)[x], static_cast<double>(sum) / (factor * factor), 0.5 + 1e-9);
      }
    }
  }
}

TEST(Warp, FineCheckersBecomeEvenGrey) {
  GrayImage picture(700, 700);
  for (int y = 0; y < 700; ++y) {
    for (int x = 0; x < 700; ++x) picture.row(y)[x] = (x + y) % 2 == 0 ? 255 : 0;
  }
  for (const double side : {57.3, 96.0, 131.7, 399.0}) {
    for (const double angle : {0.0, 0.1, 0.7}) {
      const Rotation rotation = rotation_by(angle);
      const double step = side / 24 * (angle == 0 ? 1 : 0.7);
      const Affine place{step * rotation.cos, -step * rotation.sin, 200,
                         step * rotation.sin, step * rotation.cos,  60};
      for (const int pixel : pixels(sampled(picture.view(), place, {24, 24}).view()))
        EXPECT_NEAR(pixel, 127.5, 1 + 40 / step) << side << " " << angle;
    }
  }
}

TEST(Warp, OutsideIsTheEdgesColour) {
  const GrayImage picture = texture(10, 10);
  const GrayImage window = sampled(picture.view(), place_box({-10, -10, 30, 30}, {30, 30}), {30, 30});
  EXPECT_EQ(window.row(0)[0], picture.row(0)[0]);
  EXPECT_EQ(window.row(15)[2], picture.row(5)[0]);
  EXPECT_EQ(window.row(29)[14], picture.row(9)[4]);
}

TEST(Warp, ComposesInOrder) {
  const Affine a{2, 0.5, 3, -1, 1, 4}, b{0.25, 1, -7, 2, 0.5, 1};
  const Point inner = b.at(5, 9), both = a.at(inner.x, inner.y);
  const Point at = compose(a, b).at(5, 9);
  EXPECT_DOUBLE_EQ(at.x, both.x);
  EXPECT_DOUBLE_EQ(at.y, both.y);
}

TEST(Warp, RotationsAreSinesAndCosines) {
  for (double angle = -3.1415; angle < 3.15; angle += 0.01) {
    EXPECT_NEAR(rotation_by(angle).cos, std::cos(angle), 1e-14);
    EXPECT_NEAR(rotation_by(angle).sin, std::sin(angle), 1e-14);
  }
}

TEST(Warp, IsTheSameEverywhere) {
  // The expected sum comes from x86-64. A machine with another sum has another arithmetic, or a compiler that
  // fuses multiplications and additions.
  const GrayImage picture = texture(97, 83, 5);
  const Rotation rotation = rotation_by(0.3);
  const GrayImage window = sampled(
      picture.view(),
      {2.7 * rotation.cos, -2.7 * rotation.sin, 20, 2.7 * rotation.sin, 2.7 * rotation.cos, 3}, {24, 24});
  std::uint64_t sum = 0;
  for (const std::uint8_t pixel : pixels(window.view())) sum = hash(sum, pixel);
  EXPECT_EQ(sum, 12957868636824194470u);
}

}  // namespace
}  // namespace winnow
