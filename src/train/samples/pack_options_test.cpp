#include "train/samples/pack_options.h"

#include "train/samples/pack_for_test.h"

namespace winnow {
namespace {

PackOptions warped(int warps) {
  PackOptions options;
  options.warps = warps;
  return options;
}

TEST(PackOptions, WarpsThatMakeNoSenseAreRefused) {
  PackOptions options;
  EXPECT_NO_THROW(check_pack_options(options));
  options.warp_x = 1.5;
  EXPECT_EQ(error_of([&] { check_pack_options(options); }).sentence(),
            "a warp turns by 0 to 1.4 about x and y");
  options = {};
  options.background = 256;
  EXPECT_EQ(error_of([&] { check_pack_options(options); }).code(), ErrorCode::kUsage);
  for (const int warps : {-1, 4'000'001}) {
    EXPECT_EQ(error_of([&] { check_pack_options(warped(warps)); }).sentence(),
              "the number of warps must be from 0 to 4000000");
  }
  EXPECT_NO_THROW(check_pack_options(warped(4'000'000)));
}

TEST(PackOptions, EncodingHasAQuality) {
  PackOptions options;
  for (const int quality : {0, 1, 100}) {
    options.encode = quality;
    EXPECT_NO_THROW(check_pack_options(options));
  }
  for (const int quality : {-1, 101}) {
    options.encode = quality;
    EXPECT_EQ(error_of([&] { check_pack_options(options); }).sentence(),
              "the quality of encoding must be from 1 to 100, or 0 for none");
  }
}

TEST(PackOptions, WarpsHaveTheBoundsOfThePack) {
  PackOptions options;
  options.warp_x = 0.1, options.warp_y = 0.2, options.warp_z = 0.3;
  options.warp_intensity = 4, options.background = 5, options.background_tolerance = 6;
  const WarpBounds bounds = warp_bounds(options);
  EXPECT_EQ(bounds.x, 0.1);
  EXPECT_EQ(bounds.y, 0.2);
  EXPECT_EQ(bounds.z, 0.3);
  EXPECT_EQ(bounds.intensity, 4);
  EXPECT_EQ(bounds.background, 5);
  EXPECT_EQ(bounds.background_tolerance, 6);
}

}  // namespace
}  // namespace winnow
