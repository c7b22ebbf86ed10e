// Compares the sieve of a HOG SVM on a device with the reference.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include <winnow/error.h>

#include "base/device/device_for_test.h"
#include "hog/hog_steps.h"
#include "hog/sieves_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_model.h"
#include "model/hog_models_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "hog/hog_cuda.h"
#include "hog/hog_kernels_cuda.h"

namespace winnow {
namespace {

using sample::colored;
using sample::expect_equal;
using sample::hog_shapes;
using sample::plan_of;
using sample::random_hog;
using sample::run_sieve;
using sample::texture;

// Compares the scores of all windows, then results of searches with several least scores, in grey and colour.
void expect_reference(const HogShape& shape, Size size, int step, std::uint64_t seed,
                      const HogLimits& limits) {
  SCOPED_TRACE(testing::Message() << "window " << shape.window.width << ", bins " << shape.bins
                                  << ", picture " << size.width << "x" << size.height << ", step " << step
                                  << ", bytes " << limits.pass_bytes);
  const DetectorModel model = HogSvm(random_hog(shape, seed));
  const LevelPlan plan = plan_of(model, size, step);
  const GrayImage gray = texture(size.width, size.height, seed + 1);
  const RgbImage color = colored(size, seed + 2);
  const auto reference = make_hog_sieve_ref(model), cuda = make_hog_sieve_cuda(model, 0, 1, limits);
  for (const PictureView& picture : {PictureView(gray.view()), PictureView(gray.view(), color.view())}) {
    const SieveResult all = run_sieve(*reference, picture, plan, {-1e6});
    EXPECT_EQ(std::ssize(all.survivors), plan.window_count);
    expect_equal(all, run_sieve(*cuda, picture, plan, {-1e6}));
    const double middle = all.survivors.empty() ? 0 : all.survivors[all.survivors.size() / 2].score;
    for (const SieveOptions& options :
         {SieveOptions{middle, false}, SieveOptions{}, SieveOptions{middle, true}, SieveOptions{1e6, false}})
      expect_equal(run_sieve(*reference, picture, plan, options), run_sieve(*cuda, picture, plan, options));
  }
}

TEST(HogCuda, EveryShapeGivesTheReferencesScores) {
  WINNOW_NEEDS_DEVICE();
  std::uint64_t seed = 100;
  for (const HogShape& shape : hog_shapes()) {
    for (const Size size : {shape.window, Size{157, 203}, Size{211, 149}})
      expect_reference(shape, size, 0, seed += 10, {});
  }
}

// Strips end in the middle of a warp or at its end. Some levels have more survivors than the device's list
// holds at first.
TEST(HogCuda, StripsOfEveryWidth) {
  WINNOW_NEEDS_DEVICE();
  const HogShape small{{32, 48}, {16, 16}, {8, 8}, {8, 8}, 9, false, true, 0, 0.2};
  for (const int width : {32, 33, 39, 40, 41, 247, 255, 256, 257, 263, 264, 265, 503, 504, 512, 513})
    expect_reference(small, {width, 48 + width % 50}, 0, static_cast<std::uint64_t>(width), {});
  HogShape directed = small;
  directed.directed = true;
  directed.gamma = false;
  directed.sigma = 0.5;  // most weights of a block's cells are 0
  expect_reference(directed, {300, 200}, 0, 7, {});
  expect_reference({}, {640, 480}, 0, 8, {});
}

TEST(HogCuda, StepsOfEverySize) {
  WINNOW_NEEDS_DEVICE();
  for (const int step : {1, 3, 4, 8, 12, 16, 40, 1000}) {
    expect_reference({}, {150, 170}, step, static_cast<std::uint64_t>(40 + step), {});
    expect_reference({{24, 36}, {12, 12}, {6, 6}, {6, 6}, 7, true, true, 2.5, 0.3}, {90, 80}, step,
                     static_cast<std::uint64_t>(50 + step), {});
  }
}

// Windows extend beyond the picture, and lie at uneven steps or at places that the caller lists.
TEST(HogCuda, WindowsOutsideGiveTheReferencesScores) {
  WINNOW_NEEDS_DEVICE();
  std::uint64_t seed = 900;
  for (const HogShape& shape : hog_shapes()) {
    sample::each_wide_search(
        shape, {121, 33}, seed,
        [](const DetectorModel& model, const PictureView& picture, const LevelPlan& plan) {
          expect_equal(run_sieve(*make_hog_sieve_ref(model), picture, plan, {-1e6}),
                       run_sieve(*make_hog_sieve_cuda(model, 0, 1, {}), picture, plan, {-1e6}));
        });
  }
}

// Passes hold one level of one frame or several levels. Strips have one row or three rows of blocks.
TEST(HogCuda, ManyPasses) {
  WINNOW_NEEDS_DEVICE();
  for (const HogShape& shape :
       {HogShape{}, HogShape{{36, 36}, {18, 18}, {6, 6}, {6, 6}, 9, false, false, 3, 0.2}}) {
    for (const HogLimits& limits : {HogLimits{1, 1}, HogLimits{100'000, 3}})
      expect_reference(shape, {301, 277}, 0, 77, limits);
  }
}

TEST(HogCuda, PixelsOfEveryValueAndFlatPictures) {
  WINNOW_NEEDS_DEVICE();
  const DetectorModel model = HogSvm(random_hog({}, 3));
  const Size size{200, 190};
  const LevelPlan plan = plan_of(model, size);
  const auto reference = make_hog_sieve_ref(model), cuda = make_hog_sieve_cuda(model, 0);
  for (const int kind : {0, 1, 2, 3}) {
    GrayImage gray(size.width, size.height);
    Random random(9);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        const int value = kind == 0   ? 0
                          : kind == 1 ? 255
                          : kind == 2 ? (x / 5 + y / 7) % 2 * 255
                                      : random.below(256);
        gray.row(y)[x] = static_cast<std::uint8_t>(value);
      }
    }
    SCOPED_TRACE(kind);
    expect_equal(run_sieve(*reference, PictureView(gray.view()), plan, {-1e6}),
                 run_sieve(*cuda, PictureView(gray.view()), plan, {-1e6}));
  }
}

TEST(HogCuda, QuickMathIsIeee) {
  WINNOW_NEEDS_DEVICE();
  for (const bool gamma : {false, true}) EXPECT_EQ(count_different_votes(gamma), 0);
}

TEST(HogCuda, APictureWithoutWindows) {
  WINNOW_NEEDS_DEVICE();
  const DetectorModel model = HogSvm(random_hog({}, 3));
  const GrayImage gray = texture(63, 128);
  const auto reference = make_hog_sieve_ref(model), cuda = make_hog_sieve_cuda(model, 0);
  const LevelPlan plan = plan_of(model, gray.size());
  EXPECT_EQ(plan.window_count, 0);
  expect_equal(run_sieve(*reference, PictureView(gray.view()), plan, {-1e6}),
               run_sieve(*cuda, PictureView(gray.view()), plan, {-1e6}));
}

TEST(HogCuda, WavesAreRefused) {
  WINNOW_NEEDS_DEVICE();
  const DetectorModel model = HogSvm(random_hog({}, 3));
  sample::expect_waves_refused(*make_device_hog_sieve(model), model);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
