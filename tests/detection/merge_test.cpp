// Compares the merging of a detector with the functions that merge boxes.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>

#include "session/answers_for_test.h"
#include "session/scene_for_test.h"
#include "session/upright_for_test.h"

namespace winnow {
namespace {

using sample::make_scene;
using sample::square_finder;

DetectOptions merged_by(Merge merge, int min_neighbors) {
  DetectOptions options;
  options.min_neighbors = min_neighbors;
  options.merge = merge;
  return options;
}

DetectOptions by_mean_shift(int min_neighbors) { return merged_by(Merge::kMeanShift, min_neighbors); }

TEST(Merge, NamesAreReadAsTheyAreWritten) {
  for (const Merge merge : {Merge::kGroups, Merge::kMeanShift, Merge::kSupport})
    EXPECT_EQ(parse_merge(merge_name(merge)), merge);
  EXPECT_THROW(parse_merge("shift"), Error);
  EXPECT_EQ(SearchDefaults().merge, Merge::kGroups);
}

TEST(Merge, ByMeanShiftOnEveryBackendAndThread) {
  const std::vector<GrayImage> scenes = sample::scenes(9, {180, 140});
  const std::vector<GrayView> views = sample::views(scenes);
  for (const bool gradients : {false, true}) {
    const DetectorModel model = gradients ? DetectorModel(sample::upright_finder()) : square_finder();
    std::vector<Detections> wanted, found, raw;
    DetectOptions options = by_mean_shift(1);
    if (gradients) {
      options.min_score = -6;    // scores below 0 have no weight, but their windows are merged
      options.scale_factor = 2;  // rounding moves no box beyond the picture's edge, so none is clipped
    }
    Detector reference(model, {BackendKind::kReference});
    reference.detect(views, options, wanted);
    options.raw = true;
    reference.detect(views, options, raw);
    options.raw = false;
    std::size_t objects = 0;
    for (const int threads : {1, 3}) {
      Detector detector(model, {BackendKind::kCpu, threads});
      detector.detect(views, options, found);
      for (std::size_t i = 0; i < views.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "picture " << i << ", threads " << threads);
        sample::expect_same(wanted[i], found[i]);
        objects += found[i].objects.size();
        EXPECT_LT(found[i].objects.size(), raw[i].objects.size());
        EXPECT_EQ(mean_shift_boxes(raw[i].objects, 1, gradients ? WeightRule::kScore : WeightRule::kEqual),
                  found[i].objects);
      }
    }
    EXPECT_GT(objects, 20u);
  }
}

TEST(Merge, BySupportOnEveryBackendAndThread) {
  const std::vector<GrayImage> scenes = sample::scenes(9, {180, 140});
  const std::vector<GrayView> views = sample::views(scenes);
  for (const bool gradients : {false, true}) {
    const DetectorModel model = gradients ? DetectorModel(sample::upright_finder()) : square_finder();
    std::vector<Detections> wanted, found, raw;
    DetectOptions options = merged_by(Merge::kSupport, 1);
    if (gradients) options.min_score = -6;
    options.clip = false;
    Detector reference(model, {BackendKind::kReference});
    reference.detect(views, options, wanted);
    options.raw = true;
    reference.detect(views, options, raw);
    options.raw = false;
    const double floor = gradients ? -6 : -std::numeric_limits<double>::infinity();
    std::size_t objects = 0;
    for (const int threads : {1, 3}) {
      Detector detector(model, {BackendKind::kCpu, threads});
      options.min_support.reset();
      detector.detect(views, options, found);
      for (std::size_t i = 0; i < views.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "picture " << i << ", threads " << threads);
        sample::expect_same(wanted[i], found[i]);
        objects += found[i].objects.size();
        EXPECT_EQ(support_boxes(raw[i].objects, 1, floor), found[i].objects);
        if (found[i].objects.empty()) continue;
        // Objects of exactly the least support are kept.
        options.min_support = found[i].objects[0].score;
        const Detections kept = detector.detect(views[i], options);
        std::vector<Detection> strong;
        for (const Detection& object : found[i].objects)
          if (object.score >= *options.min_support) strong.push_back(object);
        EXPECT_EQ(kept.objects, strong);
      }
    }
    EXPECT_GT(objects, 20u);
  }
}

TEST(Merge, MeanShiftFindsTheSquaresOfAScene) {
  const std::vector<Box> squares = {{20, 30, 36, 36}, {120, 60, 48, 48}};
  const GrayImage scene = make_scene({200, 150}, squares);
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  const Detections found = detector.detect(scene.view(), by_mean_shift(3));
  ASSERT_EQ(found.objects.size(), squares.size());
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const Box &box = found.objects[i].box, &square = squares[i];
    EXPECT_NEAR(box.x + box.width / 2, square.x + square.width / 2, 2);
    EXPECT_NEAR(box.y + box.height / 2, square.y + square.height / 2, 2);
    EXPECT_NEAR(box.width, square.width, 10);
  }
  detector.enqueue(scene.view(), by_mean_shift(3));
  EXPECT_EQ(detector.collect().objects, found.objects);
  // A least number of 0 neighbours keeps every object, but does not switch merging off. `raw` switches
  // merging off.
  const Detections all = detector.detect(scene.view(), by_mean_shift(0));
  EXPECT_GE(all.objects.size(), found.objects.size());
  DetectOptions raw = by_mean_shift(3), groups;
  raw.raw = groups.raw = true;
  EXPECT_EQ(detector.detect(scene.view(), raw).objects, detector.detect(scene.view(), groups).objects);
  EXPECT_LT(all.objects.size(), detector.detect(scene.view(), raw).objects.size());
  DetectOptions high = by_mean_shift(3);
  high.min_score = 1e9;
  EXPECT_TRUE(detector.detect(scene.view(), high).objects.empty());
}

TEST(Merge, BoxesOfOnesOwn) {
  const std::vector<Detection> boxes = {
      {{10, 10, 40, 80}, 1, 7}, {{14, 10, 40, 80}, 3, 1}, {{300, 5, 40, 80}, 2, 1}};
  const std::vector<Detection> objects = mean_shift_boxes(boxes, 0);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0], (Detection{{12, 10, 40, 80}, 3, 2}));
  EXPECT_EQ(objects[1], boxes[2]);
  EXPECT_EQ(mean_shift_boxes(boxes, 0, WeightRule::kScore)[0].box.x, 13);
  EXPECT_EQ(mean_shift_boxes(boxes, 1).size(), 1u);
  EXPECT_TRUE(mean_shift_boxes({}, 0).empty());
  for (const Box& box : {Box{0, 0, -1, 5}, Box{1 << 29, 0, 5, 5}, Box{0, 0, 5, (1 << 28) + 1}}) {
    const std::vector<Detection> wrong = {{box, 0, 1}};
    EXPECT_THROW(mean_shift_boxes(wrong, 0), Error);
    EXPECT_THROW(support_boxes(wrong, 0), Error);
    EXPECT_THROW(group_boxes(wrong, 0), Error);
  }
}

}  // namespace
}  // namespace winnow
