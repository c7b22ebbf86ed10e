// Runs sieves of HOG models in tests, and compares their results.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <winnow/detector_model.h>
#include <winnow/error.h>

#include "image/texture_for_test.h"
#include "model/hog_models_for_test.h"
#include "scale/plan.h"
#include "scale/waves.h"
#include "sieve/stages.h"

namespace winnow::sample {

// `step`: the distance between windows; 0 means the model's own step.
inline LevelPlan plan_of(const DetectorModel& model, Size picture, int step = 0) {
  LevelPlan plan;
  PlanRequest request;
  request.picture = picture;
  request.window = model.window();
  request.scale_factor = 1.3;
  request.rules = model.plan_rules();
  if (step > 0) request.rules.fixed_step = {step, step};
  plan_levels(request, plan);
  return plan;
}

// Requests for windows beyond the picture: at uneven steps, with padding, and last at listed places that are
// in no order.
inline std::vector<PlanRequest> wide_requests(const DetectorModel& model, Size picture) {
  const Size window = model.window();
  PlanRequest request;
  request.picture = picture;
  request.window = window;
  request.scale_factor = 1.3;
  request.rules = model.plan_rules();
  std::vector<PlanRequest> all;
  const auto add = [&](Size step, Size padding, int levels = 0) {
    all.push_back(request);
    if (step != Size{}) all.back().rules.fixed_step = step;
    all.back().padding = padding;
    all.back().max_levels = levels;
  };
  add({}, {8, 8});
  add({}, {1, 0});
  add({5, 7}, {3, 11});
  add({3, 16}, {0, 9}, 2);
  add({16, 4}, {32, 8});
  add({12, 6}, {window.width + picture.width, 2 * window.height}, 1);  // mirrored more than once
  add({}, {1, 1}, 1);
  all.push_back(request);
  const int right = picture.width - window.width, below = picture.height - window.height;
  all.back().padding = {40, 50};
  all.back().locations = {{0, 0}, {-40, -50}, {right + 40, below + 50}, {right, 1}, {3, below},
                          {0, 0}, {-7, 5}};
  return all;
}

// Calls `check(model, picture, plan)` for each of `wide_requests`, in grey and in colour. The pictures are
// larger than the window by `spare`, or smaller than the window.
template <class Check>
void each_wide_search(const HogShape& shape, Size spare, std::uint64_t& seed, Check check) {
  const DetectorModel model = HogSvm(random_hog(shape, ++seed));
  const Size window = shape.window;
  for (const Size size : {Size{window.width + spare.width, window.height + spare.height},
                          Size{window.width - 5, window.height + 40}}) {
    const GrayImage gray = texture(size.width, size.height, ++seed);
    const RgbImage color = colored(size, ++seed);
    for (const PlanRequest& request : wide_requests(model, size)) {
      LevelPlan plan;
      plan_levels(request, plan);
      SCOPED_TRACE(testing::Message() << window.width << ", padding " << request.padding.width << ", step "
                                      << request.rules.fixed_step.width);
      for (const PictureView& picture : {PictureView(gray.view()), PictureView(gray.view(), color.view())})
        check(model, picture, plan);
    }
  }
}

inline SieveResult run_sieve(Sieve& sieve, const PictureView& picture, const LevelPlan& plan,
                             const SieveOptions& options) {
  SieveResult result;
  sieve.set_options(options);
  sieve.run(picture, plan, result);
  return result;
}
inline SieveResult run_sieve(Sieve& sieve, const PictureView& picture, const LevelPlan& plan,
                             double min_score) {
  return run_sieve(sieve, picture, plan, SieveOptions{min_score, false});
}

inline void expect_equal(const SieveResult& wanted, const SieveResult& got, const std::string& what = {}) {
  EXPECT_EQ(wanted.survivors, got.survivors) << what;
  EXPECT_EQ(wanted.reached, got.reached) << what;
  EXPECT_EQ(wanted.windows, got.windows) << what;
  EXPECT_EQ(wanted.skipped, got.skipped) << what;
  EXPECT_EQ(wanted.flat, got.flat) << what;
  EXPECT_EQ(wanted.weak, got.weak) << what;
}

// Sieves of HOG models do not search pictures in waves of rows.
template <class DeviceSieve>
void expect_waves_refused(DeviceSieve& sieve, const DetectorModel& model) {
  const LevelPlan plan = plan_of(model, {100, 200});
  EXPECT_EQ(sieve.tile_rows(8), 0);
  const Wave wave{{0, {0, 1}}};
  EXPECT_THROW(sieve.plan(plan, 1, 1, std::span(&wave, 1)), Error);
}

}  // namespace winnow::sample
