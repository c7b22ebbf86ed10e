// Tests the parts of the face benches: scaled features, overlaps, groups, layouts of boxes, and cut models.
#include <gtest/gtest.h>

#include <winnow/error.h>
#include <winnow/landmarker.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "base/device/device_for_test.h"
#include "faces/box_overlap.h"
#include "faces/grouping_tables.h"
#include "faces/landmark_tables.h"
#include "faces/overlap_groups.h"
#include "faces/scaled_search.h"
#include "landmarks/fit_time.h"
#include "model/landmarks/landmark_samples_for_test.h"

namespace bench {
namespace {

using winnow::Box;

// A cascade of stumps in windows of 10x12. A stump votes 1 for values at or above its threshold, else 0.
struct Stump {
  winnow::HaarFeature feature;
  float threshold;
};
winnow::CascadeModel cascade_of(const std::vector<Stump>& stumps, float stage_threshold) {
  winnow::CascadeModel model;
  model.window = {10, 12};
  model.stages.push_back({0, static_cast<int>(stumps.size()), stage_threshold});
  for (const Stump& stump : stumps) {
    const auto number = static_cast<int>(model.haar.size());
    model.trees.push_back({number, 1, 2 * number});
    model.nodes.push_back({0, -1, number, stump.threshold});
    model.leaves.insert(model.leaves.end(), {0.f, 1.f});
    model.haar.push_back(stump.feature);
  }
  return model;
}

winnow::HaarFeature feature_of(std::vector<winnow::HaarRect> rects) {
  winnow::HaarFeature feature;
  std::copy(rects.begin(), rects.end(), feature.rects.begin());
  return feature;
}

const winnow::HaarFeature kMiddle = feature_of({{{0, 0, 10, 12}, -1}, {{2, 3, 6, 6}, 3}});
const winnow::HaarFeature kSides = feature_of({{{0, 0, 9, 12}, -1}, {{3, 0, 3, 12}, 3}});

winnow::GrayImage noise(int width, int height) {
  std::mt19937 random(3);
  winnow::GrayImage image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>(random() % 90 + static_cast<unsigned>(x * y) % 150);
  return image;
}

// The sum of a rectangle's pixels, or of their squares.
double sum_of(const winnow::GrayImage& image, const Box& box, bool squared) {
  double sum = 0;
  for (int y = box.y; y < box.y + box.height; ++y)
    for (int x = box.x; x < box.x + box.width; ++x)
      sum += squared ? image.row(y)[x] * image.row(y)[x] : image.row(y)[x];
  return sum;
}

// The windows of the smallest size that pass, by plain sums of pixels.
std::vector<Box> plain_windows(const winnow::GrayImage& image, const winnow::CascadeModel& model) {
  std::vector<Box> found;
  for (int y = 0; y + 12 <= image.height(); ++y) {
    for (int x = 0; x + 10 <= image.width(); ++x) {
      const Box inside{x + 1, y + 1, 8, 10};
      const double mean = sum_of(image, inside, false) / 80;
      const double deviation = std::sqrt(sum_of(image, inside, true) / 80 - mean * mean);
      double votes = 0;
      for (std::size_t i = 0; i < model.haar.size(); ++i) {
        double value = 0;
        for (const winnow::HaarRect& rect : model.haar[i].rects)
          value += rect.weight *
                   sum_of(image, {x + rect.box.x, y + rect.box.y, rect.box.width, rect.box.height}, false);
        votes += value >= model.nodes[i].threshold * deviation * 80 ? 1 : 0;
      }
      if (votes >= model.stages[0].threshold) found.push_back({x, y, 10, 12});
    }
  }
  return found;
}

TEST(ScaledSearch, JudgesTheSmallestWindowsByThePlainRule) {
  const winnow::CascadeModel model = cascade_of({{kMiddle, 0.05f}, {kSides, -0.02f}}, 2);
  const winnow::GrayImage image = noise(59, 53);
  const std::vector<Box> wanted = plain_windows(image, model);
  ASSERT_GT(wanted.size(), 50U);
  ASSERT_LT(wanted.size(), 1500U);
  EXPECT_EQ(scaled_search(image.view(), model, {6, 1}), wanted);
}

TEST(ScaledSearch, FindsInAPictureOfTwiceTheSizeTheSameWindowsTwiceAsLarge) {
  const winnow::CascadeModel model = cascade_of({{kMiddle, 0.05f}, {kSides, -0.02f}}, 2);
  const winnow::GrayImage image = noise(19, 23);
  winnow::GrayImage large(38, 46);
  for (int y = 0; y < 46; ++y)
    for (int x = 0; x < 38; ++x) large.row(y)[x] = image.row(y / 2)[x / 2];
  std::vector<Box> wanted, got;
  for (const Box& box : scaled_search(image.view(), model, {1.9, 1}))
    if (box.width == 10) wanted.push_back({2 * box.x, 2 * box.y, 20, 24});
  for (const Box& box : scaled_search(large.view(), model, {2, 2}))
    if (box.width == 20) got.push_back(box);
  ASSERT_FALSE(wanted.empty());
  EXPECT_EQ(got, wanted);
}

// Whether a balanced feature, scaled by `scale`, is 0 on an even picture of the size `window`.
bool is_balanced(const winnow::HaarFeature& feature, double scale, winnow::Size window) {
  winnow::HaarFeature less = feature;
  for (winnow::HaarRect& rect : less.rects) rect.weight = -rect.weight;
  const winnow::CascadeModel model = cascade_of({{feature, -1e-6f}, {less, -1e-6f}}, 2);
  winnow::GrayImage image(window.width, window.height);
  for (int y = 0; y < window.height; ++y) std::fill_n(image.row(y), window.width, std::uint8_t{100});
  image.row(1)[1] = 200;  // outside the feature, so that the window is not flat
  const std::vector<Box> found = scaled_search(image.view(), model, {scale, 1});
  return std::count(found.begin(), found.end(), Box{0, 0, window.width, window.height}) == 1;
}

TEST(ScaledSearch, WeightsMakeUpForRoundedAreas) {
  // At 1.2, sides of 3 and 6 become 4 and 7.
  EXPECT_TRUE(is_balanced(feature_of({{{2, 2, 6, 6}, -1}, {{2, 2, 3, 6}, 2}}), 1.2, {12, 14}));
}

TEST(ScaledSearch, CutsRectanglesAtTheWindowsEdge) {
  // At 1.11, a side of 5 at 5 becomes a side of 6 at 6, in a window of 11.
  EXPECT_TRUE(is_balanced(feature_of({{{5, 2, 5, 6}, -1}, {{2, 2, 3, 6}, 5.f / 3}}), 1.11, {11, 13}));
}

TEST(ScaledSearch, StaysInsideThePictureAtEverySize) {
  const winnow::HaarFeature corner = feature_of({{{5, 5, 5, 7}, 1}, {{9, 11, 1, 1}, -1}});
  const winnow::CascadeModel model = cascade_of({{corner, -100}}, 0);
  const winnow::GrayImage image = noise(61, 67);
  std::set<int> widths;
  for (const Box& box : scaled_search(image.view(), model, {1.03, 7})) {
    widths.insert(box.width);
    EXPECT_EQ(winnow::clip(box, image.size()), box);
  }
  EXPECT_GT(widths.size(), 40U);
}

TEST(ScaledSearch, RejectsFlatWindowsAndSmallPictures) {
  const winnow::CascadeModel model = cascade_of({{kMiddle, -100}}, 0);
  EXPECT_TRUE(scaled_search(winnow::GrayImage(40, 40).view(), model, {}).empty());
  EXPECT_TRUE(scaled_search(noise(9, 40).view(), model, {}).empty());
  EXPECT_TRUE(scaled_search({}, model, {}).empty());
}

TEST(ScaledSearch, RefusesWhatItCannotScale) {
  const winnow::GrayImage image = noise(20, 20);
  const winnow::CascadeModel model = cascade_of({{kMiddle, 0}}, 0);
  winnow::CascadeModel tilted = model, soft = model, lbp = model;
  tilted.haar[0].tilted = true;
  soft.rules.sum = winnow::SumRule::kRunning;
  lbp.kind = winnow::FeatureKind::kLbp;
  for (const winnow::CascadeModel& refused : {tilted, soft, lbp})
    EXPECT_THROW(scaled_search(image.view(), refused, {}), winnow::Error);
  EXPECT_THROW(scaled_search(image.view(), model, {1, 1}), winnow::Error);
  EXPECT_THROW(scaled_search(image.view(), model, {1.2, 0}), winnow::Error);
}

TEST(ScaledSearch, HalvesPictures) {
  winnow::GrayImage image(5, 3);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) image.row(y)[x] = static_cast<std::uint8_t>(10 * y + x);
  const winnow::GrayImage half = half_of(image.view());
  ASSERT_EQ(half.size(), (winnow::Size{2, 1}));
  EXPECT_EQ(half.row(0)[0], 6);  // the mean of 0, 1, 10 and 11 is 5.5
  EXPECT_EQ(half.row(0)[1], 8);
}

TEST(OverlapGroups, BoxesThatOnlyTouchDoNotOverlap) {
  const Box middle{10, 10, 5, 5};
  EXPECT_TRUE(do_overlap(middle, middle));
  for (const Box& apart : {Box{5, 10, 5, 5}, {15, 10, 5, 5}, {10, 5, 5, 5}, {10, 15, 5, 5}})
    EXPECT_FALSE(do_overlap(middle, apart));
  for (const Box& near : {Box{6, 10, 5, 5}, {14, 10, 5, 5}, {10, 6, 5, 5}, {10, 14, 5, 5}})
    EXPECT_TRUE(do_overlap(middle, near));
}

TEST(OverlapGroups, FollowsChainsAndDropsSmallClusters) {
  // Boxes 0, 2 and 4 are a chain. Boxes 1 and 3 overlap each other. No box overlaps box 5.
  const std::vector<Box> boxes = {{0, 0, 10, 10},   {100, 0, 10, 10}, {9, 3, 12, 10},
                                  {105, 5, 10, 10}, {18, 0, 10, 13},  {0, 10, 9, 10}};
  EXPECT_EQ(overlap_groups(boxes), (std::vector<Box>{{9, 1, 11, 11}}));
  EXPECT_EQ(overlap_groups(boxes, 1), (std::vector<Box>{{9, 1, 11, 11}, {102, 2, 10, 10}, {0, 10, 9, 10}}));
  EXPECT_TRUE(overlap_groups({}).empty());
}

TEST(OverlapHistogram, CountsBins) {
  const Box wanted{0, 0, 10, 10};
  EXPECT_EQ(box_iou(wanted, wanted), 1);
  EXPECT_EQ(box_iou(wanted, {10, 0, 10, 10}), 0);
  EXPECT_EQ(box_iou(wanted, {0, 0, 10, 5}), 0.5);
  EXPECT_DOUBLE_EQ(box_iou(wanted, {5, 5, 10, 10}), 25.0 / 175);
  OverlapHistogram histogram;
  histogram.add(std::vector<Box>{wanted, {50, 50, 4, 4}}, std::vector<Box>{{0, 0, 10, 5}, {0, 0, 10, 8}});
  histogram.add(std::vector<Box>{wanted, wanted}, std::vector<Box>{wanted});
  histogram.add({}, std::vector<Box>{wanted});
  EXPECT_EQ(histogram.boxes(), 4);
  EXPECT_EQ(histogram.alone(), 1);
  EXPECT_DOUBLE_EQ(histogram.mean(), (0.8 + 0 + 1 + 1) / 4);
  const std::vector<double> wanted_percent = {25, 0, 0, 0, 25, 50};
  for (std::size_t bin = 0; bin < wanted_percent.size(); ++bin)
    EXPECT_EQ(histogram.percent(bin), wanted_percent[bin]) << bin;
}

TEST(BoxLayouts, HaveTheNeighboursThatTheirNamesSay) {
  for (const int count : {100, 1000}) {
    const auto neighbours = [&](BoxLayout layout) {
      const std::vector<winnow::Candidate> boxes = layout_boxes(layout, count);
      EXPECT_EQ(boxes.size(), static_cast<std::size_t>(count));
      std::int64_t pairs = 0;
      for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) pairs += do_overlap(boxes[i].box, boxes[j].box) ? 1 : 0;
      return pairs;
    };
    const auto pairs_of = [](std::int64_t n) { return n * (n - 1) / 2; };
    EXPECT_EQ(neighbours(BoxLayout::kNoOverlap), 0);
    EXPECT_EQ(neighbours(BoxLayout::kAllNeighbours), pairs_of(count));
    EXPECT_EQ(neighbours(BoxLayout::kHalfNeighbours), pairs_of(count / 2));
    EXPECT_GT(neighbours(BoxLayout::kRandom), 0);
  }
}

