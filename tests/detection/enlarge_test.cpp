// Tests searches of enlarged pictures beside searches of pictures that are enlarged by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/hog.h>

#include "hog/hog_steps.h"
#include "image/texture_for_test.h"
#include "model/hog_models_for_test.h"
#include "scale/plan.h"
#include "scale/resize.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"
#include "sieve/stages.h"

namespace winnow {
namespace {

using sample::expect_same;
using sample::random_hog;
using sample::square_finder;
using sample::texture;

const HogShape kSmall{{32, 48}, {16, 16}, {8, 8}, {8, 8}};

struct Case {
  std::string name;
  DetectorModel model;
  GrayImage picture;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  list.push_back({"cascade", square_finder(),
                  sample::make_scene({131, 97}, {{20, 30, 18, 18}, {60, 50, 20, 20}, {90, 10, 30, 30}})});
  list.push_back({"hog", DetectorModel(HogSvm(random_hog(kSmall, 21))), texture(90, 77, 3)});
  // Only enlarged levels have room for a window.
  list.push_back({"small cascade", square_finder(), sample::make_scene({21, 22}, {{2, 2, 18, 18}})});
  list.push_back({"small hog", DetectorModel(HogSvm(random_hog(kSmall, 22))), texture(29, 44, 4)});
  return list;
}

std::unique_ptr<Sieve> make_sieve(const DetectorModel& model) {
  return model.cascade() == nullptr ? make_hog_sieve_ref(model) : make_sieve_ref(*model.cascade());
}

DetectOptions every_window(double enlarge) {
  DetectOptions options;
  options.scale_factor = 1.2;
  options.enlarge = enlarge;
  options.raw = true;
  options.min_score = -1e6;
  options.clip = false;
  return options;
}

// Each enlarged level has the windows and scores of the resized picture. The windows of the picture's own
// levels come after those of the enlarged levels.
TEST(Enlarge, LevelsAreThoseOfAnEnlargedPicture) {
  for (const Case& each : cases()) {
    Detector detector(each.model, {BackendKind::kReference, 1});
    std::vector<Detection> wanted;
    for (const int power : {3, 2, 1}) {
      const double factor = 1 / std::pow(1.2, power);
      PlanRequest one{each.picture.size(), each.model.window(), 1.2, {}, {}, each.model.plan_rules()};
      one.enlarge = std::pow(1.2, power);
      LevelPlan plan;
      plan_levels(one, plan);
      if (plan.levels.empty() || plan.levels.front().scale >= static_cast<float>(factor * 1.1)) continue;
      const Level& level = plan.levels.front();
      GrayImage enlarged(level.width, level.height);
      resize_ref(each.picture.view(), enlarged.view());
      // Plans one level of the enlarged picture. Sets all rows of windows, since `plan_levels` may omit some.
      PlanRequest own{enlarged.size(), each.model.window(), 1e6, {}, {}, each.model.plan_rules()};
      LevelPlan whole;
      plan_levels(own, whole);
      ASSERT_EQ(whole.levels.size(), 1u);
      whole.levels[0].rows = level.rows;
      whole.window_count = std::int64_t{level.rows} * level.cols;
      const auto sieve = make_sieve(each.model);
      sieve->set_options({-1e6, false});
      SieveResult result;
      sieve->run(PictureView(std::as_const(enlarged).view()), whole, result);
      for (const Survivor& survivor : result.survivors) {
        const PixelPoint corner = window_corner(whole.levels[0], survivor.window);
        wanted.push_back({window_box(level, corner.x, corner.y), survivor.score, 1});
      }
    }
    const std::size_t enlarged = wanted.size();
    EXPECT_GT(enlarged, 0u) << each.name;
    for (const Detection& own : detector.detect(each.picture.view(), every_window(1)).objects)
      wanted.push_back(own);
    const Detections found = detector.detect(each.picture.view(), every_window(1.2 * 1.2 * 1.2));
    ASSERT_EQ(found.objects.size(), wanted.size()) << each.name;
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(found.objects[i], wanted[i]) << each.name << i;
  }
}

TEST(Enlarge, BackendsThreadsAndBatchesAgree) {
  for (const Case& each : cases()) {
    Detector reference(each.model, {BackendKind::kReference, 1});
    for (const double border : {0., 0.2}) {
      DetectOptions options;
      options.enlarge = 2.3;
      options.border = border;
      options.min_neighbors = 1;
      options.min_score = each.model.kind() == "cascade" ? 0 : -1e6;
      const Detections wanted = reference.detect(each.picture.view(), options);
      EXPECT_GT(wanted.counters.windows, 0);
      for (const int threads : {1, 3}) {
        Detector cpu(each.model, {BackendKind::kCpu, threads});
        SCOPED_TRACE(each.name);
        expect_same(wanted, cpu.detect(each.picture.view(), options));
        for (const std::size_t batch : {1u, 7u, 64u}) {
          std::vector<Detections> all;
          cpu.detect(std::vector<PictureView>(batch, each.picture.view()), options, all);
          for (const Detections& found : all) expect_same(wanted, found);
        }
      }
    }
  }
}

// The square is 7 pixels wide. The model finds squares half as wide as its window of 24.
TEST(Enlarge, FindsWhatIsSmallerThanTheWindow) {
  const GrayImage scene = sample::make_scene({131, 97}, {{70, 30, 7, 7}});
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  EXPECT_TRUE(detector.detect(scene.view()).objects.empty());
  DetectOptions options;
  options.enlarge = 2.5;
  const Detections found = detector.detect(scene.view(), options);
  ASSERT_EQ(found.objects.size(), 1u);
  EXPECT_NEAR(found.objects[0].box.x + found.objects[0].box.width / 2., 73.5, 2);
  EXPECT_NEAR(found.objects[0].box.width, 13, 4);
}

TEST(Enlarge, ARegionIsACropMovedBack) {
  const GrayImage scene = sample::make_scene({131, 97}, {{70, 30, 18, 18}, {20, 50, 18, 18}});
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  DetectOptions options;
  options.enlarge = 2;
  options.region = {60, 20, 50, 50};
  Detections crop, found = detector.detect(scene.view(), options);
  options.region = {};
  crop = detector.detect(scene.view().crop({60, 20, 50, 50}), options);
  ASSERT_EQ(found.objects.size(), 1u);
  ASSERT_EQ(crop.objects.size(), 1u);
  const Box &moved = found.objects[0].box, &box = crop.objects[0].box;
  EXPECT_EQ(moved, (Box{box.x + 60, box.y + 20, box.width, box.height}));
}

TEST(Enlarge, NonsenseIsRefused) {
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  const GrayImage scene(40, 30);
  const auto code_of = [&](double enlarge, GrayView picture) {
    DetectOptions options;
    options.enlarge = enlarge;
    try {
      detector.detect(picture, options);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kIo;
  };
  for (const double enlarge : {0.99, 0., -1., 4.01, std::nan(""), 1e300})
    EXPECT_EQ(code_of(enlarge, scene.view()), ErrorCode::kUsage) << enlarge;
  EXPECT_EQ(code_of(4, GrayImage(16385, 1).view()), ErrorCode::kLimit);
  EXPECT_EQ(code_of(4, GrayImage(16384, 1).view()), ErrorCode::kIo);
}

}  // namespace
}  // namespace winnow
