// Compares rows and splits of a device with the reference.
#include <gtest/gtest.h>

#include <winnow/error.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/device/device_for_test.h"
#include "learn/bin_table.h"
#include "learn/steps.h"
#include "learn/tables_for_test.h"
#include "sieve/random_for_test.h"

#ifdef WINNOW_HAVE_CUDA

namespace winnow {
namespace {

constexpr std::int64_t kAllMemory = std::int64_t{1} << 30;

using sample::expect_rows;
using sample::expect_same;
using sample::expect_splits;
using sample::features_of;
using sample::planes_of;
using sample::random_candidates;
using sample::random_weights;

struct Case {
  std::size_t samples, positives;
};

struct Kind {
  FeatureSet set;
  WeakKind weak;
};
const char* name_of(const Kind& kind) {
  if (kind.weak == WeakKind::kTable) return "Tables";
  return kind.set == FeatureSet::kHaar ? "Haar" : kind.set == FeatureSet::kHaarTilted ? "HaarTilted" : "Lbp";
}

constexpr TrainSteps kReference{choose_rule_ref, bin_chunk_ref, make_table_ref};

class BinTableCuda : public ::testing::TestWithParam<Kind> {};

TEST_P(BinTableCuda, EqualsTheReference) {
  WINNOW_NEEDS_DEVICE();
  const Size window{12, 13};
  for (const Case c : {Case{65, 2}, Case{1000, 333}, Case{4097, 4000}}) {
    RunFeatures features = features_of(GetParam().set, window);
    const SamplePlanes planes = planes_of(features, c.samples, c.positives);
    choose_rules(kReference, planes, 1, GetParam().weak, features);
    const int count = features.list.size();
    const auto pitch = static_cast<std::int64_t>(planes.chunks() * kSampleChunk);
    const auto reference =
        make_table_ref({&features, &planes, c.positives, kAllMemory, 1, 0, GetParam().weak});
    for (const std::int64_t kept : {std::int64_t{count}, std::int64_t{count} / 2, std::int64_t{0}}) {
      SCOPED_TRACE(::testing::Message() << name_of(GetParam()) << ", " << c.samples << " samples, " << kept
                                        << " of " << count << " rows kept");
      const auto device =
          make_table_cuda({&features, &planes, c.positives, kept * pitch, 1, 0, GetParam().weak});
      std::vector<int> rows(static_cast<std::size_t>(count));
      std::iota(rows.begin(), rows.end(), 0);
      sample::Random random(7);
      if (kept < count) rows = random_candidates(random, count, 0.05);
      expect_rows(*device, *reference, rows);
      expect_splits(*device, *reference, count, c.samples, 11);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, BinTableCuda,
                         ::testing::Values(Kind{FeatureSet::kHaar, WeakKind::kTree},
                                           Kind{FeatureSet::kHaarTilted, WeakKind::kTree},
                                           Kind{FeatureSet::kLbp, WeakKind::kTree},
                                           Kind{FeatureSet::kHaarTilted, WeakKind::kTable}),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

// Each feature comes eight times, so that gains tie.
TEST(BinTableTiesCuda, TheLowerFeatureAndTheEarlierBinWin) {
  WINNOW_NEEDS_DEVICE();
  for (const FeatureSet set : {FeatureSet::kHaar, FeatureSet::kLbp}) {
    RunFeatures features = features_of(set, {8, 8});
    const auto again = [&](auto& list) { list.insert(list.end(), list.begin(), list.end()); };
    for (int round = 0; round < 3; ++round) {
      again(features.list.haar);
      again(features.list.lbp);
    }
    features.compiled = bin_features(features.list);
    const SamplePlanes planes = planes_of(features, 70, 30);
    choose_rules(kReference, planes, 1, WeakKind::kTree, features);
    const auto reference = make_table_ref({&features, &planes, 30, kAllMemory, 1, 0});
    for (const std::int64_t memory : {kAllMemory, std::int64_t{128 * 100}}) {
      const auto device = make_table_cuda({&features, &planes, 30, memory, 1, 0});
      const int count = features.list.size();
      expect_splits(*device, *reference, count, 70, 5);
      std::vector<int> twice(static_cast<std::size_t>(count));
      std::iota(twice.begin(), twice.end(), 0);
      const std::vector<std::uint32_t> weights(70, 1000);
      const Split split = device->best_split(twice, weights, BoostKind::kGentle);
      EXPECT_LT(split.feature, count / 8) << "of eight that are the same";
      // The lower feature also wins among the features after the best one.
      twice.erase(twice.begin(), twice.begin() + split.feature + 1);
      const Split next = device->best_split(twice, weights, BoostKind::kGentle);
      EXPECT_EQ(next.gain, split.gain);
      EXPECT_GT(next.feature, split.feature);
      expect_same(next, reference->best_split(twice, weights, BoostKind::kGentle));
    }
  }
}

// The planes of a window of 128x96 exceed the first-level cache of a multiprocessor.
TEST(BinTableSizesCuda, LargeWindows) {
  WINNOW_NEEDS_DEVICE();
  for (const FeatureSet set : {FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
    RunFeatures features;
    features.list = list_features(set, {128, 96}, 900, 3);
    features.compiled = bin_features(features.list);
    const SamplePlanes planes = planes_of(features, 130, 50);
    choose_rules(kReference, planes, 1, WeakKind::kTree, features);
    const auto reference = make_table_ref({&features, &planes, 50, kAllMemory, 1, 0});
    const auto device = make_table_cuda({&features, &planes, 50, kAllMemory, 1, 0});
    std::vector<int> rows(static_cast<std::size_t>(features.list.size()));
    std::iota(rows.begin(), rows.end(), 0);
    expect_rows(*device, *reference, rows);
    expect_splits(*device, *reference, features.list.size(), 130, 2);
  }
}

TEST(BinTableSizesCuda, ADeviceThatIsNotThere) {
  WINNOW_NEEDS_DEVICE();
  RunFeatures features = features_of(FeatureSet::kLbp, {8, 8});
  const SamplePlanes planes = planes_of(features, 65, 30);
  EXPECT_THROW(make_table_cuda({&features, &planes, 30, 0, 1, 1000}), Error);
}

}  // namespace
}  // namespace winnow

#endif
