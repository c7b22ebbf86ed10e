#include <winnow/pack.h>

#include <nlohmann/json.hpp>

#include "train/samples/pack_for_test.h"

namespace winnow {
namespace {

using sample::Folder;
using sample::pixels;
using sample::texture;
using testing::ElementsAre;
using testing::HasSubstr;

class PackTest : public testing::Test {
 protected:
  PackTest() {
    for (int i = 0; i < 6; ++i)
      folder_.put("crops/" + std::to_string(i) + ".pgm", texture(24, 24, 10 + i).view());
    folder_.put("scenes/a.pgm", texture(60, 60, 3).view());
    options_.jitter.roll = 10;
  }
  Pack make() {
    notes_.clear();
    return make_pack({folder_ / "crops"}, {folder_ / "scenes"}, options_, sample::keep(notes_));
  }
  // The names of the pack's positives, without the folder.
  std::vector<std::string> names(const Pack& pack) {
    std::vector<std::string> all;
    for (const std::string& name : pack.names) all.push_back(name.substr((folder_ / "crops/").size()));
    return all;
  }

  Folder folder_;
  PackOptions options_;
  std::vector<std::string> notes_;
};

TEST_F(PackTest, HoldsPositivesInOrder) {
  const Pack pack = make();
  EXPECT_THAT(names(pack), ElementsAre("0.pgm", "1.pgm", "2.pgm", "3.pgm", "4.pgm", "5.pgm"));
  EXPECT_EQ(pixels(pack.positive(4)), pixels(texture(24, 24, 14).view()));
  EXPECT_EQ(pack.negatives.size(), 1u);
  EXPECT_TRUE(notes_.empty());
}

TEST_F(PackTest, MirrorsAndCopiesFollowTheirPositive) {
  options_.samples = 2;
  options_.mirror = true;
  options_.jitter.copies = 2;
  const Pack pack = make();
  EXPECT_THAT(names(pack),
              ElementsAre("0.pgm", "0.pgm mirrored", "0.pgm copy 1", "0.pgm copy 2", "0.pgm mirrored copy 1",
                          "0.pgm mirrored copy 2", "3.pgm", "3.pgm mirrored", "3.pgm copy 1", "3.pgm copy 2",
                          "3.pgm mirrored copy 1", "3.pgm mirrored copy 2"));
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 24; ++x) EXPECT_EQ(pack.positive(1).row(y)[x], pack.positive(0).row(y)[23 - x]);
  }
  EXPECT_NE(pixels(pack.positive(2)), pixels(pack.positive(3)));
  // The random changes of a copy depend on its positive, not on the choice of other positives.
  options_.samples = 0;
  const Pack all = make();
  EXPECT_EQ(all.names[20], pack.names[8]);
  EXPECT_EQ(pixels(all.positive(20)), pixels(pack.positive(8)));
  EXPECT_EQ(make().positives, all.positives);
  options_.seed = 9;
  EXPECT_NE(make().positives, all.positives);
}

// The channels of a positive, each as a grey picture.
std::vector<GrayImage> channels_of(const Pack& pack, std::size_t i) {
  std::vector<GrayImage> channels;
  for (std::uint8_t Rgb::*const channel : {&Rgb::r, &Rgb::g, &Rgb::b}) {
    GrayImage& image = channels.emplace_back(pack.window.width, pack.window.height);
    for (int y = 0; y < pack.window.height; ++y) {
      for (int x = 0; x < pack.window.width; ++x) image.row(y)[x] = pack.positive_color(i).row(y)[x].*channel;
    }
  }
  return channels;
}

// Each channel of a pack with colours has the pixels of a grey pack made from this channel alone. The pack
// with colours also has grey pixels.
TEST_F(PackTest, ColoursAreCutAsGrey) {
  options_.mirror = true;
  options_.jitter = {3, 10, 0.1, 0.05, 1, 0.5, 0.2, 0.3, 0.05};
  for (int i = 0; i < 3; ++i) {
    const RgbImage picture = sample::colored({40, 40}, 70 + static_cast<std::uint64_t>(i));
    const std::string name = std::to_string(i);
    write_picture(folder_ / ("colors/" + name + ".png"), picture.view());
    for (const int c : {0, 1, 2}) {
      GrayImage channel(40, 40);
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 40; ++x) {
          const Rgb pixel = picture.row(y)[x];
          channel.row(y)[x] = c == 0 ? pixel.r : c == 1 ? pixel.g : pixel.b;
        }
      }
      folder_.put("channel" + std::to_string(c) + "/" + name + ".png", channel.view());
    }
  }
  const auto packed = [&](const std::string& folder) { return make_pack({folder_ / folder}, {}, options_); };
  const Pack gray = packed("colors");
  options_.color = true;
  const Pack color = packed("colors");
  EXPECT_EQ(color.positives, gray.positives);
  EXPECT_EQ(color.names, gray.names);
  for (const int quality : {84, 30}) {
    options_.encode = quality;
    options_.color = false;
    const Pack again = packed("colors");
    EXPECT_NE(again.positives, gray.positives);
    options_.color = true;
    EXPECT_EQ(packed("colors").positives, again.positives);
  }
  options_.encode = 0;
  EXPECT_FALSE(gray.color);
  EXPECT_TRUE(gray.colors.empty());
  ASSERT_TRUE(color.color);
  options_.color = false;
  ASSERT_EQ(color.positive_count(), 24u);
  for (std::size_t c = 0; c < 3; ++c) {
    const Pack channel = packed("channel" + std::to_string(c));
    for (std::size_t i = 0; i < color.positive_count(); ++i)
      EXPECT_EQ(pixels(channels_of(color, i)[c].view()), pixels(channel.positive(i))) << c << ' ' << i;
  }
}

