// Checks the options of a training of landmarks: every range, and runs that make no sense.
#include "train/landmarks/landmark_options.h"

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <functional>
#include <limits>

namespace winnow {
namespace {

std::string refusal(const std::function<void(LandmarkOptions&, RunOptions&)>& change,
                    ErrorCode code = ErrorCode::kUsage) {
  LandmarkOptions options;
  RunOptions run;
  run.machine.backend = BackendKind::kCpu;
  change(options, run);
  try {
    check_training(options, run);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.sentence();
  }
  return "";
}

template <class Number>
void expect_range(Number LandmarkOptions::*member, Number least, Number most, Number step,
                  const std::string& sentence) {
  const auto with = [&](Number value) {
    return refusal([&](LandmarkOptions& o, RunOptions&) { o.*member = value; });
  };
  EXPECT_EQ(with(least), "") << sentence;
  EXPECT_EQ(with(most), "") << sentence;
  EXPECT_EQ(with(least - step), sentence);
  EXPECT_EQ(with(most + step), sentence);
  if constexpr (std::is_floating_point_v<Number>) {
    EXPECT_EQ(with(std::numeric_limits<Number>::quiet_NaN()), sentence);
    EXPECT_EQ(with(std::numeric_limits<Number>::infinity()), sentence);
  }
}

TEST(LandmarkOptions, RangesAreNamed) {
  using O = LandmarkOptions;
  EXPECT_EQ(refusal([](O&, RunOptions&) {}), "");
  expect_range(&O::stages, 1, 256, 1, "the number of stages must be from 1 to 256");
  expect_range(&O::trees, 1, 10'000, 1, "the number of trees in a stage must be from 1 to 10000");
  expect_range(&O::depth, 1, 8, 1, "the depth of trees must be from 1 to 8");
  expect_range(&O::pixels, 2, 2000, 1, "the number of pixels in a stage must be from 2 to 2000");
  expect_range(&O::splits, 1, 1000, 1, "the number of tried splits must be from 1 to 1000");
  expect_range(&O::samples, 1, 10'000, 1, "the number of samples of a face must be from 1 to 10000");
  expect_range(&O::basis, 0, 256, 1, "the number of basis vectors must be from 0 to 256");
  expect_range(&O::confidence_trees, 0, 10'000, 1,
               "the number of trees of the confidence must be from 0 to 10000");
  expect_range(&O::rate, 0.001, 1.0, 1e-4, "the rate must be from 0.001 to 1");
  expect_range(&O::calm, 0.0, 1e6, 1e-4, "the calm must be from 0 to 1000000");
  expect_range(&O::scale_jitter, 0.0, 0.3, 1e-4, "the jitter of sizes must be from 0 to 0.3");
  expect_range(&O::move_jitter, 0.0, 0.3, 1e-4, "the jitter of places must be from 0 to 0.3");
  expect_range(&O::mixed, 0.0, 1.0, 1e-4, "the fraction of mixed shapes must be from 0 to 1");
  expect_range(&O::first_radius, 0.001, 2.0, 1e-4, "the radius around points must be from 0.001 to 2");
  expect_range(&O::last_radius, 0.001, 2.0, 1e-4, "the radius around points must be from 0.001 to 2");
  expect_range(&O::first_closeness, 0.001, 10.0, 1e-4, "the closeness of pixels must be from 0.001 to 10");
  expect_range(&O::last_closeness, 0.001, 10.0, 1e-4, "the closeness of pixels must be from 0.001 to 10");
  expect_range(&O::held_back, 0.0, 0.5, 1e-4, "the fraction that is held back must be from 0 to 0.5");
  expect_range(&O::presence_trees, 0, 10'000, 1,
               "the number of trees of the presence must be from 0 to 10000");
}

TEST(LandmarkOptions, RunsThatMakeNoSense) {
  using O = LandmarkOptions;
  EXPECT_EQ(refusal([](O&, RunOptions& run) { run.resume = true; }),
            "to go on, the folder of the state is needed");
  EXPECT_EQ(refusal([](O&, RunOptions& run) { run.memory = -1; }), "the memory must not be negative");
  EXPECT_NE(refusal([](O&, RunOptions& run) { run.machine.threads = -1; }), "");
  EXPECT_NE(refusal([](O&, RunOptions& run) { run.machine.devices.clear(); }), "");
}

TEST(LandmarkOptions, EyesAreTwoLists) {
  EXPECT_EQ(refusal([](LandmarkOptions& o, RunOptions&) { o.eyes = "0,2/1"; }), "");
  EXPECT_NE(refusal([](LandmarkOptions& o, RunOptions&) { o.eyes = "0,1"; }), "");
}

}  // namespace
}  // namespace winnow
