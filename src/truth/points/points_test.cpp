// Checks what names and places of points tell: partners, eyes, known orders, and symmetric shapes.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/random.h"
#include "truth/points/known_shapes.h"
#include "truth/points/mean_points.h"
#include "truth/points/mirror_pairs.h"
#include "truth/points/point_columns.h"
#include "truth/points/point_names.h"

namespace winnow {
namespace {

using Numbers = std::vector<std::uint16_t>;
using Names = std::vector<std::string>;

Numbers mirrored(const Names& names) { return scheme_of_names(names).mirrored; }

TEST(PointNames, SidesInUsualSpellings) {
  const Numbers pairs{1, 0, 2, 4, 3};
  for (const Names& names : std::initializer_list<Names>{
           {"left_eye", "right_eye", "nose", "left_mouth", "right_mouth"},
           {"lefteye", "righteye", "nose", "leftmouth", "rightmouth"},
           {"LeftEye", "RightEye", "Nose", "MouthLeft", "MouthRight"},
           {"eye.L", "eye.R", "nose", "mouth.L", "mouth.R"},
           {"leye", "reye", "nose", "lmouth", "rmouth"},
           {"LE", "RE", "N", "LM", "RM"},
           {"eye l", "eye r", "nose", "mouth corner l", "mouth corner r"},
           {"left eye 1", "right eye 1", "nose", "left mouth 2", "right mouth 2"},
           {"oeil gauche", "oeil droit", "nez", "bouche gauche", "bouche droite"},
           {"right_eye", "left_eye", "nose", "mouth_right_corner", "mouth_left_corner"}}) {
    EXPECT_EQ(mirrored(names), pairs) << names[0];
    EXPECT_EQ(scheme_of_names(names).has_eyes(), names[0] != "oeil gauche") << names[0];
  }
}

TEST(PointNames, CornersOfEyesChangeBothSides) {
  EXPECT_EQ(mirrored({"left_eye_left", "left_eye_right", "right_eye_left", "right_eye_right"}),
            (Numbers{3, 2, 1, 0}));
  const PointScheme scheme = scheme_of_names(Names{"left_eye_inner", "left_eye_outer", "right_eye_inner",
                                                   "right_eye_outer", "left_eyebrow", "right_eyebrow"});
  EXPECT_EQ(scheme.mirrored, (Numbers{2, 3, 0, 1, 5, 4}));
  EXPECT_EQ(scheme.left_eye, (Numbers{0, 1}));
  EXPECT_EQ(scheme.outer_corners, (Numbers{1, 3}));
}

TEST(PointNames, NamesThatDoNotTell) {
  EXPECT_TRUE(mirrored({"left_eye", "nose", "mouth"}).empty());  // no partner
  EXPECT_TRUE(mirrored({"left_eye", "right_eye", "left_ear"}).empty());
  EXPECT_TRUE(mirrored({"a", "b", "c"}).empty());
  EXPECT_TRUE(mirrored({"left_eye", "right_eye", "mouth1", "mouth2"}).empty());  // which mouth is left?
  EXPECT_TRUE(mirrored({"left_eye", "right_eye", "left_eye"}).empty());
  EXPECT_FALSE(scheme_of_names(Names{"nose", "left_ear", "right_ear"}).has_eyes());
  const PointScheme eyes = scheme_of_names(Names{"eye1", "eye2", "nose"});
  EXPECT_EQ(eyes.left_eye, Numbers{0});
  EXPECT_EQ(eyes.right_eye, Numbers{1});
  EXPECT_TRUE(eyes.mirrored.empty());
}

TEST(PointNames, TheSchemeOf68) {
  Names names;
  for (std::size_t i = 0; i < 68; ++i) names.push_back(ibug_name(i));
  const PointScheme all = scheme_of_names(names);
  ASSERT_EQ(all.mirrored.size(), 68u);
  for (std::size_t i = 0; i < 68; ++i) EXPECT_EQ(all.mirrored[all.mirrored[i]], i);
  // Points on the middle line stay: the chin, the bridge of the nose, the lips.
  std::vector<std::size_t> middle;
  for (std::size_t i = 0; i < 68; ++i)
    if (all.mirrored[i] == i) middle.push_back(i);
  EXPECT_EQ(middle, (std::vector<std::size_t>{8, 27, 28, 29, 30, 33, 51, 57, 62, 66}));
  const std::pair<std::size_t, std::size_t> pairs[] = {
      {0, 16},  {7, 9},   {17, 26}, {21, 22}, {31, 35}, {36, 45}, {37, 44}, {38, 43}, {39, 42},
      {40, 47}, {41, 46}, {48, 54}, {50, 52}, {55, 59}, {56, 58}, {60, 64}, {61, 63}, {65, 67}};
  for (const auto& [left, right] : pairs) EXPECT_EQ(all.mirrored[left], right);
  EXPECT_EQ(all.left_eye, (Numbers{36, 37, 38, 39, 40, 41}));
  EXPECT_EQ(all.outer_corners, (Numbers{36, 45}));
  // Points may be chosen in any order. There are no pairs if a partner is not chosen.
  EXPECT_EQ(mirrored({ibug_name(8), ibug_name(16), ibug_name(0)}), (Numbers{0, 2, 1}));
  EXPECT_TRUE(mirrored({ibug_name(8), ibug_name(16), ibug_name(1)}).empty());
  EXPECT_TRUE(mirrored({"ibug 68", "ibug 0"}).empty());
}

TEST(PointNames, Columns) {
  EXPECT_EQ(names_of_columns(Names{"lefteye_x", "lefteye_y", "nose_x", "nose_y"}),
            (Names{"lefteye", "nose"}));
  EXPECT_EQ(names_of_columns(Names{"x_Nose", "y_Nose"}), Names{"Nose"});
  EXPECT_EQ(names_of_columns(Names{"nose.X", "nose.Y"}), Names{"nose"});
  EXPECT_EQ(names_of_columns(Names{"x0", "y0", "x1", "y1"}), Names{});
  EXPECT_EQ(names_of_columns(Names{"p0_x", "p0_y"}), Names{});
  EXPECT_EQ(names_of_columns(Names{"nose_x", "mouth_y"}), Names{});
  EXPECT_EQ(names_of_columns(Names{"nose_x"}), Names{});
  EXPECT_EQ(names_of_columns(Names{"x_toy", "y_toy"}), Names{"toy"});
  EXPECT_EQ(names_of_columns(Names{"nose_y", "nose_x"}), Names{});
}

// A shape that is its own mirror image: pairs 2 i and 2 i + 1, then points in the middle.
std::vector<Point> symmetric(std::size_t pairs, std::size_t middle, double noise) {
  std::vector<Point> points;
  Random random(5, pairs, middle);
  for (std::size_t i = 0; i < pairs; ++i) {
    const double x = random.real(0.3, 1), y = random.real(-1, 1);
    points.push_back({-x, y});
    points.push_back({x, y});
  }
  for (std::size_t i = 0; i < middle; ++i) points.push_back({0, random.real(-1, 1)});
  for (Point& p : points) p.x += noise * random.bell(), p.y += noise * random.bell();
  return normal_shape(points);
}

TEST(MirrorPairs, AreFoundInSmallAndLargeShapes) {
  for (const auto& [pairs, middle] : std::initializer_list<std::pair<std::size_t, std::size_t>>{
           {1, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 3}, {12, 5}, {40, 0}}) {
    const MirrorPairs found = find_mirror_pairs(symmetric(pairs, middle, 0.0005));
    ASSERT_EQ(found.mirrored.size(), 2 * pairs + middle) << pairs;
    for (std::size_t i = 0; i < found.mirrored.size(); ++i)
      EXPECT_EQ(found.mirrored[i], i < 2 * pairs ? (i ^ 1) : i) << pairs << ", point " << i;
  }
}

TEST(MirrorPairs, LeanAndUnclearShapes) {
  // A mean shape that leans by 15 degrees is still upright enough; one that lies on its side is not.
  const std::vector<Point> shape = symmetric(2, 1, 0);
  const auto turned = [&](double angle) {
    std::vector<Point> result;
    for (const Point& p : shape)
      result.push_back(
          {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y});
    return find_mirror_pairs(result);
  };
  EXPECT_EQ(turned(0.15).mirrored, (Numbers{1, 0, 3, 2, 4}));
  EXPECT_TRUE(turned(1.1).mirrored.empty());
  EXPECT_TRUE(find_mirror_pairs(symmetric(3, 1, 0.2)).mirrored.empty());
  // Two points of the middle that nearly meet may be a pair or not.
  const std::vector<Point> near =
      normal_shape(std::vector<Point>{{-1, 0}, {1.01, 0}, {-0.004, 1}, {0.004, 1.001}});
  EXPECT_TRUE(find_mirror_pairs(near).mirrored.empty());
}

TEST(MirrorPairs, LargeShapesWithoutSymmetry) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed, 1, 2);
    std::vector<Point> points;
    for (int i = 0; i < 40; ++i) points.push_back({random.real(-1, 1), random.real(-1, 1)});
    EXPECT_TRUE(find_mirror_pairs(normal_shape(points)).mirrored.empty()) << seed;
  }
}

