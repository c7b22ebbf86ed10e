// Tests that the confidence of a box follows the signs of this frame and of earlier ones.
#include "track/tld/confidence.h"

#include <gtest/gtest.h>

#include <cmath>

namespace winnow {
namespace {

constexpr FlowSigns kGoodFlow{1, 0.1};

double alone(double likeness, bool found, const std::optional<FlowSigns>& flow = kGoodFlow,
             SignMemory memory = {}) {
  return next_confidence({likeness, found, flow}, memory);
}

TEST(Confidence, RatiosLieOnLinesBetweenKnots) {
  constexpr confidence::Knot kKnots[] = {{1, 10}, {2, 20}, {4, 10}};
  for (const auto& [at, ratio] :
       {std::pair{0.0, 10.0}, {1, 10}, {1.5, 15}, {2, 20}, {3, 15}, {4, 10}, {9, 10}})
    EXPECT_DOUBLE_EQ(confidence::ratio_at(kKnots, at), ratio) << at;
  EXPECT_EQ(confidence::ratio_at(kKnots, std::nan("")), 10);
}

TEST(Confidence, IsTheProductOfRatios) {
  using namespace confidence;
  SignMemory memory{0.5, 0.6, 0};
  const double odds = ratio_at(kNotFound, 0.5) * ratio_at(kShareFound, 0.4) * ratio_at(kChange, -0.1) *
                      ratio_at(kBack, 3) * ratio_at(kKept, 0.7);
  EXPECT_NEAR(next_confidence({0.5, false, FlowSigns{0.7, 3}}, memory), odds / (1 + odds), 1e-12);
  EXPECT_DOUBLE_EQ(memory.found, 0.4);
  EXPECT_DOUBLE_EQ(memory.likeness, 0.59);
  EXPECT_DOUBLE_EQ(memory.back, 3);
}

TEST(Confidence, LiesBetweenNoneAndOne) {
  for (const bool found : {false, true})
    for (const double likeness : {-1.0, 0.0, 0.5, 1.0, std::nan("")})
      for (const SignMemory& memory : {SignMemory{}, SignMemory{0, 0, 1e6}, SignMemory{0, 1, 0}}) {
        const double confidence = alone(likeness, found, FlowSigns{0, 1e6}, memory);
        EXPECT_GT(confidence, 0);
        EXPECT_LT(confidence, 1);
      }
}

TEST(Confidence, IsHighOnAMarkedObjectAndLowOnAnotherThing) {
  EXPECT_GT(alone(0.95, true), 0.99);
  EXPECT_GT(alone(0.95, false), 0.9);
  EXPECT_LT(alone(0.2, false, FlowSigns{0.2, 6}, {0, 0.5, 0}), 0.05);
}

TEST(Confidence, FallsWhileNoWindowIsFound) {
  SignMemory memory{1, 0.5, 0};
  double before = 1;
  for (int frame = 0; frame < 10; ++frame) {
    const double now = next_confidence({0.5, false, kGoodFlow}, memory);
    EXPECT_LT(now, before) << frame;
    before = now;
  }
  EXPECT_GT(next_confidence({0.5, true, kGoodFlow}, memory), before) << "the search confirms the box";
}

TEST(Confidence, RemembersBadFlowUntilAWindowIsFound) {
  SignMemory shaken{0.2, 0.5, 0}, calm{0.2, 0.5, 0};
  next_confidence({0.5, false, FlowSigns{1, 8}}, shaken);
  next_confidence({0.5, false, kGoodFlow}, calm);
  for (int frame = 0; frame < 5; ++frame)
    EXPECT_LT(next_confidence({0.5, false, kGoodFlow}, shaken),
              next_confidence({0.5, false, kGoodFlow}, calm));
  EXPECT_EQ(next_confidence({0.5, true, kGoodFlow}, shaken), next_confidence({0.5, true, kGoodFlow}, calm));
}

TEST(Confidence, IsLowIfFewPointsCanBeFollowed) {
  EXPECT_LT(alone(0.5, false, FlowSigns{0.1, 0.1}), alone(0.5, false, FlowSigns{1, 0.1}));
  EXPECT_LT(alone(0.5, true, std::nullopt), alone(0.5, true, FlowSigns{1, 0.1})) << "a jump proves no motion";
}

TEST(Confidence, TheMemoryOfALostObjectKeepsItsLikeness) {
  SignMemory memory{0.8, 0.6, 4};
  memory.lose();
  EXPECT_EQ(memory.found, 0);
  EXPECT_EQ(memory.likeness, 0.6);
  EXPECT_EQ(memory.back, 0);
}

}  // namespace
}  // namespace winnow
