// Checks that all forms of a cascade of HOG blocks give one result. Compares the rules with plain formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <numbers>
#include <string>

#include "base/random.h"
#include "base/simd.h"
#include "base/simd_for_test.h"
#include "hog/blocks/block_lanes.h"
#include "hog/blocks/block_steps.h"
#include "hog/blocks/response_rule.h"
#include "hog/hog_steps.h"
#include "hog/sieves_for_test.h"
#include "image/texture_for_test.h"
#include "model/hog_cascade_for_test.h"
#include "model/hog_cascade_model.h"

namespace winnow {
namespace {

using sample::expect_equal;
using sample::plan_of;
using sample::run_sieve;

TEST(HogBlocks, SumsOfLargeCellsAreShiftedToThoseOfSixteenPixels) {
  const int pixels[] = {1, 16, 17, 32, 33, 64, 65, 1024}, shifts[] = {0, 0, 1, 1, 2, 2, 3, 6};
  for (std::size_t i = 0; i < std::size(pixels); ++i)
    EXPECT_EQ(value_shift(pixels[i]), shifts[i]) << pixels[i];
}

TEST(HogBlocks, AllFormsGiveOneAnswer) {
  const sample::GiveTargetBack give_back;
  std::size_t survivors = 0, rejected = 0;
  for (const HogCascadeModel& model : sample::hog_cascades()) {
    const DetectorModel detector = HogCascade(model);
    std::uint64_t seed = 1;
    for (const Size size :
         {model.window, Size{157, 203}, Size{211, 149}, Size{model.window.width + 1, 131}}) {
      for (const int step : {0, model.grid, 3 * model.grid}) {
        const LevelPlan plan = plan_of(detector, size, step);
        const GrayImage picture = sample::texture(size.width, size.height, ++seed);
        const auto reference = make_block_sieve_ref(detector);
        const SieveResult all = run_sieve(*reference, picture.view(), plan, -1e6);
        const double middle = all.survivors.empty() ? 0 : all.survivors[all.survivors.size() / 2].score;
        for (const double min_score : {-1e6, middle, -std::numeric_limits<double>::infinity()}) {
          const SieveResult wanted = run_sieve(*reference, picture.view(), plan, min_score);
          survivors += wanted.survivors.size();
          rejected += static_cast<std::size_t>(wanted.windows) - wanted.survivors.size();
          for (const std::string& target : simd_targets()) {
            simd_force(target);
            for (const int threads : {1, 3}) {
              const auto sieve = make_block_sieve_cpu(detector, threads);
              const std::string what = target + ", " + std::to_string(threads) + " threads, grid " +
                                       std::to_string(model.grid) + ", step " + std::to_string(step);
              expect_equal(wanted, run_sieve(*sieve, picture.view(), plan, min_score), what);
              expect_equal(wanted, run_sieve(*sieve, picture.view(), plan, min_score), what + ", again");
              expect_equal(wanted, run_sieve(*sieve->clone_for_thread(), picture.view(), plan, min_score),
                           what + ", clone");
            }
          }
          simd_force("");
        }
      }
    }
  }
  EXPECT_GT(survivors, 1000u);
  EXPECT_GT(rejected, 1000u);
}

TEST(HogBlocks, RootsAreRoundedRoots) {
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(root_pixel(static_cast<std::uint8_t>(i)), std::lround(16 * std::sqrt(static_cast<double>(i))))
        << i;
}

TEST(HogBlocks, VotesAreProjectionsBeyondTheLimit) {
  for (int dy = -255; dy <= 255; dy += 3) {
    for (int dx = -255; dx <= 255; ++dx) {
      std::int32_t votes[kVoteBins];
      gradient_votes(dx, dy, votes);
      const double length = std::hypot(dx, dy);
      for (int k = 0; k < kVoteBins; ++k) {
        const double angle = (k + 0.5) * std::numbers::pi / kVoteBins;
        const double over = std::abs(dx * std::cos(angle) + dy * std::sin(angle)) -
                            length * std::cos(std::numbers::pi / kVoteBins);
        EXPECT_NEAR(votes[k], std::max(over, 0.0) * (1 << kVoteShift), 2) << dx << " " << dy << " " << k;
        EXPECT_LE(votes[k], kMostVote);
      }
    }
  }
}

TEST(HogBlocks, SumsAreThoseOfTheCells) {
  const GrayImage level = sample::texture(67, 45, 5);
  for (const int grid : {2, 4, 8}) {
    const IntegralHistograms sums = integrate_votes_ref(level.view(), grid);
    ASSERT_EQ(sums.cells, (Size{67 / grid, 45 / grid}));
    for (int y = 0; y < sums.cells.height; ++y) {
      for (int x = 0; x < sums.cells.width; ++x) {
        std::uint32_t wanted[kVoteBins] = {};
        for (int py = y * grid; py < (y + 1) * grid; ++py) {
          for (int px = x * grid; px < (x + 1) * grid; ++px) {
            std::int32_t votes[kVoteBins];
            gradient_votes(level.row(py)[mirrored(px + 1, 67)] - level.row(py)[mirrored(px - 1, 67)],
                           level.row(mirrored(py + 1, 45))[px] - level.row(mirrored(py - 1, 45))[px], votes);
            for (int k = 0; k < kVoteBins; ++k) wanted[k] += static_cast<std::uint32_t>(votes[k]);
          }
        }
        for (int k = 0; k < kVoteBins; ++k)
          EXPECT_EQ(sums.at(x + 1, y + 1)[k] - sums.at(x, y + 1)[k] - sums.at(x + 1, y)[k] + sums.at(x, y)[k],
                    wanted[k]);
      }
    }
  }
}

// The worst case: every gradient is as long as possible, in the direction with the largest votes.
TEST(HogBlocks, SquaresFitWhateverThePicture) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  std::int64_t most = 0;
  for (int dy = -255; dy <= 255; ++dy) {
    for (int dx = -255; dx <= 255; ++dx) {
      std::int32_t votes[kVoteBins];
      gradient_votes(dx, dy, votes);
      std::int64_t squares = 0, all = 0;
      for (const std::int32_t vote : votes) squares += std::int64_t{vote} * vote, all += vote;
      most = std::max(most, std::int64_t{kMostVote} * all);
      EXPECT_LE(squares, kMostVote * all);
    }
  }
  // A block has four cells. A cell of 16 equal pixels has 16 times the votes of one pixel, so the squares of
  // its votes are 256 times as large.
  EXPECT_LT(4 * 256 * most, kMost);
  for (int pixels = 1; pixels < 300000; pixels += pixels / 7 + 1)
    EXPECT_LE(pixels, 16 << value_shift(pixels)) << pixels;
}

TEST(HogBlocks, ResponsesStayInTheTable) {
  for (const std::int32_t product : {-2147483647, -1, 0, 1, 2147483647}) {
    for (const std::int32_t squares : {0, 1, 2147483647}) {
      for (const float per : {1e-30f, 1.f, 65536.f}) {
        const int bin = response_bin(product, squares, 65536, per);
        EXPECT_GE(bin, 0);
        EXPECT_LT(bin, kHogTableBins);
      }
    }
  }
  EXPECT_EQ(response_bin(1000, 0, 0, 0.25f), 15);  // 1000 / 16 * 0.25 = 15.6
  EXPECT_EQ(response_bin(-1, 0, 0, 1), 0);
  EXPECT_EQ(response_bin(1 << 20, 0, 0, 1), kHogTableBins - 1);
}

}  // namespace
}  // namespace winnow
