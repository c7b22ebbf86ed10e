#include "train/samples/vec_file.h"

#include "train/samples/pack_for_test.h"

namespace winnow {
namespace {

std::span<const std::byte> bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

TEST(VecFile, IsRead) {
  const std::string file = sample::vec_of({{1, 2, 3, 4, 5, 6}, {255, 0, 128, 9, 8, 7}});
  EXPECT_TRUE(is_probably_vec(bytes(file)));
  const auto images = read_vec(bytes(file), {3, 2});
  ASSERT_EQ(images.size(), 2u);
  EXPECT_THAT(sample::pixels(images[0].view()), testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(sample::pixels(images[1].view()), testing::ElementsAre(255, 0, 128, 9, 8, 7));
}

TEST(VecFile, WrongOnesSayWhy) {
  const std::string good = sample::vec_of({{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}});
  EXPECT_EQ(error_of([&] {
              read_vec(bytes(good), {24, 24});
            }).sentence(),
            "holds 2 samples of 6 values, and the window 24x24 has 576 pixels");
  const std::string shorter = good.substr(0, good.size() - 1);
  EXPECT_FALSE(is_probably_vec(bytes(shorter)));
  EXPECT_EQ(error_of([&] {
              read_vec(bytes(shorter), {3, 2});
            }).sentence(),
            "should have 38 bytes to hold 2 samples of 6 values, not 37");
  EXPECT_EQ(error_of([&] { read_vec(bytes(good + "x"), {3, 2}); }).code(), ErrorCode::kFormat);
  const std::string wide = sample::vec_of({{1, 2, 300}});
  EXPECT_EQ(error_of([&] {
              read_vec(bytes(wide), {3, 1});
            }).what(),
            std::string("byte 17: holds a value that is not from 0 to 255"));
  for (const std::string& junk : {std::string(), std::string("abc"), std::string(12, '\0'),
                                  std::string(12, '\xFF'), std::string(64, 'a')}) {
    EXPECT_FALSE(is_probably_vec(bytes(junk)));
    EXPECT_THROW(read_vec(bytes(junk), {3, 2}), Error);
  }
}

}  // namespace
}  // namespace winnow
