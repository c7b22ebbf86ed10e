#include "learn/feature_list.h"

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <algorithm>
#include <set>

namespace winnow {
namespace {

TEST(FeatureList, Counts) {
  // The number of Haar features that papers give for 24x24 windows.
  EXPECT_EQ(count_features(FeatureSet::kHaar, {24, 24}), 162'336);
  EXPECT_EQ(count_features(FeatureSet::kLbp, {24, 24}), 8'464);
  EXPECT_GT(count_features(FeatureSet::kHaarTilted, {24, 24}), 162'336);
  EXPECT_EQ(count_features(FeatureSet::kLbp, {2, 9}), 0);
}

TEST(FeatureList, EachIsAnotherInsideTheWindowAndZeroOnEvenPictures) {
  const Size window{9, 7};
  const FeatureList list = list_features(FeatureSet::kHaarTilted, window, 0, 1);
  EXPECT_EQ(list.size(), count_features(FeatureSet::kHaarTilted, window));
  EXPECT_TRUE(list.tilted);
  std::set<std::vector<int>> seen;
  for (const HaarFeature& feature : list.haar) {
    std::vector<int> key{feature.tilted};
    float weight = 0;
    for (const HaarRect& r : feature.rects) {
      key.insert(key.end(), {r.box.x, r.box.y, r.box.width, r.box.height, static_cast<int>(r.weight)});
      weight += r.weight * static_cast<float>(r.box.width * r.box.height);
      if (r.weight == 0) continue;
      if (feature.tilted) {
        EXPECT_GE(r.box.x - r.box.height, 0);
        EXPECT_LE(r.box.x + r.box.width, window.width);
        EXPECT_LE(r.box.y + r.box.width + r.box.height, window.height);
        EXPECT_GE(r.box.y, 0);
      } else {
        EXPECT_GE(std::min(r.box.x, r.box.y), 0);
        EXPECT_LE(r.box.x + r.box.width, window.width);
        EXPECT_LE(r.box.y + r.box.height, window.height);
      }
    }
    EXPECT_EQ(weight, 0);
    EXPECT_TRUE(seen.insert(key).second);
  }
}

TEST(FeatureList, MoreAreTheUprightOnesOfAll) {
  const Size window{10, 8};
  std::vector<HaarFeature> upright = list_features(FeatureSet::kHaarTilted, window, 0, 1).haar;
  std::erase_if(upright, [](const HaarFeature& feature) { return feature.tilted; });
  const FeatureList more = list_features(FeatureSet::kHaarMore, window, 0, 1);
  EXPECT_EQ(more.haar, upright);
  EXPECT_FALSE(more.tilted);
  EXPECT_GT(more.size(), count_features(FeatureSet::kHaar, window));
}

TEST(FeatureList, APoolIsDrawnInOrder) {
  const Size window{12, 12};
  const FeatureList all = list_features(FeatureSet::kHaar, window, 0, 1);
  const FeatureList pool = list_features(FeatureSet::kHaar, window, 50, 1);
  ASSERT_EQ(pool.size(), 50);
  auto from = all.haar.begin();
  for (const HaarFeature& feature : pool.haar) {
    from = std::find(from, all.haar.end(), feature);
    ASSERT_NE(from++, all.haar.end());
  }
  EXPECT_EQ(list_features(FeatureSet::kHaar, window, 50, 1).haar, pool.haar);
  EXPECT_NE(list_features(FeatureSet::kHaar, window, 50, 2).haar, pool.haar);
  EXPECT_EQ(list_features(FeatureSet::kHaar, window, 1 << 30, 1).haar, all.haar);
}

TEST(FeatureList, TooMany) {
  EXPECT_THROW(list_features(FeatureSet::kHaar, {100, 100}, 0, 1), Error);
  EXPECT_EQ(list_features(FeatureSet::kHaar, {64, 64}, 10, 1).size(), 10);
}

}  // namespace
}  // namespace winnow
