// Tests `SceneCuts`: which changes of a video are cuts.
#include "track/cover/scene_cuts.h"

#include <gtest/gtest.h>

#include <functional>
#include <tuple>
#include <vector>

namespace winnow {
namespace {

// A scene of large, smooth shapes. Scenes with other numbers are not alike.
GrayImage scene(int number, int width = 64, int height = 48, int shift = 0, double light = 1) {
  GrayImage image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int column = (x + shift) * 16 / width, row = y * 12 / height;
      image.row(y)[x] = static_cast<std::uint8_t>(light * ((column * 7 + row * 13 + number * 91) * 37 % 200));
    }
  return image;
}

// The cuts of a video. `at` gives the frame with a number.
std::vector<std::int64_t> cuts_of(int frames, const std::function<GrayImage(int)>& at, int needed = 10) {
  SceneCuts cuts(needed);
  std::vector<std::int64_t> found;
  for (int number = 0; number < frames; ++number) {
    const GrayImage frame = at(number);
    if (const auto cut = cuts.add(frame.view())) found.push_back(*cut);
  }
  return found;
}

using Frames = std::vector<std::int64_t>;

TEST(SceneCuts, ANewSceneIsACutOnceItsFramesCame) {
  const auto two = [](int number) { return scene(number < 20 ? 1 : 2); };
  EXPECT_EQ(cuts_of(29, two), Frames{});
  EXPECT_EQ(cuts_of(30, two), Frames{20});
  EXPECT_EQ(cuts_of(21, two, 1), Frames{20});
  EXPECT_EQ(cuts_of(80, [](int number) { return scene(number / 15); }), (Frames{15, 30, 45, 60}));
}

TEST(SceneCuts, AFlashOrAHandIsNoCut) {
  for (const int frames : {1, 9, 10}) {
    const auto shown = [&](int number) { return scene(number >= 20 && number < 20 + frames ? 2 : 1); };
    EXPECT_EQ(cuts_of(60, shown), frames < 10 ? Frames{} : (Frames{20, 30})) << frames;
  }
}

TEST(SceneCuts, LightAndMotionAreNoCuts) {
  EXPECT_EQ(cuts_of(60, [](int number) { return scene(1, 64, 48, 0, number < 20 ? 1 : 0.3); }), Frames{});
  EXPECT_EQ(cuts_of(60, [](int number) { return scene(1, 640, 480, number); }), Frames{});
}

TEST(SceneCuts, FlatSmallAndEmptyFramesAreNoCuts) {
  const auto flat = [](int number) {
    GrayImage image = scene(number < 20 ? 1 : 2, 64, 48, 0, number < 20 ? 1 : 0.03);
    return image;
  };
  EXPECT_EQ(cuts_of(60, flat), Frames{});
  EXPECT_EQ(cuts_of(60, [](int number) { return scene(number / 20, 15, 48); }), Frames{});
  EXPECT_EQ(cuts_of(60, [](int number) { return scene(number / 20, 64, 11); }), Frames{});
  EXPECT_EQ(cuts_of(60, [](int number) { return number < 20 ? scene(1) : GrayImage(); }), Frames{});
  EXPECT_EQ(cuts_of(60, [](int number) { return number < 20 ? scene(1) : scene(2, 67, 51); }), Frames{20});
}

}  // namespace
}  // namespace winnow
