#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "base/simd.h"
#include "base/simd_for_test.h"
#include "scale/integral.h"

namespace winnow {
namespace {

GrayImage random_picture(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  GrayImage picture(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      picture.row(y)[x] = static_cast<std::uint8_t>(seed % 3 == 0 ? 255 : random());
  }
  return picture;
}

// Planes with a border on the right. The border holds a known value that must stay as it is.
struct Planes {
  static constexpr int kBorder = 5;
  static constexpr std::uint32_t kUntouched = 0xDEADBEEF;
  Planes(int width, int height) : columns(width + 1), rows(height + 1), stride(columns + kBorder) {
    for (auto* plane : {&sum, &square, &tilted}) {
      plane->assign(static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows), kUntouched);
    }
  }
  IntegralPlanes views() { return {view(sum), view(square), view(tilted)}; }
  PlaneView view(std::vector<std::uint32_t>& plane) const {
    return {plane.data(), columns, rows, stride * static_cast<std::ptrdiff_t>(sizeof(std::uint32_t))};
  }
  std::uint32_t at(const std::vector<std::uint32_t>& plane, int x, int y) const {
    return plane[static_cast<std::size_t>(y) * static_cast<std::size_t>(stride) +
                 static_cast<std::size_t>(x)];
  }
  int columns, rows, stride;
  std::vector<std::uint32_t> sum, square, tilted;
};

// Checks planes by the definitions in the header, term by term.
void check_by_definition(GrayView picture, const Planes& planes) {
  for (int Y = 0; Y <= picture.height; ++Y) {
    for (int X = 0; X <= picture.width; ++X) {
      std::uint32_t sum = 0, square = 0, tilted = 0;
      for (int y = 0; y < Y; ++y) {
        for (int x = 0; x < picture.width; ++x) {
          const std::uint32_t p = picture.row(y)[x];
          if (x < X) sum += p;
          if (x < X) square += p * p;
          if (std::abs(x - X + 1) <= Y - y - 1) tilted += p;
        }
      }
      ASSERT_EQ(planes.at(planes.sum, X, Y), sum) << X << ", " << Y;
      ASSERT_EQ(planes.at(planes.square, X, Y), square) << X << ", " << Y;
      ASSERT_EQ(planes.at(planes.tilted, X, Y), tilted) << X << ", " << Y;
    }
  }
}

TEST(Integral, ReferenceKeepsTheDefinition) {
  unsigned seed = 0;
  for (const int width : {0, 1, 2, 3, 7, 16, 19}) {
    for (const int height : {0, 1, 2, 5, 9, 18}) {
      SCOPED_TRACE(testing::Message() << width << "x" << height);
      const GrayImage picture = random_picture(width, height, ++seed);
      Planes planes(width, height);
      integral_ref(picture.view(), planes.views());
      check_by_definition(picture.view(), planes);
      if (HasFatalFailure()) return;
    }
  }
}

// Computes the sum of a tilted rectangle from its four corners, and compares it with the sum of the
// rectangle's pixels. The rectangle extends `width` down to the right and `height` down to the left of its
// topmost corner.
TEST(Integral, TiltedRectangleFromItsCorners) {
  const GrayImage picture = random_picture(20, 20, 1);
  Planes planes(20, 20);
  integral_ref(picture.view(), planes.views());
  const int x = 9, y = 2, width = 4, height = 6;
  // A step along a side covers two diagonals of pixels.
  std::uint32_t wanted = 0;
  int pixels = 0;
  for (int py = 0; py < 20; ++py) {
    for (int px = 0; px < 20; ++px) {
      const int right = (px + py) - (x + y) + 1, left = (py - px) - (y - x);
      if (right < 0 || right >= 2 * width || left <= 0 || left > 2 * height) continue;
      wanted += picture.row(py)[px];
      ++pixels;
    }
  }
  EXPECT_EQ(pixels, 2 * width * height);
  const auto at = [&](int cx, int cy) { return planes.at(planes.tilted, cx, cy); };
  EXPECT_EQ(at(x, y) - at(x - height, y + height) - at(x + width, y + width) +
                at(x + width - height, y + width + height),
            wanted);
}

void compare_with_reference(int width, int height, unsigned seed, std::ptrdiff_t stride) {
  const GrayImage all = random_picture(static_cast<int>(stride), height, seed);
  const GrayView picture = {all.row(0), width, height, stride};
  Planes wanted(width, height), got(width, height);
  integral_ref(picture, wanted.views());
  integral_cpu(picture, got.views());
  ASSERT_EQ(got.sum, wanted.sum) << width << "x" << height << ", " << simd_target();
  ASSERT_EQ(got.square, wanted.square) << width << "x" << height << ", " << simd_target();
  ASSERT_EQ(got.tilted, wanted.tilted) << width << "x" << height << ", " << simd_target();
}

TEST(Integral, CpuEqualsTheReference) {
  const sample::GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    unsigned seed = 0;
    for (const int width : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 200, 641}) {
      for (const int height : {0, 1, 2, 3, 17, 70}) {
        ++seed;
        compare_with_reference(width, height, seed, width + 1 + static_cast<int>(seed % 4));
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Squared sums exceed 32 bits from 258 x 258 white pixels on. Both forms wrap such sums alike.
TEST(Integral, SumsWrapAlike) {
  const sample::GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    compare_with_reference(300, 300, 3, 300);
    if (HasFatalFailure()) return;
  }
}

TEST(Integral, PlanesThatAreNotAskedFor) {
  const sample::GiveTargetBack give_back;
  const GrayImage picture = random_picture(33, 12, 1);
  Planes wanted(33, 12);
  integral_ref(picture.view(), wanted.views());
  for (int mask = 0; mask < 8; ++mask) {
    for (const auto& integral : {integral_ref, integral_cpu}) {
      Planes got(33, 12);
      const std::vector<std::uint32_t> untouched = got.sum;
      IntegralPlanes asked = got.views();
      if ((mask & 1) == 0) asked.sum.data = nullptr;
      if ((mask & 2) == 0) asked.square.data = nullptr;
      if ((mask & 4) == 0) asked.tilted.data = nullptr;
      integral(picture.view(), asked);
      EXPECT_EQ(got.sum, (mask & 1) != 0 ? wanted.sum : untouched) << mask;
      EXPECT_EQ(got.square, (mask & 2) != 0 ? wanted.square : untouched) << mask;
      EXPECT_EQ(got.tilted, (mask & 4) != 0 ? wanted.tilted : untouched) << mask;
    }
  }
}

}  // namespace
}  // namespace winnow