TEST_F(PackTest, PositivesThatDifferInColourOnlyAreKept) {
  RgbImage color(24, 24), other(24, 24);
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 24; ++x) {
      // `other` has more green and less blue, which gives the same grey.
      color.row(y)[x] = {static_cast<std::uint8_t>(3 * x + y), 100, 100};
      other.row(y)[x] = {static_cast<std::uint8_t>(3 * x + y), 107, 64};
    }
  }
  ASSERT_EQ(pixels(to_gray(color.view()).view()), pixels(to_gray(other.view()).view()));
  write_picture(folder_ / "two/a.png", color.view());
  write_picture(folder_ / "two/b.png", other.view());
  write_picture(folder_ / "two/c.png", other.view());
  EXPECT_EQ(make_pack({folder_ / "two"}, {}, options_).positive_count(), 1u);
  options_.color = true;
  const Pack pack = make_pack({folder_ / "two"}, {}, options_);
  EXPECT_EQ(pack.positive_count(), 2u);
  EXPECT_EQ(pixels(pack.positive_color(1)), pixels(other.view()));
}

TEST_F(PackTest, PicturesOfPositivesAreEncodedAgain) {
  const RgbImage picture = sample::colored({40, 44}, 5);
  write_picture(folder_ / "colors/a.png", picture.view());
  options_.crop = {8, 9, 24, 24};
  options_.color = true;
  options_.encode = 60;
  const Pack pack = make_pack({folder_ / "colors"}, {}, options_);
  const Picture again = encode_again({to_gray(picture.view()).view(), picture.view()}, 60);
  EXPECT_EQ(pixels(pack.positive_color(0)), pixels(again.color.view().crop({8, 9, 24, 24})));
  EXPECT_EQ(pixels(pack.positive(0)), pixels(again.gray.view().crop({8, 9, 24, 24})));
  EXPECT_NE(pixels(pack.positive_color(0)), pixels(picture.view().crop({8, 9, 24, 24})));
  const auto recipe = nlohmann::json::parse(pack.recipe);
  EXPECT_EQ(recipe["options"]["encode"], 60);
  EXPECT_EQ(recipe["options"]["color"], true);
  const std::string vec = folder_.put("a.vec", sample::vec_of({std::vector<int>(24 * 24, 5)}));
  EXPECT_THAT(error_of([&] { make_pack({vec}, {}, options_); }).what(), HasSubstr("cannot be encoded again"));
  options_.warps = 3;
  EXPECT_THAT(error_of([&] { make_pack({folder_ / "colors/a.png"}, {folder_ / "scenes"}, options_); }).what(),
              HasSubstr("warps are grey"));
  options_.encode = 101;
  EXPECT_THAT(error_of([&] { make_pack({folder_ / "colors"}, {}, options_); }).what(), HasSubstr("quality"));
}

TEST_F(PackTest, SamplesAreTakenEvenly) {
  options_.samples = 3;
  EXPECT_THAT(names(make()), ElementsAre("0.pgm", "2.pgm", "4.pgm"));
  options_.samples = 5;
  EXPECT_THAT(names(make()), ElementsAre("0.pgm", "1.pgm", "2.pgm", "3.pgm", "4.pgm"));
  options_.samples = 50;
  EXPECT_EQ(make().positive_count(), 6u);
}

