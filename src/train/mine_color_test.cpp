// Checks mining in colour, with pictures whose grey value is the same everywhere.
#include <gtest/gtest.h>

#include <algorithm>

#include <winnow/hog.h>

#include "image/files/encode.h"
#include "image/gray_rule.h"
#include "image/texture_for_test.h"
#include "learn/samples_for_test.h"
#include "model/hog_model.h"
#include "train/mine.h"

namespace winnow {
namespace {

const auto kGoOn = [](const Mined&) { return true; };
constexpr Size kWindow{24, 24};

// A picture whose red and green change, while its grey is 128 everywhere.
RgbImage even_gray(Size size, unsigned seed) {
  const GrayImage noise = sample::make_noise(size, seed);
  RgbImage picture(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      Rgb pixel{static_cast<std::uint8_t>(90 + noise.row(y)[x] / 3), 255, 128};
      while (gray_of(pixel) > 128) --pixel.g;
      EXPECT_EQ(gray_of(pixel), 128);
      picture.row(y)[x] = pixel;
    }
  }
  return picture;
}

Pack colored_pack(const std::vector<RgbImage>& pictures) {
  Pack pack;
  pack.window = kWindow;
  pack.color = true;
  for (const RgbImage& picture : pictures)
    pack.negatives.push_back({"a", picture.size(), encode_png(picture.view())});
  return pack;
}

// Passes windows that have gradients.
HogSvm edges() {
  HogSvmModel model;
  model.shape.window = kWindow;
  model.weights.assign(model.shape.values(), 0.01F);
  model.bias = -0.1;
  return HogSvm(std::move(model));
}

MineTask task_of(bool color, bool gray_too) {
  MineTask task;
  task.window = kWindow;
  task.kind = kHogSvmKind;
  task.rules = HogSvmBody::rules_of(edges().model().shape);
  task.min_score = 0;
  task.needs_contrast = false;
  task.color = color;
  task.gray_too = gray_too;
  return task;
}

TEST(MineColor, SearchesAndKeepsColours) {
  std::vector<RgbImage> pictures;
  for (unsigned i = 0; i < 4; ++i) pictures.push_back(even_gray({60, 50}, i));
  const Pack pack = colored_pack(pictures);
  const auto mine = [&](const MineTask& task) {
    Miner miner(pack, task, {BackendKind::kCpu, 2}, 1);
    Mined mined;
    miner.mine(edges(), 1000, {}, kGoOn, mined);
    return mined;
  };
  EXPECT_TRUE(mine(task_of(false, false)).places.empty()) << "the grey is even";
  const Mined mined = mine(task_of(true, false));
  ASSERT_GT(mined.places.size(), 100u);
  ASSERT_EQ(mined.pixels.size(), mined.places.size() * 24 * 24 * 3);
  LevelPlan plan;
  plan_levels({{60, 50}, kWindow, 1.1, {}, {}, task_of(true, false).rules}, plan);
  int whole = 0;
  for (std::size_t i = 0; i < mined.places.size(); ++i) {
    const WindowPlace place = place_window(plan, mined.places[i].window);
    if (place.level != 0 || mined.places[i].flips != 0) continue;
    ++whole;
    const auto from = mined.pixels.begin() + static_cast<std::ptrdiff_t>(i * 24 * 24 * 3);
    EXPECT_EQ(std::vector<std::uint8_t>(from, from + 24 * 24 * 3),
              sample::pixels(pictures[mined.places[i].picture].view().crop({place.x, place.y, 24, 24})));
  }
  EXPECT_GT(whole, 10);
}

// Each picture is searched in colour in two of its four flips, however many pictures there are.
TEST(MineColor, SearchesEveryPictureInGreyToo) {
  for (const unsigned count : {1u, 3u, 4u}) {
    std::vector<RgbImage> pictures;
    for (unsigned i = 0; i < count; ++i) pictures.push_back(even_gray({60, 50}, i));
    const Pack pack = colored_pack(pictures);
    Miner miner(pack, task_of(true, true), {BackendKind::kCpu, 2}, 1);
    Mined mined;
    miner.mine(edges(), 1000, {}, kGoOn, mined);
    for (std::uint32_t picture = 0; picture < count; ++picture) {
      std::set<std::uint32_t> flips;
      for (const MinedPlace& found : mined.places) {
        if (found.picture == picture) flips.insert(found.flips);
      }
      EXPECT_EQ(flips.size(), 2u) << picture << " of " << count;
    }
  }
}

}  // namespace
}  // namespace winnow
