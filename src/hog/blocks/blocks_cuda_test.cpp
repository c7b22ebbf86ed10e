// Compares the sieve of a cascade of HOG blocks on a device with the reference.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>

#include <winnow/error.h>

#include "base/device/device_for_test.h"
#include "hog/blocks/block_steps.h"
#include "hog/sieves_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "hog/blocks/blocks_cuda.h"

namespace winnow {
namespace {

using sample::expect_equal;
using sample::hog_cascade;
using sample::hog_cascades;
using sample::plan_of;
using sample::run_sieve;
using sample::texture;

struct Compared {
  std::size_t survivors = 0, rejected = 0;
};

// Compares searches with four least scores: below all scores, in the middle, the default, and above all
// scores.
Compared expect_reference(const HogCascadeModel& model, GrayView picture, int step,
                          std::int64_t pass_bytes = kMostHistogramBytes, int frames = 1) {
  SCOPED_TRACE(testing::Message() << "grid " << model.grid << ", window " << model.window.width
                                  << ", picture " << picture.width << "x" << picture.height << ", step "
                                  << step << ", bytes " << pass_bytes);
  const DetectorModel detector = HogCascade(model);
  const LevelPlan plan = plan_of(detector, picture.size(), step);
  const auto reference = make_block_sieve_ref(detector),
             cuda = make_block_sieve_cuda(detector, 0, frames, pass_bytes);
  const SieveResult all = run_sieve(*reference, picture, plan, -1e6);
  const double middle = all.survivors.empty() ? 0 : all.survivors[all.survivors.size() / 2].score;
  Compared compared;
  for (const double min_score : {-1e6, middle, -std::numeric_limits<double>::infinity(), 1e9}) {
    const SieveResult wanted = run_sieve(*reference, picture, plan, min_score);
    expect_equal(wanted, run_sieve(*cuda, picture, plan, min_score));
    compared.survivors += wanted.survivors.size();
    compared.rejected += static_cast<std::size_t>(wanted.windows) - wanted.survivors.size();
  }
  return compared;
}

TEST(HogBlocksCuda, EveryModelGivesTheReferencesAnswer) {
  WINNOW_NEEDS_DEVICE();
  Compared all;
  std::uint64_t seed = 1;
  for (const HogCascadeModel& model : hog_cascades()) {
    for (const Size size :
         {model.window, Size{157, 203}, Size{211, 149}, Size{model.window.width + 1, 131}, Size{640, 480}}) {
      for (const int step : {0, model.grid, 3 * model.grid}) {
        const Compared some = expect_reference(model, texture(size.width, size.height, ++seed).view(), step);
        all.survivors += some.survivors, all.rejected += some.rejected;
      }
    }
  }
  EXPECT_GT(all.survivors, 1000u);
  EXPECT_GT(all.rejected, 1000u);
}

// Rows of 30 to 66 cells end in the middle and at the end of the 32 cells that a warp takes at once.
TEST(HogBlocksCuda, LevelsOfEveryWidth) {
  WINNOW_NEEDS_DEVICE();
  for (const int grid : {2, 4, 8}) {
    const HogCascadeModel model = hog_cascade({4 * grid, 6 * grid}, grid, grid, 6, 70);
    for (int cells = 30; cells < 67; ++cells) {
      if (cells > 34 && cells < 62) continue;
      for (const int more : {0, 1})
        expect_reference(model, texture(cells * grid + more, 6 * grid + cells, 5).view(), 0);
    }
  }
}

// The model has more stages than the kernel counts in shared memory. Windows pass most of these stages.
TEST(HogBlocksCuda, ManyStages) {
  WINNOW_NEEDS_DEVICE();
  HogCascadeModel model = hog_cascade({32, 64}, 4, 4, 700, 9);
  for (HogBlockStage& stage : model.stages) stage.min_sum -= 3'000;
  for (std::size_t i = 300; i < model.stages.size(); i += 50) model.stages[i].min_sum = 20'000;
  const Compared some = expect_reference(model, texture(200, 150, 3).view(), 0);
  EXPECT_GT(some.rejected, 100u);
}

TEST(HogBlocksCuda, ManyPassesAndFrames) {
  WINNOW_NEEDS_DEVICE();
  for (const HogCascadeModel& model : hog_cascades()) {
    for (const std::int64_t bytes : {1, 300'000})
      for (const int frames : {1, 5}) expect_reference(model, texture(301, 277, 7).view(), 0, bytes, frames);
  }
}

TEST(HogBlocksCuda, PixelsOfEveryValueAndFlatPictures) {
  WINNOW_NEEDS_DEVICE();
  for (const int kind : {0, 1, 2, 3}) {
    SCOPED_TRACE(kind);
    GrayImage gray(200, 190);
    Random random(9);
    for (int y = 0; y < gray.height(); ++y) {
      for (int x = 0; x < gray.width(); ++x) {
        const int value = kind == 0   ? 0
                          : kind == 1 ? 255
                          : kind == 2 ? (x / 5 + y / 7) % 2 * 255
                                      : random.below(256);
        gray.row(y)[x] = static_cast<std::uint8_t>(value);
      }
    }
    for (const HogCascadeModel& model : hog_cascades())
      expect_reference(model, std::as_const(gray).view(), 0);
  }
}

// More windows survive than the device's list holds at first, so the picture is searched again. The second
// search must begin with the picture's own pixels, not with their roots.
TEST(HogBlocksCuda, ManySurvivors) {
  WINNOW_NEEDS_DEVICE();
  HogCascadeModel model = hog_cascade({32, 64}, 4, 4, 3, 5);
  for (HogBlockStage& stage : model.stages) stage.min_sum = -1'000'000;
  const Compared some = expect_reference(model, texture(640, 480, 5).view(), 0);
  EXPECT_GT(some.survivors, 10'000u);
}

TEST(HogBlocksCuda, APictureWithoutWindows) {
  WINNOW_NEEDS_DEVICE();
  expect_reference(hog_cascade({64, 128}, 4, 8, 3, 5), texture(63, 128, 1).view(), 0);
}

TEST(HogBlocksCuda, WavesAreRefused) {
  WINNOW_NEEDS_DEVICE();
  const DetectorModel model = HogCascade(hog_cascades().front());
  sample::expect_waves_refused(*make_device_block_sieve(model), model);
}

}  // namespace
}  // namespace winnow

#endif  // WINNOW_HAVE_CUDA
