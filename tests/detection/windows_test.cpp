// Tests searches whose windows lie outside of the picture, have a step for each direction, or lie at
// locations of the caller.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/hog.h>

#include "image/texture_for_test.h"
#include "model/hog_models_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

using sample::expect_same;
using sample::random_hog;
using sample::square_finder;
using sample::texture;

const HogShape kSmall{{32, 48}, {16, 16}, {8, 8}, {8, 8}};

HogSvm small_model() { return HogSvm(random_hog(kSmall, 21)); }

DetectOptions every_window() {
  DetectOptions options;
  options.min_neighbors = 0;
  options.min_score = -1e6;
  options.clip = false;
  options.max_levels = 1;
  return options;
}

TEST(Windows, PaddingAndTwoStepsLayTheGrid) {
  const GrayImage picture = texture(60, 70, 1);
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    Detector detector(small_model(), {backend, 2});
    DetectOptions options = every_window();
    options.padding = {10, 3};
    options.step = {8, 5};
    const Detections found = detector.detect(picture.view(), options);
    std::vector<Box> wanted;
    for (int y = -3; y + 48 <= 73; y += 5)
      for (int x = -10; x + 32 <= 70; x += 8) wanted.push_back({x, y, 32, 48});
    ASSERT_EQ(found.objects.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(found.objects[i].box, wanted[i]);
    EXPECT_EQ(found.counters.windows, std::ssize(wanted));
    options.clip = true;
    const Detections clipped = detector.detect(picture.view(), options);
    ASSERT_EQ(clipped.objects.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_EQ(clipped.objects[i].box, clip(wanted[i], picture.size()));
  }
}

TEST(Windows, LocationsAreJudgedInTheirOrder) {
  const GrayImage picture = texture(90, 80, 2);
  Detector reference(small_model(), {BackendKind::kReference, 1}), cpu(small_model(), {BackendKind::kCpu, 2});
  DetectOptions options = every_window();
  options.step = {1, 1};
  const Detections all = cpu.detect(picture.view(), options);
  const int columns = 90 - 32 + 1;
  options.locations = {{5, 30}, {0, 0}, {58, 32}, {5, 30}, {17, 9}};
  const Detections some = cpu.detect(picture.view(), options);
  expect_same(reference.detect(picture.view(), options), some);
  ASSERT_EQ(some.objects.size(), options.locations.size());
  for (std::size_t i = 0; i < some.objects.size(); ++i) {
    const PixelPoint at = options.locations[i];
    EXPECT_EQ(some.objects[i], all.objects[static_cast<std::size_t>(at.y * columns + at.x)]) << i;
  }
  // More locations than the 64 shares into which the backend `cpu` divides a search.
  options.locations.clear();
  for (int i = 0; i < 1000; ++i) options.locations.push_back({i % 59, i * 7 % 33});
  const Detections many = cpu.detect(picture.view(), options);
  ASSERT_EQ(many.objects.size(), 1000u);
  for (std::size_t i = 0; i < 1000; ++i) {
    const PixelPoint at = options.locations[i];
    EXPECT_EQ(many.objects[i], all.objects[static_cast<std::size_t>(at.y * columns + at.x)]) << i;
  }
}

TEST(Windows, PaddingMakesRoomInASmallPicture) {
  const GrayImage picture = texture(20, 30, 3);
  Detector reference(small_model(), {BackendKind::kReference, 1}), cpu(small_model(), {BackendKind::kCpu, 1});
  DetectOptions options = every_window();
  EXPECT_TRUE(cpu.detect(picture.view(), options).objects.empty());
  options.padding = {6, 9};
  const Detections found = cpu.detect(picture.view(), options);
  ASSERT_EQ(found.objects.size(), 1u);
  EXPECT_EQ(found.objects[0].box, (Box{-6, -9, 32, 48}));
  expect_same(reference.detect(picture.view(), options), found);
}

TEST(Windows, LevelsAreCountedFromTheLargestPicture) {
  const GrayImage picture = texture(200, 200, 3);
  Detector cpu(small_model(), {BackendKind::kCpu, 1});
  DetectOptions options = every_window();
  std::int64_t before = 0;
  for (const int levels : {1, 2, 3}) {
    options.max_levels = levels;
    const std::int64_t windows = cpu.detect(picture.view(), options).counters.windows;
    EXPECT_GT(windows, before);
    before = windows;
  }
  options.max_levels = 100;
  options.scale_factor = 1.01;
  EXPECT_EQ(cpu.detect(picture.view(), options).objects.back().box.width, 86);  // 32 x 1.01^99
  options.max_levels = 0;
  EXPECT_EQ(cpu.detect(picture.view(), options).objects.back().box.width, 60);  // 32 x 1.01^63
}

// A search in a region gives the objects of a crop, moved back into the picture, in every kind of call.
TEST(Windows, ARegionIsACropMovedBack) {
  const std::vector<GrayImage> scenes = sample::scenes(5, {180, 140});
  const std::vector<GrayView> all = sample::views(scenes);
  for (const bool gradients : {false, true}) {
    const DetectorModel model = gradients ? DetectorModel(small_model()) : square_finder();
    for (const Box& region : {Box{7, 11, 150, 120}, Box{-20, -5, 150, 500}, Box{50, 40, 1000, 1000}}) {
      const Box inside = clip(region, Size{180, 140});
      for (const double border : {0.0, 0.2}) {
        DetectOptions options;
        options.min_neighbors = 1;
        options.border = border;
        if (gradients) options.min_score = -2;
        DetectOptions in_region = options;
        in_region.region = region;
        std::size_t objects = 0;
        for (const MachineOptions& machine :
             {MachineOptions{BackendKind::kReference, 1}, MachineOptions{BackendKind::kCpu, 1},
              MachineOptions{BackendKind::kCpu, 3}}) {
          Detector detector(model, machine);
          std::vector<Detections> found;
          detector.detect(all, in_region, found);
          ASSERT_EQ(found.size(), all.size());
          for (std::size_t i = 0; i < all.size(); ++i) {
            Detections wanted = detector.detect(all[i].crop(inside), options);
            for (Detection& object : wanted.objects) object.box.x += inside.x, object.box.y += inside.y;
            wanted.picture = {180, 140};
            expect_same(wanted, found[i]);
            expect_same(wanted, detector.detect(all[i], in_region));
            detector.enqueue(all[i], in_region);
            expect_same(wanted, detector.collect());
            objects += wanted.objects.size();
          }
        }
        EXPECT_GT(objects, 0u) << gradients << ", " << border;
      }
    }
  }
}

TEST(Windows, LocationsInARegionCountFromThePicturesCorner) {
  const GrayImage picture = texture(90, 80, 2);
  Detector detector(small_model(), {BackendKind::kCpu, 1});
  DetectOptions options = every_window();
  options.locations = {{12, 20}, {30, 21}};
  options.region = {12, 20, 60, 52};
  const Detections found = detector.detect(picture.view(), options);
  ASSERT_EQ(found.objects.size(), 2u);
  EXPECT_EQ(found.objects[0].box, (Box{12, 20, 32, 48}));
  EXPECT_EQ(found.objects[1].box, (Box{30, 21, 32, 48}));
  // A picture that is too large for a search is allowed if its region is small enough.
  const GrayImage long_one = texture(70000, 60, 5);
  options.locations = {};
  options.region = {69900, 0, 60, 60};
  const Detections far = detector.detect(long_one.view(), options);
  EXPECT_EQ(far.objects.size(), 8u);
  EXPECT_EQ(far.objects.back().box.x, 69900 + 24);
  options.region = {};
  EXPECT_THROW(detector.detect(long_one.view(), options), Error);
  options.locations = {{30, 21}};
  // The window at (30, 21) gets the same score in the region and in the whole picture.
  EXPECT_EQ(detector.detect(picture.view(), options).objects[0], found.objects[1]);
}

// Pictures of many sizes in one call. The region cuts parts of several sizes from the pictures.
TEST(Windows, ARegionInPicturesOfManySizes) {
  std::vector<GrayImage> pictures;
  for (const int side : {100, 140, 180, 120})
    pictures.push_back(sample::make_scene({side, side}, {{50, 40, 40, 40}}));
  const std::vector<GrayView> all = sample::views(pictures);
  Detector detector(square_finder(), {BackendKind::kCpu, 2});
  DetectOptions options;
  options.min_neighbors = 1;
  options.region = {30, 20, 110, 90};
  std::vector<Detections> found;
  detector.detect(all, options, found);
  for (std::size_t i = 0; i < all.size(); ++i) {
    expect_same(detector.detect(all[i], options), found[i]);
    EXPECT_EQ(found[i].picture, all[i].size());
    ASSERT_FALSE(found[i].objects.empty());
    EXPECT_NEAR(found[i].objects[0].box.x, 50, 8);
    EXPECT_NEAR(found[i].objects[0].box.y, 40, 8);
  }
}

std::string refused(const DetectorModel& model, const DetectOptions& options) {
  Detector detector(model, {BackendKind::kCpu, 1});
  const GrayImage picture = texture(100, 120, 3);
  try {
    detector.detect(picture.view(), options);
  } catch (const Error& error) {
    return error.sentence();
  }
  return {};
}

TEST(Windows, NonsenseIsRefused) {
  const auto with = [](auto change) {
    DetectOptions options;
    change(options);
    return options;
  };
  const DetectorModel svm = small_model(), cascade = square_finder();
  EXPECT_EQ(refused(svm, with([](auto& o) {
                      o.padding = {-1, 0};
                    })),
            "the padding must be from 0 to 65536 pixels");
  EXPECT_EQ(refused(svm, with([](auto& o) {
                      o.padding = {0, 65536};
                    })),
            "a picture's sides must not exceed 65536 pixels with the padding");
  EXPECT_EQ(refused(svm, with([](auto& o) { o.step = {0, -1}; })), "the step must be from 0 to 65536 pixels");
  EXPECT_EQ(refused(svm, with([](auto& o) { o.max_levels = 4097; })), "max_levels must be from 0 to 4096");
  EXPECT_EQ(
      refused(svm, with([](auto& o) {
                o.locations = {{0, 0}, {69, 0}};
              })),
      "location 1, (69, 0), leaves no room for a window of 32x48 in the picture (100x120) with its padding; "
      "leave the location out, or raise the padding");
  EXPECT_EQ(refused(svm, with([](auto& o) {
                      o.locations = {{0, 0}}, o.border = 0.1;
                    })),
            "locations and a border exclude each other: choose padding, or no border");
  EXPECT_EQ(refused(svm, with([](auto& o) { o.locations = {{69, 0}}, o.padding = {1, 0}; })), "");
  const std::string others = "padding, locations and max_levels are for linear SVMs; this model is none";
  EXPECT_EQ(refused(cascade, with([](auto& o) { o.padding = {1, 0}; })), others);
  EXPECT_EQ(refused(cascade, with([](auto& o) { o.locations = {{0, 0}}; })), others);
  EXPECT_EQ(refused(cascade, with([](auto& o) { o.max_levels = 1; })), others);
  const std::string outside = "the region of interest lies outside the picture, which is 100x120";
  EXPECT_EQ(refused(cascade, with([](auto& o) { o.region = {100, 0, 5, 5}; })), outside);
  EXPECT_EQ(refused(cascade, with([](auto& o) { o.region = {-9, 0, 9, 9}; })), outside);
  EXPECT_EQ(refused(cascade, with([](auto& o) { o.region = {99, 119, 9, 9}; })), "");
  EXPECT_EQ(refused(cascade, with([](auto& o) {
                      o.region = {0, 0, 5, 0};
                    })),
            "a region needs a width and a height of 1 or more");
  EXPECT_EQ(
      refused(svm, with([](auto& o) {
                o.region = {50, 60, 32, 48}, o.locations = {{50, 60}, {49, 60}};
              })),
      "location 1, (49, 60), leaves no room for a window of 32x48 in the region (32x48) with its padding; "
      "leave the location out, or raise the padding");
}

}  // namespace
}  // namespace winnow
