// Checks what a training takes points for: pairs by options, by names, by places and by the mean face.
#include "train/landmarks/landmark_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <winnow/error.h>

#include "base/random.h"
#include "truth/points/point_names.h"

namespace winnow {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<std::uint16_t>;

// Eyes, nose and corners of the mouth, in the order of RetinaFace, MTCNN and YuNet.
const std::vector<Point> kRetina{{30, 35}, {70, 35}, {50, 60}, {35, 80}, {65, 80}};

// Faces with these points, each moved a little and turned by up to half a radian.
FaceSet set_of(const std::vector<Point>& pattern, int faces = 30) {
  FaceSet set;
  for (int f = 0; f < faces; ++f) {
    Random random(3, f);
    const double lean = random.real(-0.5, 0.5), cosine = std::cos(lean), sine = std::sin(lean);
    TrainingFace& face = set.faces.emplace_back();
    for (const Point& at : pattern) {
      const double x = at.x + 1.5 * random.bell(), y = at.y + 1.5 * random.bell();
      face.points.push_back({cosine * x - sine * y + 300, sine * x + cosine * y + 300});
    }
  }
  return set;
}

std::vector<Point> in_order(const std::vector<Point>& points, const std::vector<std::size_t>& order) {
  std::vector<Point> result;
  for (const std::size_t i : order) result.push_back(points[i]);
  return result;
}

TEST(LandmarkScheme, PairsComeFromTheMeanFace) {
  const std::pair<std::vector<std::size_t>, Numbers> orders[] = {{{0, 1, 2, 3, 4}, {1, 0, 2, 4, 3}},
                                                                 {{2, 0, 1, 4, 3}, {0, 2, 1, 4, 3}},
                                                                 {{3, 0, 4, 2, 1}, {2, 4, 0, 3, 1}}};
  for (const auto& [order, mirrored] : orders) {
    const LearnedScheme learned = learned_scheme(set_of(in_order(kRetina, order)));
    EXPECT_EQ(learned.scheme.mirrored, mirrored);
    EXPECT_FALSE(learned.scheme.has_eyes());
    EXPECT_THAT(learned.mirrored_sentence, HasSubstr("by the marks"));
    EXPECT_THAT(learned.norm_sentence, HasSubstr("the side of the box"));
  }
}

TEST(LandmarkScheme, NoFaceNoPairs) {
  const FaceSet set = set_of({{10, 12}, {80, 30}, {43, 70}, {25, 90}, {66, 5}, {90, 77}, {33, 41}});
  const LearnedScheme learned = learned_scheme(set);
  EXPECT_TRUE(learned.scheme.mirrored.empty());
  EXPECT_THAT(learned.mirrored_sentence, HasSubstr("no face is mirrored"));
  EXPECT_THAT(learned.mirrored_sentence, HasSubstr("--mirrored"));
}

TEST(LandmarkScheme, NamesComeBeforeTheMeanFace) {
  FaceSet set = set_of(kRetina);
  // The names are those of points that lie upright, one above the other.
  set.names = {"eye_left", "nose", "eye_right", "chin", "brow"};
  const LearnedScheme learned = learned_scheme(set);
  EXPECT_EQ(learned.scheme.mirrored, (Numbers{2, 1, 0, 3, 4}));
  EXPECT_EQ(learned.scheme.left_eye, Numbers{0});
  EXPECT_EQ(learned.mirrored_sentence, "mirrored, eye_left and eye_right change places, by their names");
  EXPECT_EQ(learned.norm_sentence, "errors are divided by the distance of the pupils");
  set.names.pop_back();
  EXPECT_THROW(learned_scheme(set), Error);
}

TEST(LandmarkScheme, OptionsComeFirst) {
  FaceSet set = set_of(kRetina);
  set.names = {"eye_left", "eye_right", "nose", "mouth_left", "mouth_right"};
  LandmarkOptions options;
  options.mirrored = {0, 1, 2, 4, 3};
  options.eyes = "3/4";
  const LearnedScheme learned = learned_scheme(set, options);
  EXPECT_EQ(learned.scheme.mirrored, (Numbers{0, 1, 2, 4, 3}));
  EXPECT_EQ(learned.scheme.right_eye, Numbers{4});
  EXPECT_THAT(learned.mirrored_sentence, HasSubstr("--mirrored"));
  options.mirror = false;
  EXPECT_TRUE(learned_scheme(set, options).scheme.mirrored.empty());
  options = {};
  options.eyes = "0/5";
  EXPECT_THROW(learned_scheme(set, options), Error);
  options = {};
  options.mirrored = {1, 0};
  EXPECT_THROW(learned_scheme(set, options), Error);
  options.mirrored = {1, 2, 0, 3, 4};
  EXPECT_THROW(learned_scheme(set, options), Error);
}

// Corners of the eyes and a nose lie where no other five points of a face do.
TEST(LandmarkScheme, PlacesThatLeaveNoDoubt) {
  const std::vector<Point> five{{20, 40}, {39, 41}, {66, 41}, {85, 40}, {52, 75}};
  const LearnedScheme learned = learned_scheme(set_of(five));
  EXPECT_EQ(learned.scheme.mirrored, (Numbers{3, 2, 1, 0, 4}));
  EXPECT_EQ(learned.scheme.left_eye, (Numbers{0, 1}));
  EXPECT_EQ(learned.scheme.outer_corners, (Numbers{0, 3}));
  EXPECT_EQ(learned.scheme.names.front(), ibug_name(36));
  // dlib's model of five points has another order.
  const LearnedScheme dlib = learned_scheme(set_of(in_order(five, {3, 2, 0, 1, 4})));
  EXPECT_EQ(dlib.scheme.mirrored, (Numbers{2, 3, 0, 1, 4}));
  EXPECT_EQ(dlib.scheme.names.front(), ibug_name(45));
}

}  // namespace
}  // namespace winnow