TEST_F(PackTest, EqualPositivesAreKeptOnce) {
  folder_.put("crops/7.png", texture(24, 24, 12).view());
  EXPECT_EQ(make().positive_count(), 6u);
  EXPECT_THAT(notes_, ElementsAre("1 positive is equal to another one and left out"));
  options_.jitter = {2, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(make().positive_count(), 6u);
  EXPECT_THAT(notes_, ElementsAre("13 positives are equal to another one and left out"));
}

TEST_F(PackTest, CopiesAreCutFromTheWholePicture) {
  // The pixels directly beside the box are bright, and a moved copy shows some of these pixels. A copy cut
  // from the box alone would show only dark pixels.
  GrayImage picture(100, 100);
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) picture.row(y)[x] = x < 40 || x >= 64 ? 250 : 20;
  }
  folder_.put("a.pgm", picture.view());
  options_.jitter = {20, 0, 0, 0.2, 0, 0, 0, 0};
  const Pack pack =
      make_pack({folder_.put("info.dat", "a.pgm 1 40 40 24 24\n")}, {folder_ / "scenes"}, options_);
  EXPECT_GT(pack.positive_count(), 15u);
  for (std::size_t i = 1; i < pack.positive_count(); ++i) {
    const auto all = pixels(pack.positive(i));
    EXPECT_GT(*std::max_element(all.begin(), all.end()), 30);
  }
}

TEST_F(PackTest, ACropOfEachNegative) {
  options_.negative_crop = {10, 4, 40, 30};
  const GrayImage scene = texture(90, 80, 5), low = texture(90, 33, 6);
  folder_.put("parts/a.png", scene.view());
  folder_.put("parts/b.png", low.view());
  const Pack pack = make_pack({}, {folder_ / "parts"}, options_, sample::keep(notes_));
  ASSERT_EQ(pack.negatives.size(), 1u);
  EXPECT_EQ(pack.negatives[0].size, (Size{40, 30}));
  EXPECT_EQ(pixels(decode_picture(pack.negatives[0].file).gray.view()),
            pixels(scene.view().crop({10, 4, 40, 30})));
  EXPECT_THAT(notes_,
              ElementsAre(folder_ / "parts/b.png is too small for the part that is taken of negatives"));
  EXPECT_EQ(nlohmann::json::parse(pack.recipe)["options"]["negative_crop"],
            (std::vector<int>{10, 4, 40, 30}));
}

TEST_F(PackTest, SeveralSources) {
  std::vector<int> sample(576, 7);
  const std::string vec = folder_.put("p.vec", sample::vec_of({sample}));
  const std::string logo = folder_.put("logo.png", texture(50, 50, 77).view());
  options_.warps = 3;
  const Pack pack = make_pack({vec, logo, folder_ / "crops"}, {folder_ / "scenes", logo}, options_);
  EXPECT_EQ(pack.positive_count(), 10u);
  EXPECT_EQ(pack.negatives.size(), 2u);
  const auto recipe = nlohmann::json::parse(pack.recipe);
  EXPECT_EQ(recipe["positives"][0]["kind"], "vec");
  EXPECT_EQ(recipe["positives"][1]["kind"], "warps");
  EXPECT_EQ(recipe["positives"][2]["source"], folder_ / "crops");
  EXPECT_EQ(recipe["positives"][2]["taken"], 6);
  EXPECT_EQ(recipe["counts"]["positives"], 10);
  EXPECT_EQ(recipe["options"]["warps"]["count"], 3);
}

TEST_F(PackTest, WrongCallsSayWhy) {
  const auto wrong = [&](const char* sentence) {
    const Error error = error_of([&] { make(); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_EQ(error.sentence(), sentence);
    options_ = {};
  };
  options_.window = {3, 24};
  wrong("the sides of the window must be from 4 to 256");
  options_.samples = -1;
  wrong("the number of samples must not be negative");
  options_.margin = 0;
  wrong("the margin must be from 0.01 to 100");
  options_.eye_span = 0;
  wrong("the eye span must be from 0.5 to 100");
  options_.eye_line = 1.5;
  wrong("the eye line must be from 0 to 1");
  options_.crop = {-1, 0, 5, 5};
  wrong("the part of crops must begin inside them and not be empty");
  options_.negative_crop = {0, 0, 40, 23};
  wrong("the part of negatives must begin inside them and not be smaller than the window");
  options_.negative_crop = {2147483600, 0, 40, 40};
  wrong("the part of negatives must begin inside them and not be smaller than the window");
  options_.eyes = "0-1";
  wrong("the eyes are two lists of points such as 0/1 or 36-41/42-47, not '0-1'");
  options_.window = {128, 128};
  wrong("there is no negative picture to be used");
  options_.window = {50, 50};
  wrong("there is no positive to be used");
  EXPECT_EQ(error_of([&] { make_pack({}, {}, {}); }).sentence(), "a pack needs positives or negatives");
}

}  // namespace
}  // namespace winnow