TEST(GroupingTables, TimeEveryLayout) {
  const ResultList list = grouping_results(std::vector<int>{3, 60}, 1);
  ASSERT_EQ(list.rows.size(), 9U);  // the last row has the thesis's figures
  for (const auto& row : list.rows) EXPECT_EQ(row.size(), list.columns.size());
  EXPECT_EQ(list.rows[3][4], 0);  // no overlap: no object
  EXPECT_EQ(list.rows[5][4], 1);  // all neighbours: one object by each rule
  EXPECT_EQ(list.rows[5][6], 1);
}

#ifdef WINNOW_HAVE_CUDA
TEST(GroupingTablesCuda, TimeEveryLayout) {
  WINNOW_NEEDS_DEVICE();
  const ResultList list = device_grouping_results(std::vector<int>{1, 60, 3500}, 1);
  ASSERT_EQ(list.rows.size(), 12U);
  for (std::size_t i = 0; i < list.rows.size(); ++i)
    EXPECT_GT(list.rows[i][2], 0) << "3500 boxes lie in the device's memory";
}
#else
TEST(GroupingTablesCuda, NeedABuildWithCuda) {
  EXPECT_ANY_THROW(device_grouping_results(std::vector<int>{1}, 1));
}
#endif

std::vector<winnow::Shape> fits(winnow::LandmarkModel model) {
  winnow::Landmarker landmarker(winnow::Landmarks(std::move(model)),
                                {winnow::BackendKind::kReference, 1, {0}});
  const FaceScene scene = random_scene(5);
  return landmarker.fit(scene.picture.view(), scene.boxes);
}

