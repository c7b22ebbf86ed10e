#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "scale/plan.h"

namespace winnow {
namespace {

LevelPlan plan_of(const PlanRequest& request) {
  LevelPlan plan;
  plan_levels(request, plan);
  return plan;
}

TEST(Plan, WindowThatFillsThePicture) {
  const LevelPlan plan = plan_of({{24, 24}, {24, 24}, 1.1, {}, {}});
  ASSERT_EQ(plan.levels.size(), 1u);
  const Level& level = plan.levels[0];
  EXPECT_EQ(level.scale, 1.f);
  EXPECT_EQ((Size{level.width, level.height}), (Size{24, 24}));
  EXPECT_EQ(level.step, 2);
  EXPECT_EQ(level.cols, 1);
  EXPECT_EQ(level.rows, 1);
  EXPECT_EQ(level.window, (Size{24, 24}));
  EXPECT_EQ(plan.window_count, 1);
}

TEST(Plan, PictureSmallerThanTheWindow) {
  for (const Size picture : {Size{0, 0}, Size{1, 1}, Size{23, 24}, Size{24, 23}, Size{1000, 23}}) {
    const LevelPlan plan = plan_of({picture, {24, 24}, 1.1, {}, {}});
    EXPECT_TRUE(plan.levels.empty()) << picture.width << "x" << picture.height;
    EXPECT_EQ(plan.window_count, 0);
  }
}

TEST(Plan, ScalesArePowersOfTheFactorCastToFloat) {
  const LevelPlan plan = plan_of({{640, 480}, {20, 20}, 1.1, {}, {}});
  double factor = 1;
  for (const Level& level : plan.levels) {
    EXPECT_EQ(level.scale, static_cast<float>(factor));
    EXPECT_EQ(level.step, factor < 2 ? 2 : 1) << factor;
    factor *= 1.1;
  }
  // 20 * 1.1^33 = 464.5 still fits 480 rows, 20 * 1.1^34 = 511 does not.
  EXPECT_EQ(plan.levels.size(), 34u);
  EXPECT_EQ(plan.levels[0].cols, (640 - 20 + 1 + 1) / 2);
  EXPECT_EQ(plan.levels[0].rows, (480 - 20 + 1 + 1) / 2);
}

TEST(Plan, AnyFactorAboveOneEnds) {
  for (const double factor : {100., 1e8, 3e8, 1e9, 1e10, 1e20, 1e300, 1.7e308}) {
    const LevelPlan plan = plan_of({{640, 480}, {24, 24}, factor, {}, {}});
    ASSERT_EQ(plan.levels.size(), 1u) << factor;
    EXPECT_EQ(plan.levels[0].scale, 1.f);
  }
}

TEST(Plan, AWindowThatRoundsBeyondThePictureEndsTheList) {
  // 20 * 1.58 is 31.6, and 20 * 1.52 is 30.4.
  for (const Size picture : {Size{100, 31}, Size{31, 100}}) {
    EXPECT_EQ(plan_of({picture, {20, 20}, 1.58, {}, {}}).levels.size(), 1u);
    EXPECT_EQ(plan_of({picture, {20, 20}, 1.52, {}, {}}).levels.size(), 2u);
  }
}

TEST(Plan, StepIsOneFromScaleTwoOn) {
  const LevelPlan plan = plan_of({{100, 100}, {24, 24}, 2.0, {}, {}});
  ASSERT_EQ(plan.levels.size(), 3u);
  EXPECT_EQ(plan.levels[0].step, 2);
  EXPECT_EQ(plan.levels[1].step, 1);
  EXPECT_EQ(plan.levels[1].first_window, plan.levels[0].rows * plan.levels[0].cols);
}

// Halves round to even: 2.5 becomes 2, so a window 1 wide at scale 2.5 fits a picture 2 wide. 3.5 becomes 4.
TEST(Plan, HalvesRoundToEven) {
  const LevelPlan plan = plan_of({{2, 2}, {1, 1}, 2.5, {}, {}});
  ASSERT_EQ(plan.levels.size(), 2u);
  EXPECT_EQ(plan.levels[1].window, (Size{2, 2}));
  EXPECT_EQ((Size{plan.levels[1].width, plan.levels[1].height}), (Size{1, 1}));
  const LevelPlan other = plan_of({{3, 3}, {1, 1}, 3.5, {}, {}});
  EXPECT_EQ(other.levels.size(), 1u);
}

TEST(Plan, LimitsKeepTheScalesBetweenThem) {
  const PlanRequest all{{640, 480}, {24, 24}, 1.2, {}, {}};
  PlanRequest some = all;
  some.min_size = {50, 50};
  some.max_size = {200, 200};
  std::vector<float> wanted, got;
  for (const Level& level : plan_of(all).levels) {
    if (level.window.width >= 50 && level.window.width <= 200) wanted.push_back(level.scale);
  }
  for (const Level& level : plan_of(some).levels) got.push_back(level.scale);
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(got.size(), 8u);  // 50, 60, 72, 86, 103, 124, 149, 178
  // A side of 0 is no limit. A maximum limits only if both of its sides are given.
  some = all;
  some.max_size = {0, 30};
  EXPECT_EQ(plan_of(some).levels.size(), plan_of(all).levels.size());
}

// No scale satisfies these limits. The plan takes the scale whose window is nearest to the minimum size,
// whatever the maximum is.
TEST(Plan, ContradictingLimitsLeaveOneLevel) {
  const LevelPlan plan = plan_of({{640, 480}, {20, 20}, 1.1, {100, 20}, {90, 90}});
  ASSERT_EQ(plan.levels.size(), 1u);
  EXPECT_EQ(plan.levels[0].window, (Size{57, 57}));
  EXPECT_GT(plan.window_count, 0);
  EXPECT_EQ(plan.levels[0].first_window, 0);
}

TEST(Plan, MinimumLargerThanThePicture) {
  const LevelPlan plan = plan_of({{100, 80}, {24, 24}, 1.1, {500, 500}, {}});
  ASSERT_EQ(plan.levels.size(), 1u);
  EXPECT_EQ(plan.levels[0].window, (Size{75, 75}));  // the largest that fits 80 rows
}

// OpenCV's HOG: the last window is rounded up to 308 rows in a picture of 307, and the level is searched.
TEST(Plan, HogWindowsMayBeRoundedBeyondThePicture) {
  PlanRequest request{{308, 307}, {64, 128}, 1.05, {}, {}};
  request.rules = {ScaleRule::kOpenCvHog, StepRule::kFixed, {8, 8}};
  const LevelPlan plan = plan_of(request);
  ASSERT_EQ(plan.levels.size(), 19u);
  EXPECT_EQ(plan.levels.back().window, (Size{154, 308}));
  EXPECT_EQ(plan.window_count, 4408);
  request.max_size = {0, 307};
  EXPECT_EQ(plan_of(request).levels.size(), 18u);
}

// OpenCV's HOG: padding may make room for the first level's windows, but for no other level's.
TEST(Plan, PaddingMakesRoomOnTheFirstLevelAlone) {
  PlanRequest request{{60, 200}, {64, 128}, 1.05, {}, {}};
  request.rules = {ScaleRule::kOpenCvHog, StepRule::kFixed, {8, 8}};
  EXPECT_TRUE(plan_of(request).levels.empty());
  request.padding = {16, 0};
  const LevelPlan plan = plan_of(request);
  ASSERT_EQ(plan.levels.size(), 1u);
  EXPECT_EQ(plan.levels[0].cols, (60 + 32 - 64) / 8 + 1);
}

// OpenCV makes a stripe of rows for each 32 columns in which windows may begin: one for a picture 24 + 1
// pixels wide. A level of step 2 searches only the rows of whole stripes.
TEST(Plan, RowsThatStripesLeaveOut) {
  // The span is 2 x 7 pixels, and the step is 2. One stripe has 7 / 2 = 3 steps: rows 0, 2 and 4, but not 6.
  const LevelPlan narrow = plan_of({{25, 30}, {24, 24}, 2.0, {}, {}});
  ASSERT_EQ(narrow.levels.size(), 1u);
  EXPECT_EQ(narrow.levels[0].cols, 1);
  EXPECT_EQ(narrow.levels[0].rows, 3);
  // Two stripes of ceil(3 / 2) = 2 steps cover all four rows.
  const LevelPlan wide = plan_of({{24 + 33, 30}, {24, 24}, 2.0, {}, {}});
  ASSERT_EQ(wide.levels.size(), 1u);
  EXPECT_EQ(wide.levels[0].rows, 4);
  // Up to 32 columns fill one stripe.
  EXPECT_EQ(plan_of({{24 + 31, 30}, {24, 24}, 2.0, {}, {}}).levels[0].rows, 3);
  // An even span leaves no row out.
  EXPECT_EQ(plan_of({{25, 31}, {24, 24}, 2.0, {}, {}}).levels[0].rows, 4);
}

// The levels from scale 1 on are the same as without enlarging, stripes included.
TEST(Plan, EnlargedLevelsStandBeforeTheOthers) {
  for (const ScaleRule rule : {ScaleRule::kOpenCvList, ScaleRule::kOpenCvHog}) {
    PlanRequest request{{101, 67}, {24, 20}, 1.1, {}, {}};
    request.rules.scale = rule;
    const LevelPlan own = plan_of(request);
    request.enlarge = 1.5;  // 1.1^4 is 1.46, 1.1^5 is 1.61
    const LevelPlan plan = plan_of(request);
    ASSERT_EQ(plan.levels.size(), own.levels.size() + 4);
    double enlarged = 1;
    for (std::size_t i = 4; i-- > 0;) {
      enlarged *= 1.1;
      const Level& level = plan.levels[i];
      EXPECT_EQ(level.scale, static_cast<float>(1 / enlarged));
      EXPECT_EQ(level.factor, rule == ScaleRule::kOpenCvHog ? 1 / enlarged : 0);
      EXPECT_EQ(level.width, std::lrint(101 * enlarged));
      EXPECT_EQ(level.height, std::lrint(67 * enlarged));
      EXPECT_EQ(level.window, (Size{static_cast<int>(std::lrint(24 / enlarged)),
                                    static_cast<int>(std::lrint(20 / enlarged))}));
      EXPECT_EQ(level.cols, (level.width - 24) / level.step + 1);
      EXPECT_EQ(level.rows, (level.height - 20) / level.row_step + 1);
    }
    const std::int64_t before = plan.levels[4].first_window;
    for (std::size_t i = 0; i < own.levels.size(); ++i) {
      const Level &level = plan.levels[i + 4], &same = own.levels[i];
      EXPECT_EQ(level.scale, same.scale);
      EXPECT_EQ((Size{level.cols, level.rows}), (Size{same.cols, same.rows}));
      EXPECT_EQ(level.first_window, same.first_window + before);
    }
    EXPECT_EQ(plan.window_count, own.window_count + before);
  }
}

TEST(Plan, APowerOfTheFactorIsReached) {
  for (const auto& [factor, enlarge, levels] :
       {std::tuple(1.1, 1.1, 1), std::tuple(1.1, 1.21, 2), std::tuple(1.1, 1.2099, 1), std::tuple(2., 4., 2),
        std::tuple(1.5, 1., 0), std::tuple(1.05, 1.05 * 1.05 * 1.05, 3), std::tuple(5., 4., 0)}) {
    PlanRequest request{{40, 40}, {24, 24}, factor, {}, {}};
    const std::size_t own = plan_of(request).levels.size();
    request.enlarge = enlarge;
    EXPECT_EQ(plan_of(request).levels.size(), own + static_cast<std::size_t>(levels)) << factor;
  }
}

// Only enlarged levels that hold the window are searched. If no enlarged level does, the plan has no levels.
TEST(Plan, APictureSmallerThanTheWindowIsEnlarged) {
  for (const ScaleRule rule : {ScaleRule::kOpenCvList, ScaleRule::kOpenCvHog}) {
    PlanRequest request{{20, 30}, {24, 24}, 1.1, {}, {}};
    request.rules.scale = rule;
    request.enlarge = 1.5;
    const LevelPlan plan = plan_of(request);
    ASSERT_EQ(plan.levels.size(), 3u);  // 20 * 1.1 is 22, 20 * 1.21 is 24.2
    EXPECT_EQ(plan.levels[2].width, 24);
    EXPECT_EQ(plan.levels[2].cols, 1);
    EXPECT_EQ(plan.levels[0].window, (Size{16, 16}));
    request.enlarge = 1.15;
    EXPECT_TRUE(plan_of(request).levels.empty());
  }
}

TEST(Plan, LimitsHoldForEnlargedLevels) {
  PlanRequest request{{60, 60}, {20, 20}, 1.25, {15, 15}, {17, 17}};
  request.enlarge = 2;  // windows of 16, 13 and 10 pixels
  LevelPlan plan = plan_of(request);
  ASSERT_EQ(plan.levels.size(), 1u);
  EXPECT_EQ(plan.levels[0].window, (Size{16, 16}));
  request.max_size = {17, 0};  // by OpenCV's rule a side of 0 means no limit
  EXPECT_GT(plan_of(request).levels.size(), 3u);
  request.rules.scale = ScaleRule::kOpenCvHog;
  ASSERT_EQ(plan_of(request).levels.size(), 1u);
  request.max_levels = 1;  // counts from scale 1
  request.min_size = request.max_size = {};
  plan = plan_of(request);
  ASSERT_EQ(plan.levels.size(), 4u);
  EXPECT_EQ(plan.levels[3].factor, 1);
}

// Window ids are counted level by level and row by row.
TEST(Plan, PlaceWindowGivesIdsBack) {
  for (const PlanRequest& request :
       {PlanRequest{{90, 70}, {24, 24}, 1.1, {}, {}}, PlanRequest{{25, 200}, {20, 24}, 1.4, {}, {}},
        PlanRequest{{131, 64}, {3, 3}, 1.3, {10, 10}, {40, 40}},
        PlanRequest{{24, 24}, {24, 24}, 1.01, {}, {}}}) {
    SCOPED_TRACE(testing::Message() << request.picture.width << "x" << request.picture.height);
    const LevelPlan plan = plan_of(request);
    std::int64_t id = 0;
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
      const Level& level = plan.levels[l];
      EXPECT_EQ(level.first_window, id);
      for (int row = 0; row < level.rows; ++row) {
        for (int col = 0; col < level.cols; ++col, ++id) {
          const WindowPlace place = place_window(plan, id);
          ASSERT_EQ(place.level, static_cast<int>(l));
          ASSERT_EQ(place.x, col * level.step);
          ASSERT_EQ(place.y, row * level.step);
          ASSERT_LE(place.x + request.window.width, level.width);
          ASSERT_LE(place.y + request.window.height, level.height);
        }
      }
    }
    EXPECT_EQ(id, plan.window_count);
  }
}

TEST(Plan, MemoryIsUsedAgain) {
  LevelPlan plan;
  plan_levels({{640, 480}, {24, 24}, 1.1, {}, {}}, plan);
  const Level* before = plan.levels.data();
  plan_levels({{320, 240}, {24, 24}, 1.1, {}, {}}, plan);
  EXPECT_EQ(plan.levels.data(), before);
  EXPECT_EQ(plan.levels[0].width, 320);
}

TEST(Plan, WindowBoxRoundsTheCornerAndKeepsTheSize) {
  Level level;
  level.scale = 1.5f;
  level.window = {36, 30};
  EXPECT_EQ(window_box(level, 1, 3), (Box{2, 4, 36, 30}));  // 1.5 -> 2, 4.5 -> 4
}

}  // namespace
}  // namespace winnow
