// Tests the face benches' tables of primitives and of a frame's steps, and the moving picture in the frames.
#include <gtest/gtest.h>

#include <winnow/backend.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/device/device_for_test.h"
#include "faces/call_time.h"
#include "faces/moving_picture.h"
#include "faces/primitive_tables.h"
#include "faces/scaled_search.h"
#include "faces/step_tables.h"
#include "primitives/compact.h"

namespace bench {
namespace {

using winnow::GrayImage;
using winnow::Size;

const winnow::MachineOptions kHost{winnow::BackendKind::kCpu, 1, {0}};

GrayImage slope(int width, int height) {
  GrayImage image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.row(y)[x] = static_cast<std::uint8_t>(200 + x + 2 * y);
  return image;
}

// The number of rows that have `value` in the named column.
std::size_t rows_with(const ResultList& list, const std::string& column, const std::string& value) {
  const auto at = std::find(list.columns.begin(), list.columns.end(), column) - list.columns.begin();
  return static_cast<std::size_t>(std::count_if(list.rows.begin(), list.rows.end(), [&](const auto& row) {
    return row[static_cast<std::size_t>(at)] == value;
  }));
}

// Tests that each row has a value for each column, and a positive rate.
void expect_rates(const ResultList& list, std::size_t rows) {
  ASSERT_EQ(list.rows.size(), rows);
  const auto rate = std::find(list.columns.begin(), list.columns.end(), "rate") - list.columns.begin();
  for (const auto& row : list.rows) {
    ASSERT_EQ(row.size(), list.columns.size());
    EXPECT_GT(row[static_cast<std::size_t>(rate)], 0);
  }
}

TEST(MedianMilliseconds, RunsTwiceMoreThanItCounts) {
  int calls = 0;
  median_milliseconds({true, 5, 1e9}, [&] { ++calls; });
  EXPECT_EQ(calls, 7);
}

TEST(MedianMilliseconds, StopsEarlyAfterThreeSlowCalls) {
  int calls = 0;
  const double ms = median_milliseconds({false, 50, 1}, [&] {
    ++calls;
    for (const auto start = std::chrono::steady_clock::now();
         std::chrono::steady_clock::now() - start < std::chrono::milliseconds(3);) {
    }
  });
  EXPECT_EQ(calls, 5);
  EXPECT_GE(ms, 3);
}

TEST(MedianMilliseconds, CountsProcessorTimeForOneThreadOfTheHostOnly) {
  EXPECT_TRUE(calls_on(kHost, 1).processor);
  EXPECT_FALSE(calls_on({winnow::BackendKind::kCpu, 2, {0}}, 1).processor);
  EXPECT_FALSE(calls_on({winnow::BackendKind::kCuda, 1, {0}}, 1).processor);
}

TEST(MovingPicture, LiesInTheMiddleOfAFrame) {
  const GrayImage picture = slope(10, 10);
  const GrayImage ground = textured_ground({80, 160}), frame = frame_with(picture.view(), {80, 160});
  const GrayImage scaled = scaled_to(picture.view(), 50);
  for (int y = 0; y < 160; ++y) {
    for (int x = 0; x < 80; ++x) {
      const bool inside = x >= 15 && x < 65 && y >= 55 && y < 105;
      ASSERT_EQ(frame.row(y)[x], inside ? scaled.row(y - 55)[x - 15] : ground.row(y)[x]) << x << " " << y;
    }
  }
}

TEST(MovingPicture, KeepsItsShapeWhenScaled) {
  EXPECT_EQ(scaled_to(slope(10, 20).view(), 60).size(), (Size{30, 60}));
  EXPECT_EQ(scaled_to(slope(40, 20).view(), 10).size(), (Size{10, 5}));
  EXPECT_TRUE(scaled_to({}, 10).empty());
}

TEST(MovingPicture, IsCutAtTheFramesEdges) {
  const GrayImage picture = slope(6, 6);
  GrayImage frame(8, 8);
  put_picture(frame, picture.view(), -2, 5);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      EXPECT_EQ(frame.row(y)[x], y >= 5 && x < 4 ? picture.row(y - 5)[x + 2] : 0) << x << " " << y;
}

TEST(MovingPicture, GoesToAndFro) {
  const GrayImage picture = slope(32, 32);
  const Size size{160, 128};
  const MovingPicture video(picture.view(), size);
  const GrayImage scaled = scaled_to(picture.view(), picture_side(size));
  const auto shows = [&](int number, int step) {
    const winnow::GrayView frame = video.frame(number);
    const int left = 10 + 3 * step, top = 8 + step;
    for (int y = 0; y < 80 && top + y < 128; ++y)
      for (int x = 0; x < 80 && left + x < 160; ++x)
        if (frame.row(top + y)[left + x] != scaled.row(y)[x]) return false;
    return true;
  };
  for (const auto& [number, step] : {std::pair(0, 0), {1, 1}, {23, 23}, {24, 22}, {45, 1}, {46, 0}, {47, 1}})
    EXPECT_TRUE(shows(number, step)) << number;
  EXPECT_FALSE(shows(1, 0));
}

TEST(MovingPicture, IsGroundAloneWithoutAPicture) {
  const MovingPicture video({}, {64, 48});
  const GrayImage ground = textured_ground({64, 48});
  std::set<int> greys;
  for (const int number : {0, 7, 30})
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 64; ++x) {
        ASSERT_EQ(video.frame(number).row(y)[x], ground.row(y)[x]);
        greys.insert(ground.row(y)[x]);
      }
  EXPECT_GT(greys.size(), 20U) << "flat ground is no texture";
}

TEST(PrimitiveTables, HalfOfTheListLives) {
  const LivingList list = living_list(10'001);
  std::vector<std::int64_t> out(10'001), wanted(10'001);
  out.resize(compact_std(list, out));
  wanted.resize(winnow::compact_ref(list.windows, list.mask, wanted));
  EXPECT_EQ(out, wanted);
  EXPECT_NEAR(static_cast<double>(out.size()), 5000, 250);
}

TEST(PrimitiveTables, PlanesOfTheStandardLibraryAreThoseOfTheReference) {
  for (const Size size : {Size{1, 1}, Size{1, 7}, Size{9, 1}, Size{37, 21}}) {
    const GrayImage picture = slope(size.width, size.height);
    const int width = size.width + 1, height = size.height + 1;
    const std::vector<std::uint32_t> spoilt(static_cast<std::size_t>(width * height), 77);
    const auto planes = [&](std::vector<std::uint32_t>& sum, std::vector<std::uint32_t>* square) {
      return winnow::IntegralPlanes{
          {sum.data(), width, height, 4 * width},
          square ? winnow::PlaneView{square->data(), width, height, 4 * width} : winnow::PlaneView{},
          {}};
    };
    std::vector<std::uint32_t> sum = spoilt, square = spoilt, wanted_sum = spoilt, wanted_square = spoilt,
                               alone = spoilt;
    winnow::integral_ref(picture.view(), planes(wanted_sum, &wanted_square));
    integral_std(picture.view(), planes(sum, &square));
    integral_std(picture.view(), planes(alone, nullptr));
    EXPECT_EQ(sum, wanted_sum);
    EXPECT_EQ(square, wanted_square);
    EXPECT_EQ(alone, wanted_sum);
  }
}

void expect_primitive_tables(bool device) {
  const std::vector<std::size_t> counts = {1, 64, 1000};
  const std::vector<Size> sizes = {{33, 20}, {64, 48}};
  const std::string where = device ? "cuda" : "cpu";
  const ResultList sums = reduction_results(counts, device, 1),
                   living = compaction_results(counts, device, 1),
                   planes = integral_results(sizes, device, 1);
  EXPECT_EQ(sums.name, "face_reduction_" + where);
  expect_rates(sums, 4);
  expect_rates(living, 5);
  expect_rates(planes, 5);
  EXPECT_EQ(rows_with(planes, "planes", "sums and squares"), 2U);
  for (const ResultList& list : {sums, living, planes})
    EXPECT_EQ(rows_with(list, "on", "this machine"), list.rows.size() - (list.name == living.name ? 2 : 1));
}

TEST(PrimitiveTables, TimeEverySize) { expect_primitive_tables(false); }

#ifdef WINNOW_HAVE_CUDA
TEST(PrimitiveTablesCuda, TimeEverySize) {
  WINNOW_NEEDS_DEVICE();
  expect_primitive_tables(true);
}
#else
TEST(PrimitiveTablesCuda, NeedABuildWithCuda) {
  EXPECT_ANY_THROW(reduction_results(std::vector<std::size_t>{1}, true, 1));
  EXPECT_ANY_THROW(compaction_results(std::vector<std::size_t>{1}, true, 1));
  EXPECT_ANY_THROW(integral_results(std::vector<Size>{{4, 4}}, true, 1));
}
#endif

// A cascade of one stump that all windows with texture pass.
winnow::Cascade all_pass() {
  winnow::CascadeModel model;
  model.window = {20, 20};
  model.stages.push_back({0, 1, 0});
  model.trees.push_back({0, 1, 0});
  model.nodes.push_back({0, -1, 0, -100});
  model.leaves = {0.f, 1.f};
  winnow::HaarFeature feature;
  feature.rects[0] = {{0, 0, 20, 20}, -1};
  feature.rects[1] = {{5, 5, 10, 10}, 4};
  model.haar.push_back(feature);
  return winnow::Cascade(model);
}

TEST(ScaledSearch, JudgesAsManyWindowsAsItSays) {
  const winnow::Cascade cascade = all_pass();
  const GrayImage ground = textured_ground({57, 45});
  for (const int step : {1, 2, 3}) {
    const ScaledSearch search{1.2, step};
    EXPECT_EQ(static_cast<std::int64_t>(scaled_search(ground.view(), cascade.model(), search).size()),
              scaled_windows(ground.size(), cascade.window(), search));
  }
  EXPECT_EQ(scaled_windows({19, 40}, cascade.window(), {1.2, 1}), 0);
}

TEST(HaarTables, HaveARowForEachSearchAndInput) {
  const std::vector<double> scales = {1, 0.5};
  const GrayImage face = slope(20, 20);
  const TableRun run{kHost, 1, "a command"};
  const ResultList with = haar_results(all_pass(), face.view(), {52, 44}, scales, run);
  expect_rates(with, 2 * 2 * 4 + 2);
  EXPECT_EQ(with.name, "face_haar_cpu");
  EXPECT_EQ(rows_with(with, "size", "26x22"), 8U);
  EXPECT_EQ(rows_with(with, "scene", "a face"), 8U);
  const ResultList without = haar_results(all_pass(), {}, {52, 44}, scales, run);
  expect_rates(without, 2 * 4 + 2);
  EXPECT_EQ(rows_with(without, "scene", "a face"), 0U);
}

// In a level of the input's size, the rule's step is 2, and the dense search has step 1.
TEST(HaarTables, CountTheWindowsOfBothSteps) {
  const std::vector<double> scales = {1};
  const ResultList list = haar_results(all_pass(), {}, {23, 23}, scales, {kHost, 1, ""});
  EXPECT_EQ(list.rows[0][0], "Winnow, step by its rule");
  EXPECT_LE(list.rows[0][3], 4);
  EXPECT_GE(list.rows[1][3], 6);
  EXPECT_LE(list.rows[1][3], 9);
  EXPECT_EQ(list.rows[2][3], 16);
  EXPECT_EQ(list.rows[3][3], 4);
}

TEST(FlowTables, HaveARowForEachSetupAndNumber) {
  const std::vector<int> points = {3, 50};
  const std::vector<winnow::FlowOptions> setups = flow_setups();
  const ResultList list = flow_results(points, {160, 120}, {kHost, 1, "a command"});
  EXPECT_EQ(list.name, "face_flow_cpu");
  expect_rates(list, 2 * setups.size() + 3);
  EXPECT_EQ(setups[0].levels, 3);
  for (std::size_t i = 0; i < 2 * setups.size(); ++i) {
    EXPECT_EQ(list.rows[i][1], setups[i / 2].levels);
    EXPECT_EQ(list.rows[i][4], points[i % 2]);
  }
  EXPECT_GE(list.rows[1][5], 80) << "most of 50 random points are found";
}

TEST(PipelineTables, FollowThePictureOrNone) {
  const auto detector = winnow::DetectorModel::load("built-in:face");
  const auto landmarks = winnow::Landmarks::load("built-in:face-68");
  const std::vector<Size> sizes = {{160, 120}, {360, 640}};
  const GrayImage picture = slope(24, 24);
  const TableRun run{kHost, 1, "a command"};
  const ResultList with = pipeline_results(detector, landmarks, picture.view(), sizes, run);
  EXPECT_EQ(with.name, "face_pipeline_cpu");
  expect_rates(with, 2 * 2 * 2 + 3);
  EXPECT_EQ(rows_with(with, "size", "360x640"), 4U);
  EXPECT_EQ(rows_with(with, "scene", "a face"), 6U);  // two of these rows have the thesis's figures
  const ResultList without = pipeline_results(detector, landmarks, {}, sizes, run);
  expect_rates(without, 2 * 2 + 3);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(without.rows[i][4], 0) << "the ground has no face";
}

}  // namespace
}  // namespace bench