TEST(MeanPoints, FacesAreTurnedBeforeTheyAreAdded) {
  const std::vector<Point> first = symmetric(2, 1, 0), second = symmetric(2, 1, 0.2);
  std::vector<Point> turned;
  for (const Point& p : second)
    turned.push_back({std::cos(1.2) * p.x - std::sin(1.2) * p.y, std::sin(1.2) * p.x + std::cos(1.2) * p.y});
  const std::vector<std::vector<Point>> level{first, second}, mixed{first, turned};
  EXPECT_LT(shape_distance(mean_of_faces(level), mean_of_faces(mixed)), 0.01);
}

TEST(KnownShapes, OtherFivePointsAreNotTakenForEyeCorners) {
  const auto names = [](const std::vector<Point>& points) { return names_of_shape(normal_shape(points)); };
  EXPECT_EQ(names({{20, 40}, {39, 41}, {66, 41}, {85, 40}, {52, 75}})[4], ibug_name(33));
  EXPECT_TRUE(names({{30, 35}, {70, 35}, {50, 60}, {35, 80}, {65, 80}}).empty());
  EXPECT_TRUE(names({{0, 40}, {33, 39}, {67, 39}, {100, 40}, {50, 66}}).empty());  // ears, eyes, nose
  EXPECT_TRUE(names({{39, 41}, {20, 40}, {66, 41}, {85, 40}, {52, 75}}).empty());
  EXPECT_TRUE(names_of_shape(symmetric(34, 0, 0)).empty());
}

}  // namespace
}  // namespace winnow
