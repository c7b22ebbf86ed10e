// Tests looks: brightness and contrast do not matter, and boxes beyond the picture are no error.
#include "track/follow/look.h"

#include <gtest/gtest.h>

#include <random>

namespace winnow {
namespace {

GrayImage noise(unsigned seed, int gain, int offset) {
  std::mt19937 random(seed);
  GrayImage image(90, 70);
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 90; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>(static_cast<int>(random() % 100) * gain / 2 + offset);
  return image;
}

TEST(Look, BrightnessAndContrastDoNotMatter) {
  const RealBox box{10, 5, 50, 50};
  const Look a = look_at(noise(1, 2, 0).view(), box), b = look_at(noise(1, 1, 90).view(), box),
             other = look_at(noise(2, 2, 0).view(), box);
  EXPECT_NEAR(likeness_of(a, a), 1, 1e-12);
  EXPECT_GT(likeness_of(a, b), 0.99);
  EXPECT_LT(std::abs(likeness_of(a, other)), 0.2);
}

TEST(Look, AnInvertedLookIsUnlike) {
  GrayImage image = noise(1, 2, 0), inverted = noise(1, 2, 0);
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 90; ++x) inverted.row(y)[x] = static_cast<std::uint8_t>(255 - inverted.row(y)[x]);
  const RealBox box{10, 5, 50, 50};
  EXPECT_LT(likeness_of(look_at(image.view(), box), look_at(inverted.view(), box)), -0.99);
}

TEST(Look, OneGreyIsLikeNothing) {
  const GrayImage flat(90, 70);
  const Look look = look_at(flat.view(), {0, 0, 20, 20});
  EXPECT_EQ(likeness_of(look, look), 0);
  EXPECT_EQ(likeness_of(look_at({}, {0, 0, 20, 20}), look), 0);
}

TEST(Look, BoxesMayReachBeyondThePicture) {
  const GrayImage image = noise(3, 2, 0);
  for (const RealBox& box :
       {RealBox{-30, -30, 60, 60}, {80, 60, 50, 50}, {500, 500, 10, 10}, {-1e9, 0, 1, 1e9}})
    look_at(image.view(), box);
}

TEST(Look, ALookAroundKnowsABoxThatIsPlacedALittleBeside) {
  const GrayImage image = noise(4, 2, 0);
  const std::vector<Look> object = {look_at(image.view(), {20, 10, 50, 50})};
  std::vector<Look> around;
  for (const RealBox& box :
       {RealBox{20, 10, 50, 50}, {22, 10, 50, 50}, {18, 12, 50, 50}, {18.5, 8.5, 53, 53}}) {
    looks_around(image.view(), box, around);
    EXPECT_GT(likeness_of(object, around), 0.9) << box.x << "," << box.y << "," << box.width;
  }
  EXPECT_EQ(likeness_of(object, {}), -1);
}

}  // namespace
}  // namespace winnow
