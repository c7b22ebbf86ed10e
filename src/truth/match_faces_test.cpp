// Compares the boxes that faces get with pairs worked out by hand.
#include <gtest/gtest.h>

#include <limits>

#include <winnow/truth.h>

#include "truth/face_rule.h"

namespace winnow {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

Label label_of(std::vector<Point> points, bool ignore = false) {
  return {box_around(points), std::move(points), "", ignore};
}

// A face of two points: the corners of a square.
Label square(double x, double y, double side) { return label_of({{x, y}, {x + side, y + side}}); }

// The box of each label of a picture; kNone for a label without a box.
std::vector<std::size_t> boxes_of(std::vector<Label> labels, const std::vector<Box>& boxes) {
  std::vector<std::size_t> numbers;
  for (const auto& box : match_faces({"", "", std::move(labels)}, boxes))
    numbers.push_back(box.value_or(kNone));
  return numbers;
}

TEST(MatchFaces, BothMiddlesLieInTheOtherBox) {
  const Label face = square(10, 10, 20);  // its middle is (20, 20)
  const auto found = [&](const Box& box) { return boxes_of({face}, {box})[0] == 0; };
  EXPECT_TRUE(found({10, 10, 20, 20}));
  // The face's middle may lie on the edge of the box, but not beyond the edge.
  EXPECT_TRUE(found({20, 10, 20, 20}));
  EXPECT_FALSE(found({21, 10, 18, 20}));
  EXPECT_FALSE(found({10, 21, 20, 18}));
  EXPECT_FALSE(found({5, 10, 14, 20}));
  // A large box may hold the face's middle, while the box's middle lies beside the face.
  EXPECT_FALSE(found({0, 0, 100, 100}));
  EXPECT_TRUE(found({0, 0, 60, 60}));
  EXPECT_FALSE(found({0, 0, 60, 62}));
  EXPECT_TRUE(found({0, 0, 40, 40}));
}

TEST(MatchFaces, EachLabelAndEachBoxOnce) {
  const std::vector<Label> labels{square(0, 0, 20), square(4, 0, 20)};
  // The first box fits both labels, but fits the second label better.
  EXPECT_EQ(boxes_of(labels, {{4, 0, 20, 20}, {0, 0, 24, 20}}), (std::vector<std::size_t>{1, 0}));
  // One box for two labels goes to the label that it overlaps most.
  EXPECT_EQ(boxes_of(labels, {{3, 0, 20, 20}}), (std::vector<std::size_t>{kNone, 0}));
  // If two boxes fit one label, the label gets the better box.
  EXPECT_EQ(boxes_of({labels[0]}, {{2, 0, 20, 20}, {1, 0, 20, 20}}), (std::vector<std::size_t>{1}));
  EXPECT_EQ(boxes_of(labels, {}), (std::vector<std::size_t>{kNone, kNone}));
}

TEST(MatchFaces, EqualPairsGoByOrder) {
  EXPECT_EQ(boxes_of({square(0, 0, 20)}, {{2, 0, 20, 20}, {-2, 0, 20, 20}}), (std::vector<std::size_t>{0}));
  EXPECT_EQ(boxes_of({square(0, 0, 20), square(4, 0, 20)}, {{2, 0, 20, 20}}),
            (std::vector<std::size_t>{0, kNone}));
}

TEST(MatchFaces, IgnoredLabelsAndThoseWithoutPointsGetNoBox) {
  Label ignored = square(0, 0, 20);
  ignored.ignore = true;
  const Label without{{0, 0, 20, 20}, {}, "", false};
  EXPECT_EQ(boxes_of({ignored, without, square(1, 0, 20)}, {{0, 0, 20, 20}, {0, 0, 20, 20}}),
            (std::vector<std::size_t>{kNone, kNone, 0}));
}

}  // namespace
}  // namespace winnow
