// Runs sieves of HOG models in tests, and compares their answers.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <winnow/detector_model.h>

#include "scale/plan.h"
#include "sieve/stages.h"

namespace winnow::sample {

// `step`: 0 is the model's own.
inline LevelPlan plan_of(const DetectorModel& model, Size picture, int step = 0) {
  LevelPlan plan;
  PlanRequest request;
  request.picture = picture;
  request.window = model.window();
  request.scale_factor = 1.3;
  request.rules = model.plan_rules();
  if (step > 0) request.rules.step_pixels = step;
  plan_levels(request, plan);
  return plan;
}

inline SieveResult answer(Sieve& sieve, const PictureView& picture, const LevelPlan& plan,
                          const SieveOptions& options) {
  SieveResult result;
  sieve.set_options(options);
  sieve.run(picture, plan, result);
  return result;
}
inline SieveResult answer(Sieve& sieve, const PictureView& picture, const LevelPlan& plan, double least) {
  return answer(sieve, picture, plan, SieveOptions{least, false});
}

inline void expect_equal(const SieveResult& wanted, const SieveResult& got, const std::string& what = {}) {
  EXPECT_EQ(wanted.survivors, got.survivors) << what;
  EXPECT_EQ(wanted.reached, got.reached) << what;
  EXPECT_EQ(wanted.windows, got.windows) << what;
  EXPECT_EQ(wanted.skipped, got.skipped) << what;
  EXPECT_EQ(wanted.flat, got.flat) << what;
  EXPECT_EQ(wanted.weak, got.weak) << what;
}

}  // namespace winnow::sample
