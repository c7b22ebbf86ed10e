// Tests that points are carried again from where the camera's motion brings them.
#include "track/tld/camera_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "track/tld/box_motion.h"

namespace winnow {
namespace {

constexpr Size kFrame{200, 150};
constexpr RealBox kBox{50, 40, 30, 30};

TEST(CameraMotion, PointsLieOutsideOfTheBox) {
  std::vector<FlowPlace> points;
  camera_points(kFrame, kBox, 5, points);
  // Every tenth pixel from 5 on; from 45 to 85 and from 35 to 75 they lie within the margin.
  EXPECT_EQ(points.size(), 300u - 5 * 5);
  EXPECT_EQ(points.front(), (FlowPlace{4.5F, 4.5F}));
  EXPECT_EQ(points.back(), (FlowPlace{194.5F, 144.5F}));
  camera_points(kFrame, kBox, 5.5, points);
  EXPECT_EQ(points.size(), 300u - 5 * 5);
  camera_points(kFrame, kBox, 4.5, points);
  EXPECT_EQ(points.size(), 300u - 3 * 3);
  camera_points(kFrame, {-10, -10, 300, 300}, 0, points);
  EXPECT_TRUE(points.empty());
}

// `count` points that step by (7, -3), and as many less one that step elsewhere.
struct Steps {
  std::vector<FlowPlace> points;
  std::vector<FlowResult> flow;
  explicit Steps(int count, float back = 0.5F, float others_back = 0.5F) {
    for (int i = 0; i < 2 * count - 1; ++i) {
      const FlowPlace from{static_cast<float>(i), 20};
      points.push_back(from);
      const FlowPlace to = i % 2 == 0 ? FlowPlace{from.x + 7, 17} : FlowPlace{from.x - 50, 90};
      flow.push_back({to, 0, i % 2 == 0 ? back : others_back, 0, 1});
    }
  }
};

TEST(CameraMotion, TheShiftIsTheMedian) {
  Steps steps(60);
  EXPECT_EQ(camera_shift(steps.points, steps.flow, 1), (FlowPlace{7, -3}));
  // Points that come back far away, or are not found, do not count.
  for (std::size_t i = 0; i < 20; i += 2) steps.flow[i].found = 0;
  EXPECT_NE(camera_shift(steps.points, steps.flow, 1), (FlowPlace{7, -3}));
  EXPECT_EQ(camera_shift(Steps(60, 1).points, Steps(60, 1).flow, 1), (FlowPlace{7, -3}));
  const Steps far(60, 0.5F, 1.01F);
  EXPECT_EQ(camera_shift(far.points, far.flow, 1), (FlowPlace{7, -3}));
}

TEST(CameraMotion, TheShiftIsInWholePixels) {
  Steps steps(60);
  for (FlowResult& result : steps.flow) result.place = {result.place.x + 0.375F, result.place.y - 0.375F};
  EXPECT_EQ(camera_shift(steps.points, steps.flow, 1), (FlowPlace{7, -3}));
}

TEST(CameraMotion, AFifthOfTheGridMustComeBack) {
  const Steps enough(60, 1, 2), few(59, 1, 2);
  EXPECT_TRUE(camera_shift(enough.points, enough.flow, 1));
  EXPECT_FALSE(camera_shift(few.points, few.flow, 1));
  EXPECT_TRUE(camera_shift(few.points, few.flow, 2)) << "enlarged, two pixels are near";
}

// The camera moves by (30, -4), and the object by (2, 1) more. Flow finds the object only from near by.
class Shaken final : public FlowRunner {
 public:
  float camera_back = 0;
  int kept = 100;
  std::vector<FlowRules> calls;

  void keep(GrayView, const FlowRules&) override {}
  void forget() override {}
  bool has_before() const override { return true; }
  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override {
    calls.push_back(rules);
    const bool near = std::abs(rules.shift.x - 30) < 1 && std::abs(rules.shift.y + 4) < 1;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float x = points[i].x + (near ? 32.0F : 30.0F), y = points[i].y - (near ? 3.0F : 4.0F);
      const bool found = !near || i < static_cast<std::size_t>(kept);
      results[i] = {{x, y}, 0, near ? 0 : camera_back, 0.9F, found ? 1 : 0};
    }
  }
};

// Flow of the box that is torn, and what the second try makes of it.
std::optional<RealBox> carried(Shaken& runner, int enlarged = 1) {
  std::vector<FlowPlace> points;
  grid_points(kBox, points);
  std::vector<FlowResult> flow(points.size(), {{0, 0}, 0, 99, 0.5F, 1});
  FlowRules rules;
  rules.levels = 6;
  rules.back = rules.ncc = true;
  carry_with_camera({kBox, kFrame, rules, enlarged}, runner, points, flow);
  return moved_box(kBox, points, flow, kFrame, enlarged);
}

TEST(CameraMotion, TornFlowBeginsWhereTheCameraBringsThePoints) {
  Shaken runner;
  const RealBox box = carried(runner).value();
  EXPECT_NEAR(box.x, kBox.x + 32, 1e-4);
  EXPECT_NEAR(box.y, kBox.y - 3, 1e-4);
  ASSERT_EQ(runner.calls.size(), 2u);
  EXPECT_EQ(runner.calls[0].shift, FlowPlace{});
  EXPECT_EQ(runner.calls[0].levels, 6);
  EXPECT_EQ(runner.calls[1].shift, (FlowPlace{30, -4}));
  EXPECT_EQ(runner.calls[1].levels, 2);
  EXPECT_TRUE(runner.calls[1].ncc) << "the box needs it";
}

TEST(CameraMotion, AnEnlargedObjectNeedsMoreLevels) {
  Shaken runner;
  EXPECT_TRUE(carried(runner, 4));
  ASSERT_EQ(runner.calls.size(), 2u);
  EXPECT_EQ(runner.calls[1].levels, 4);
}

TEST(CameraMotion, FlowStaysTornIfPointsAreLost) {
  Shaken runner;
  runner.kept = 90;
  EXPECT_TRUE(carried(runner));
  runner.kept = 89;
  EXPECT_FALSE(carried(runner));
}

TEST(CameraMotion, FlowStaysTornIfTheCameraIsNotSeen) {
  Shaken runner;
  runner.camera_back = 2;
  EXPECT_FALSE(carried(runner));
  EXPECT_EQ(runner.calls.size(), 1u);
}

}  // namespace
}  // namespace winnow
