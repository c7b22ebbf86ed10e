// Tests the bins of votes, the sums of integral histograms, and the drift of sums from exact values.
#include "people/vote_histograms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace bench {
namespace {

TEST(HardVotes, BinIsThatOfTheAngle) {
  for (int dy = -60; dy <= 60; ++dy) {
    for (int dx = -60; dx <= 60; ++dx) {
      if (dx == 0 && dy == 0) continue;
      double degrees = std::atan2(dy, dx) * 180 / std::numbers::pi;
      if (degrees < 0) degrees += 180;
      if (degrees >= 180) degrees -= 180;
      const double at = degrees / 20;
      if (std::fabs(at - std::round(at)) < 1e-3 && degrees > 1) continue;  // on the edge of a bin
      EXPECT_EQ(hard_bin(dx, dy), static_cast<int>(at)) << dx << ", " << dy;
    }
  }
}

TEST(HardVotes, LengthsAreWholeMultiplesOfTheExactUnit) {
  for (int dy = 0; dy <= 255; ++dy) {
    for (int dx = 0; dx <= 255; ++dx) {
      const float length = hard_length(dx, dy);
      EXPECT_EQ(static_cast<double>(exact_length(length)) / 4294967296.0, static_cast<double>(length));
    }
  }
}

winnow::GrayImage picture(winnow::Size size) {
  winnow::GrayImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>((x * x + 31 * y + x * y / 3) % 256);
  return image;
}

// For each pixel, the sum of the bin's votes above and to the left, the pixel's own vote included.
std::vector<double> plain_sums(const HardVotes& votes, int bin) {
  std::vector<double> sums(votes.pixels());
  const int width = votes.size.width;
  for (int y = 0; y < votes.size.height; ++y)
    for (int x = 0; x < width; ++x)
      for (int v = 0; v <= y; ++v)
        for (int u = 0; u <= x; ++u) {
          const auto at = static_cast<std::size_t>(v * width + u);
          if (votes.bins[at] == bin)
            sums[static_cast<std::size_t>(y * width + x)] += static_cast<double>(votes.lengths[at]);
        }
  return sums;
}

TEST(VoteHistograms, EveryKindAddsUpTheVotes) {
  const winnow::GrayImage image = picture({29, 23});
  const HardVotes votes = hard_votes(image.view());
  std::vector<float> floats, ninth;
  std::vector<double> doubles;
  std::vector<std::uint32_t> wholes;
  std::vector<Float4> fours;
  integrate_planes(votes, floats);
  integrate_planes(votes, doubles);
  integrate_planes(votes, wholes);
  integrate_float4(votes, fours, ninth);
  for (int bin = 0; bin < kBins; ++bin) {
    const std::vector<double> wanted = plain_sums(votes, bin);
    for (std::size_t at = 0; at < votes.pixels(); ++at) {
      const std::size_t in_plane = static_cast<std::size_t>(bin) * votes.pixels() + at;
      EXPECT_NEAR(doubles[in_plane], wanted[at], 1e-9);
      EXPECT_NEAR(floats[in_plane], wanted[at], 1e-3);
      const float four =
          bin == 8 ? ninth[at] : fours[static_cast<std::size_t>(bin / 4) * votes.pixels() + at].bins[bin % 4];
      EXPECT_NEAR(four, wanted[at], 1e-3);
      EXPECT_NEAR(wholes[in_plane] / (255.0 * kVoteUnits), wanted[at],
                  0.5 / (255.0 * kVoteUnits) * static_cast<double>(at + 1));
    }
  }
}

TEST(VoteHistograms, DriftIsTheDistanceFromExactSums) {
  const winnow::GrayImage image = picture({40, 24});
  const HardVotes votes = hard_votes(image.view());
  std::vector<double> doubles;
  integrate_planes(votes, doubles);
  Drift none, some;
  for (int bin = 0; bin < kBins; ++bin) {
    const auto sum = [&](std::size_t at) {
      return doubles[static_cast<std::size_t>(bin) * votes.pixels() + at];
    };
    add_drift(votes, bin, sum, none);
    // In one bin, two sums are off: one at a corner of cells, one at another pixel.
    add_drift(
        votes, bin,
        [&](std::size_t at) {
          return sum(at) + (bin == 3 && at == std::size_t{15 * 40 + 23} ? 0.5 : 0) +
                 (bin == 3 && at == std::size_t{3 * 40 + 1} ? 2.0 : 0);
        },
        some);
  }
  EXPECT_EQ(none.cells, 5 * 3 * kBins);
  EXPECT_LT(none.largest_sum, 1e-9);
  EXPECT_LT(none.largest_cell, 1e-9);
  EXPECT_NEAR(some.largest_sum, 2, 1e-9);
  EXPECT_NEAR(some.largest_cell, 0.5, 1e-9);  // pixel (1, 3) is no corner of a cell
  EXPECT_NEAR(some.mean_cell, 4 * 0.5 / static_cast<double>(some.cells), 1e-9);
}

TEST(VoteHistograms, WholeNumbersMayWrap) {
  HardVotes votes;
  votes.size = {1024, 1024};
  votes.bins.assign(1 << 20, 5);
  votes.lengths.assign(1 << 20, hard_length(255, 255));
  votes.whole.assign(1 << 20, whole_length(255, 255));
  std::vector<std::uint32_t> wholes;
  integrate_planes(votes, wholes);
  const auto sum = [&](std::size_t at) { return wholes[5 * votes.pixels() + at]; };
  ASSERT_NE(sum(votes.pixels() - 1), std::uint64_t{votes.whole[0]} << 20);
  Drift drift;
  add_drift(votes, 5, sum, drift);
  EXPECT_EQ(drift.cells, 128 * 128);
  EXPECT_LE(drift.largest_cell, 32 / (255.0 * kVoteUnits));
}

}  // namespace
}  // namespace bench
