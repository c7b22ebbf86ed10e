#include "eval/match_rule.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

Label boxed(RealBox box) { return {box, {}, "", false}; }

// The eyes are 10 apart at one height. The middle of the mouth is 8 below the eyes, so the span is 10.
Label face() {
  return {{10, 20, 10, 8}, {{10, 20}, {20, 20}, {15, 24}, {12, 28}, {15, 28}, {18, 28}}, "", false};
}

EvalRule by_points() {
  EvalRule rule;
  rule.match = MatchKind::kPoints;
  return rule;
}

TEST(MatchRule, HalfAnOverlapIsEnough) {
  const EvalRule rule;
  EXPECT_EQ(match({0, 0, 10, 10}, boxed({0, 0, 10, 5}), rule), 0.5);
  EXPECT_FALSE(match({0, 0, 10, 10}, boxed({0, 0, 10, 4.99}), rule));
  EvalRule strict;
  strict.iou = 0.7;
  EXPECT_FALSE(match({0, 0, 10, 10}, boxed({0, 0, 10, 5}), strict));
}

TEST(MatchRule, TheObjectLiesInsideTheBox) {
  EvalRule rule;
  const Label person = boxed({16, 16, 32, 96});
  EXPECT_FALSE(match({0, 0, 64, 128}, person, rule));
  rule.place.margin = 0.125;  // the object is 48 x 96
  EXPECT_EQ(match({0, 0, 64, 128}, person, rule), 32. / 48);
  rule.place.aspect = 0.25;  // box and label are 24 wide and have the same middle
  EXPECT_EQ(match({0, 0, 64, 128}, person, rule), 1);
  EXPECT_EQ(match({6, 0, 64, 128}, person, rule), 18. / 30);
  const Label ignored = [] {
    Label label = boxed({0, 0, 31, 128});
    label.ignore = true;
    return label;
  }();
  EXPECT_FALSE(match({0, 0, 64, 128}, ignored, rule)) << "11 of 24 columns are covered";
  rule.place = {};
  rule.iou = 0.48;
  EXPECT_TRUE(match({0, 0, 64, 128}, ignored, rule)) << "31 of 64";
}

TEST(MatchRule, OfWhatIsIgnoredAFractionIsEnough) {
  Label crowd = boxed({0, 0, 1000, 1000});
  EXPECT_FALSE(match({0, 0, 10, 10}, crowd, EvalRule()));
  crowd.ignore = true;
  EXPECT_EQ(match({0, 0, 10, 10}, crowd, EvalRule()), 1);
  EXPECT_EQ(match({-5, 0, 10, 10}, crowd, EvalRule()), 0.5);
  EXPECT_FALSE(match({-6, 0, 10, 10}, crowd, EvalRule()));
  // A rule by points uses the box of an ignored label without points.
  EXPECT_TRUE(match({0, 0, 10, 10}, crowd, by_points()));
}

TEST(MatchRule, ASpanIsTheLargerDistance) {
  EXPECT_DOUBLE_EQ(label_span(face(), by_points()), 10);
  Label tall = face();
  tall.points[4] = {15, 33};
  EXPECT_DOUBLE_EQ(label_span(tall, by_points()), 13);
  // The mouth's distance is measured from the line through the eyes, not from the middle between the eyes.
  tall.points[4] = {100, 33};
  EXPECT_DOUBLE_EQ(label_span(tall, by_points()), 13);
  Label turned = face();  // a face turned by 90 degrees
  for (Point& p : turned.points) p = {-p.y, p.x};
  EXPECT_DOUBLE_EQ(label_span(turned, by_points()), 10);
  Label one_eyed = face();
  one_eyed.points[1] = one_eyed.points[0];
  one_eyed.points[4] = {10, 28};
  EXPECT_DOUBLE_EQ(label_span(one_eyed, by_points()), 8);
}

TEST(MatchRule, ABoxHoldsTheNamedPoints) {
  EXPECT_TRUE(match({10, 20, 10, 8}, face(), by_points()));  // the points lie on the box's edges
  EXPECT_FALSE(match({11, 20, 10, 8}, face(), by_points()));
  EXPECT_FALSE(match({10, 20, 9, 8}, face(), by_points()));
  EXPECT_FALSE(match({10, 20, 10, 7}, face(), by_points()));
  // Points 3 and 5, the corners of the mouth, may lie outside.
  Label grin = face();
  grin.points[3] = {0, 28};
  grin.points[5] = {30, 28};
  EXPECT_TRUE(match({10, 20, 10, 8}, grin, by_points()));
  EvalRule mouth = by_points();
  mouth.hold = {3, 4, 5};
  EXPECT_FALSE(match({10, 20, 10, 8}, grin, mouth));
}

TEST(MatchRule, AndIsNotTooLarge) {
  EXPECT_TRUE(match({0, 0, 45, 45}, face(), by_points()));
  EXPECT_FALSE(match({0, 0, 46, 45}, face(), by_points()));
  EXPECT_FALSE(match({0, 0, 45, 46}, face(), by_points()));
  EvalRule loose = by_points();
  loose.at_most = 5;
  EXPECT_TRUE(match({0, 0, 46, 45}, face(), loose));
}

}  // namespace
}  // namespace winnow
