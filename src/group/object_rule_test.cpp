// Tests which merged objects the caller gets, and with which boxes.
#include "group/object_rule.h"

#include <gtest/gtest.h>

#include <optional>

namespace winnow {
namespace {

// The object's box as the caller gets it; none if the caller does not get it.
std::optional<Box> finished(const ObjectRule& rule, const Box& box, double score = 1) {
  Candidate object{};
  object.box = box;
  object.score = score;
  if (!finish_object(rule, object)) return std::nullopt;
  return object.box;
}

TEST(ObjectRule, BoxesAreCutToThePicture) {
  const ObjectRule rule{{100, 80}};
  EXPECT_EQ(finished(rule, {90, 70, 20, 20}), (Box{90, 70, 10, 10}));
  EXPECT_EQ(finished(rule, {-5, -5, 20, 20}), (Box{0, 0, 15, 15}));
  EXPECT_EQ(finished(rule, {100, 0, 20, 20}), std::nullopt) << "nothing is left of it";
}

TEST(ObjectRule, BoxesMayStayAsTheyAre) {
  const ObjectRule rule{.picture = {100, 80}, .clip = false};
  EXPECT_EQ(finished(rule, {90, 70, 20, 20}), (Box{90, 70, 20, 20}));
}

// In a search with padding, windows may lie mostly outside of the picture. Only a border shows mirror images.
TEST(ObjectRule, TheMiddleMattersOnlyWithABorder) {
  ObjectRule rule{.picture = {100, 80}};
  EXPECT_EQ(finished(rule, {-40, 10, 50, 50}), (Box{0, 10, 10, 50}));
  rule.margin = 30;
  EXPECT_EQ(finished(rule, {-10, 40, 50, 50}), std::nullopt) << "its middle is in the border";
  EXPECT_EQ(finished(rule, {5, 40, 50, 50}), (Box{0, 10, 25, 50})) << "its middle is on the edge";
  EXPECT_EQ(finished(rule, {4, 40, 50, 50}), std::nullopt);
}

TEST(ObjectRule, TheLeastScoreIsEnough) {
  const ObjectRule rule{.picture = {100, 80}, .min_score = 0.5};
  EXPECT_TRUE(finished(rule, {0, 0, 10, 10}, 0.5));
  EXPECT_FALSE(finished(rule, {0, 0, 10, 10}, 0.499));
}

}  // namespace
}  // namespace winnow