// A model cut to its first stages fits like the whole model with 0 in all leaves of the later stages.
TEST(FirstStages, FitAsAModelWhoseLaterStagesAddNothing) {
  for (const bool fixed : {false, true}) {
    for (const int basis : {0, 4}) {
      if (!fixed && basis > 0) continue;
      const winnow::LandmarkModel whole =
          winnow::sample::random_landmarks({.points = 6, .stages = 4, .basis = basis}, fixed, 2);
      for (const int stages : {1, 3, 4}) {
        winnow::LandmarkModel quiet = whole;
        const auto kept = static_cast<std::ptrdiff_t>(stages);
        std::fill(
            quiet.float_leaves.begin() + static_cast<std::ptrdiff_t>(whole.float_leaves.size()) / 4 * kept,
            quiet.float_leaves.end(), 0.f);
        auto& numbers = quiet.fixed_leaves.numbers;
        std::fill(numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size()) / 4 * kept, numbers.end(),
                  std::int16_t{0});
        const winnow::LandmarkModel cut = first_stages(whole, stages);
        EXPECT_EQ(cut.trees.stages, stages);
        EXPECT_EQ(fits(cut), fits(quiet)) << stages << " stages, basis of " << basis;
      }
    }
  }
}

TEST(FirstStages, DropConfidenceAndRefuseOtherNumbers) {
  const winnow::LandmarkModel model =
      winnow::sample::random_landmarks({.stages = 2, .confidence = true}, true, 1);
  EXPECT_FALSE(first_stages(model, 2).confidence.has_value());
  EXPECT_THROW(first_stages(model, 0), winnow::Error);
  EXPECT_THROW(first_stages(model, 3), winnow::Error);
}

TEST(LandmarkTables, TimeEveryNumberOfStages) {
  const std::vector<NamedLandmarks> models = {
      {"small", winnow::sample::random_landmarks({.stages = 3}, false, 1)}};
  const std::vector<int> stages = {1, 3};
  const ResultList list = stage_results(models, stages, {winnow::BackendKind::kCpu, 1, {0}}, 1, "a command");
  EXPECT_EQ(list.name, "landmark_stages_cpu");
  ASSERT_EQ(list.rows.size(), 4U);  // the last two rows have the thesis's figures
  EXPECT_EQ(list.rows[1][1], 3);
  EXPECT_GT(list.rows[1][2].get<double>(), 0);
}

}  // namespace
}  // namespace bench
