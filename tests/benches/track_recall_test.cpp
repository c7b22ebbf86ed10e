// Tests clusters of scan lines, calls of a kernel, teams, searches in parts, and OpenCV's grid.
#include "tracking/recall/recall_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "track/tld/object_learner.h"
#include "track/tld/object_scene_for_test.h"
#include "track/tld/sift/sift_windows.h"
#include "tracking/opencv_grid.h"
#include "tracking/scan_line_clusters.h"

namespace bench {
namespace {

using namespace winnow;

LevelPlan grid_of(Size frame, Size object) {
  LevelPlan plan;
  plan_boxes(frame, object, 24, plan);
  return plan;
}

TEST(ScanLinePairs, AreTheRowsOfAGrid) {
  const LevelPlan plan = grid_of({200, 150}, {40, 30});
  const std::vector<ScanLinePair> pairs = scan_line_pairs(plan);
  std::uint32_t windows = 0;
  for (const ScanLinePair& pair : pairs) {
    EXPECT_EQ(pair.first_window, windows);
    windows += pair.windows;
    const Level& level = plan.levels[pair.size];
    // Equation 1 with steps of whole pixels, and the first window, which it forgets.
    EXPECT_EQ(static_cast<int>(pair.windows), (200 - level.window.width) / level.step + 1);
    EXPECT_EQ(pair.bottom - pair.top, level.window.height);
    EXPECT_LE(pair.bottom, 150);
    EXPECT_EQ(grid_box(plan, pair.first_window).y, pair.top);
  }
  EXPECT_EQ(windows, plan.window_count);
}

std::multiset<std::uint32_t> first_windows(const Clusters& clusters) {
  std::multiset<std::uint32_t> all;
  for (const ScanLinePair& pair : clusters.pairs) all.insert(pair.first_window);
  return all;
}

TEST(Clusters, HaveAllPairsAndBalancedLoads) {
  const LevelPlan plan = grid_of({320, 240}, {40, 30});
  const std::vector<ScanLinePair> pairs = scan_line_pairs(plan);
  for (const std::int64_t size : {1, 3, 7, 1000}) {
    const Clusters in_order = clusters_in_order(pairs, size), by_load = clusters_by_load(pairs, size);
    EXPECT_EQ(in_order.clusters.size(), by_load.clusters.size());
    EXPECT_EQ(first_windows(in_order), first_windows(by_load));
    EXPECT_EQ(first_windows(by_load).size(), pairs.size());
    for (const Clusters* clusters : {&in_order, &by_load}) {
      std::uint32_t at = 0;
      for (const Cluster& cluster : clusters->clusters) {
        EXPECT_EQ(cluster.first_pair, at);
        EXPECT_LE(cluster.pairs, size);
        std::uint32_t windows = 0;
        for (std::uint32_t i = 0; i < cluster.pairs; ++i) windows += clusters->pairs[at++].windows;
        EXPECT_EQ(cluster.windows, windows);
      }
      EXPECT_EQ(at, pairs.size());
      EXPECT_DOUBLE_EQ(clusters->mean_windows() * static_cast<double>(clusters->clusters.size()),
                       static_cast<double>(plan.window_count));
    }
    EXPECT_LE(by_load.most_windows(), in_order.most_windows());
  }
  const Clusters in_order = clusters_in_order(pairs, 7), by_load = clusters_by_load(pairs, 7);
  EXPECT_LT(by_load.most_windows(), 1.1 * by_load.mean_windows());
  EXPECT_GT(in_order.most_windows(), 1.3 * in_order.mean_windows());
}

TEST(Clusters, TakeTheLargestPairFirst) {
  const std::vector<ScanLinePair> pairs = {
      {0, 0, 9, 0, 5}, {0, 8, 9, 5, 9}, {1, 4, 9, 14, 3}, {1, 2, 9, 17, 1}};
  const Clusters clusters = clusters_by_load(pairs, 2);  // {9, 1} and {5, 3}, from top to bottom
  ASSERT_EQ(clusters.clusters.size(), 2U);
  EXPECT_EQ(clusters.clusters[0].windows, 10U);
  EXPECT_EQ(clusters.clusters[1].windows, 8U);
  EXPECT_EQ(clusters.pairs[0].first_window, 17U);
  EXPECT_EQ(clusters.pairs[1].first_window, 5U);
  EXPECT_EQ(clusters.pairs[2].first_window, 0U);
  EXPECT_EQ(clusters.pairs[3].first_window, 14U);
}

TEST(KernelCalls, FollowTheLimits) {
  ProcessorLimits limits;
  limits.memory = 100'000;
  limits.block_memory = 50'000;
  limits.processors = 4;
  // 2 blocks of 1,024 threads fill a multiprocessor. 6 pairs of 2 x 4,000 bytes fit in a block.
  KernelCalls calls = plan_kernel_calls(limits, 32, 1000, 4000, 0.9);
  EXPECT_EQ(calls.threads, 1024);
  EXPECT_EQ(calls.cluster_size, 6);
  EXPECT_EQ(calls.occupancy, 1);
  EXPECT_EQ(calls.clusters, 167);
  EXPECT_EQ(calls.blocks, 8);
  EXPECT_EQ(calls.calls, 21);
  // One block alone works at half: clusters shrink until two fit.
  limits.block_memory = 90'000;
  EXPECT_EQ(plan_kernel_calls(limits, 32, 1000, 4000, 0.5).cluster_size, 11);
  calls = plan_kernel_calls(limits, 32, 1000, 4000, 0.9);
  EXPECT_EQ(calls.cluster_size, 6);
  EXPECT_EQ(calls.block_memory, 48'000);
  // 40 registers: 1,024 threads would leave a third of the registers idle, three blocks of 512 do not.
  EXPECT_EQ(plan_kernel_calls(limits, 40, 1000, 4000, 0.5).threads % 32, 0);
  EXPECT_LE(plan_kernel_calls(limits, 40, 1000, 4000, 0.5).threads, 544);
  // A block may have half of a multiprocessor's registers.
  limits.block_registers = 32'768;
  EXPECT_EQ(plan_kernel_calls(limits, 64, 1000, 4000, 0.5).threads, 512);
  // Few pairs make one small cluster.
  EXPECT_EQ(plan_kernel_calls(limits, 32, 2, 4000, 0.5).clusters, 1);
  EXPECT_THROW(plan_kernel_calls(limits, 32, 1000, 50'000, 0.5), std::runtime_error);
}

TEST(Team, SharesARangeInEqualParts) {
  for (const int threads : {1, 2, 5}) {
    Team team(threads);
    for (int call = 0; call < 50; ++call) {
      std::vector<int> seen(101);
      team.share(seen.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
        EXPECT_LT(part, team.parts());
        for (std::size_t i = first; i < last; ++i) ++seen[i];
      });
      ASSERT_EQ(std::count(seen.begin(), seen.end(), 1), 101);
    }
  }
}

TEST(Recall, InPartsFindsTheWindowsOfTheWholeSearch) {
  const GrayFrame scene = make_scene({260, 180}, {{{90, 60, 50, 40}}});
  ObjectFrame frame;
  frame.make(scene.view(), 0, kObjectStepsCpu);
  LearntObject object(3);
  object.box = {90, 60, 50, 40};
  ObjectGrid grid;
  grid.plan(frame.level().size(), object);
  ASSERT_TRUE(learn_first(frame, grid, object));
  std::vector<LikelyWindow> likely;
  sift_windows_ref(frame, grid, object, 1, likely);
  ASSERT_GT(likely.size(), 10U);
  const SearchedFrame in{frame, grid, object};
  ConfidenceSums sums;
  std::vector<Recall> all;
  for (const auto& [threads, own] : {std::pair(1, false), {3, false}, {3, true}}) {
    Team team(threads);
    Recall& recall = all.emplace_back();
    recall.confidences.assign(static_cast<std::size_t>(grid.windows.window_count), 0);
    find_varied(in, team, recall.varied);
    find_patterns(in, team, recall.varied, recall.patterns);
    sums.find(recall.varied, {recall.patterns.front().data(), 1, kFerns}, object.ferns.values(), own, team,
              recall.confidences);
    EXPECT_NO_THROW(check_recall(recall, likely));
    EXPECT_EQ(recall.varied, all.front().varied);
    EXPECT_EQ(recall.confidences, all.front().confidences);
  }
  // The check sees a window too few, one too many, and another sum.
  const std::span<const LikelyWindow> span(likely);
  EXPECT_THROW(check_recall(all[0], span.first(span.size() - 1)), std::runtime_error);
  std::vector<LikelyWindow> more = likely;
  more.push_back(likely.back());
  EXPECT_THROW(check_recall(all[0], more), std::runtime_error);
  ++all[0].confidences[static_cast<std::size_t>(likely.back().window)];
  EXPECT_THROW(check_recall(all[0], likely), std::runtime_error);
}

TEST(OpenCvGrid, CountsTheWindowsOfShrinkingFrames) {
  // One level: windows of 40 x 20 that move by 4 and 2, in 50 x 22 pixels, and none in 41.7 x 18.3.
  EXPECT_EQ(opencv_tld_windows({50, 22}, {0, 0, 80, 40}), 2 * 1);
  EXPECT_EQ(opencv_tld_windows({60, 30}, {0, 0, 80, 40}), 5 * 5 + 2 * 2);  // 60 x 30, then 50 x 25
  EXPECT_EQ(opencv_tld_windows({480, 270}, {0, 0, 64.5, 40.875}), 54774);
  // A small object's frame grows first.
  EXPECT_EQ(opencv_tld_windows({25, 11}, {0, 0, 20, 10}), opencv_tld_windows({50, 22}, {0, 0, 80, 40}));
}

}  // namespace
}  // namespace bench
