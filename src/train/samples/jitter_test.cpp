#include "train/samples/jitter.h"

#include <algorithm>
#include <cmath>

#include "train/samples/pack_for_test.h"

namespace winnow {
namespace {

using sample::pixels;
using sample::texture;

constexpr Size kWindow{24, 20};

std::vector<std::uint8_t> jittered(const Jitter& jitter, std::uint64_t seed, std::uint64_t positive,
                                   std::uint64_t copy) {
  const GrayImage picture = texture(100, 100);
  GrayImage window(kWindow.width, kWindow.height);
  sample_jittered(picture.view(), place_box({30, 30, 48, 40}, kWindow), jitter, seed, positive, copy,
                  window.view());
  return pixels(window.view());
}

TEST(Jitter, DependsOnSeedPositiveAndCopyOnly) {
  Jitter jitter;
  jitter.blur = 1, jitter.gamma = 0.3, jitter.gradient = 0.3, jitter.noise = 0.02;
  EXPECT_EQ(jittered(jitter, 1, 2, 3), jittered(jitter, 1, 2, 3));
  EXPECT_NE(jittered(jitter, 1, 2, 3), jittered(jitter, 2, 2, 3));
  EXPECT_NE(jittered(jitter, 1, 2, 3), jittered(jitter, 1, 3, 3));
  EXPECT_NE(jittered(jitter, 1, 2, 3), jittered(jitter, 1, 2, 4));
}

TEST(Jitter, MovesStayInBoundsAndReachThem) {
  Jitter jitter;
  jitter.roll = 10, jitter.scale = 0.1, jitter.shift = 0.05;
  double roll = 0, scale = 0, across = 0, down = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Random random(7, i);
    const Affine move = draw_move(jitter, kWindow, random);
    const Point middle = move.at(12, 10);
    roll = std::max(roll, std::abs(std::atan2(move.yx, move.xx) * 180 / 3.141592653589793));
    scale = std::max(scale, std::abs(std::hypot(move.xx, move.yx) - 1));
    across = std::max(across, std::abs(middle.x - 12) / 24);
    down = std::max(down, std::abs(middle.y - 10) / 20);
  }
  EXPECT_LE(roll, 10 + 1e-9);
  EXPECT_GT(roll, 9.9);
  EXPECT_LE(scale, 0.1 + 1e-9);
  EXPECT_GT(scale, 0.099);
  EXPECT_LE(across, 0.05 + 1e-9);
  EXPECT_GT(across, 0.0495);
  EXPECT_LE(down, 0.05 + 1e-9);
  EXPECT_GT(down, 0.0495);
}

TEST(Jitter, OfNothingIsThePositive) {
  Jitter jitter;
  jitter.roll = jitter.scale = jitter.shift = 0;
  const GrayImage picture = texture(100, 100);
  GrayImage window(kWindow.width, kWindow.height);
  sample_affine(picture.view(), place_box({30, 30, 48, 40}, kWindow), window.view());
  EXPECT_EQ(jittered(jitter, 1, 2, 3), pixels(window.view()));
}

// Returns a window after `change_light` whose pixels all had the value `grey` before.
std::vector<std::uint8_t> lit(const Jitter& jitter, std::uint64_t seed, std::uint8_t grey) {
  GrayImage window(kWindow.width, kWindow.height);
  std::fill_n(window.row(0), 24 * 20, grey);
  Random random(seed);
  change_light(jitter, window.view(), random);
  return pixels(window.view());
}

TEST(Jitter, LightStaysInBounds) {
  Jitter gradient, gamma, noise, blurred;
  gradient.gradient = 0.2, gamma.gamma = 1, noise.noise = 0.05, blurred.blur = 2;
  int most = 0, darkest = 255, brightest = 0;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto slope = lit(gradient, seed, 100);
    const auto [low, high] = std::minmax_element(slope.begin(), slope.end());
    most = std::max(most, *high - *low);
    const int level = lit(gamma, seed, 64)[0];
    darkest = std::min(darkest, level), brightest = std::max(brightest, level);
    for (const int pixel : lit(noise, seed, 128)) squares += (pixel - 128) * (pixel - 128);
    for (const int pixel : lit(blurred, seed, 77)) EXPECT_EQ(pixel, 77);
  }
  EXPECT_LE(most, 73);  // 0.2 * 255 times the length of the diagonal, sqrt(2)
  EXPECT_GT(most, 45);
  EXPECT_NEAR(darkest, 16, 1);  // 255 * (64 / 255)^2
  EXPECT_NEAR(brightest, 128, 1);
  EXPECT_NEAR(std::sqrt(squares / (300 * 480)), 0.05 * 255, 0.2);
}

TEST(Jitter, ShadeTakesLightFromOneSide) {
  Jitter jitter;
  jitter.shade = 0.8;
  int darkest = 255, brightest = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto shaded = lit(jitter, seed, 200);
    const auto [low, high] = std::minmax_element(shaded.begin(), shaded.end());
    darkest = std::min(darkest, int{*low}), brightest = std::max(brightest, int{*high});
    EXPECT_GE(*high, 190);  // the bright side loses almost nothing
  }
  EXPECT_LE(brightest, 200);
  EXPECT_GE(darkest, 40);  // a fifth of the light is left
  EXPECT_LE(darkest, 50);
}

TEST(Jitter, BlurIsABellOfTheGivenWidth) {
  // The blur spreads a bright line by the drawn standard deviation, which is at most `jitter.blur`.
  Jitter jitter;
  jitter.blur = 2;
  double widest = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    GrayImage window(41, 9);
    for (int y = 0; y < 9; ++y) window.row(y)[20] = 255;
    Random random(seed);
    change_light(jitter, window.view(), random);
    double sum = 0, squares = 0;
    for (int x = 0; x < 41; ++x) {
      sum += window.row(4)[x];
      squares += window.row(4)[x] * (x - 20.0) * (x - 20.0);
    }
    widest = std::max(widest, std::sqrt(squares / sum));
  }
  EXPECT_NEAR(widest, 2, 0.1);
}

TEST(Jitter, BoundsThatMakeNoSenseAreRefused) {
  for (double Jitter::*bound : {&Jitter::roll, &Jitter::scale, &Jitter::shift, &Jitter::blur, &Jitter::gamma,
                                &Jitter::gradient, &Jitter::shade, &Jitter::noise}) {
    for (const double value : {-0.1, 1e9, std::nan("")}) {
      Jitter jitter;
      jitter.*bound = value;
      const Error error = error_of([&] { check_jitter(jitter, kWindow); });
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_THAT(error.sentence(), testing::HasSubstr("must be from 0 to "));
    }
  }
  Jitter roll;
  roll.roll = 200;
  EXPECT_EQ(error_of([&] { check_jitter(roll, kWindow); }).sentence(),
            "the roll of copies must be from 0 to 180");
}

}  // namespace
}  // namespace winnow
