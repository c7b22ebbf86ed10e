// Tests what the bench of followed faces is made of: faces that move in a known way, errors of points, and lag.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "follow/followed_videos.h"
#include "follow/judged_covers.h"
#include "follow/moved_faces.h"
#include "follow/point_errors.h"

namespace bench {
namespace {

using winnow::Box;
using winnow::FaceState;
using winnow::Followed;
using winnow::GrayImage;
using winnow::Point;

constexpr int kSide = 240;
constexpr double kEyes = 80;

// 68 points of an upright face in the middle of the picture: jaw, brows, nose, eyes, and a closed mouth.
std::vector<Point> face_points() {
  std::vector<Point> points;
  for (int i = 0; i < 17; ++i) {
    const double angle = std::numbers::pi * (1 - i / 16.0);
    points.push_back({120 + 55 * std::cos(angle), 110 + 75 * std::sin(angle)});
  }
  for (int i = 0; i < 10; ++i) points.push_back({80 + i * 9.0, 85});
  for (int i = 0; i < 4; ++i) points.push_back({120, 100 + i * 9.0});
  for (int i = 0; i < 5; ++i) points.push_back({110 + i * 5.0, 132});
  for (const double left : {80.0, 136.0})
    for (const auto& [x, y] : {std::pair(0., 0.), {8., -4.}, {16., -4.}, {24., 0.}, {16., 4.}, {8., 4.}})
      points.push_back({left + x, 100 + y});
  for (const auto& [x, y] : {std::pair(98., 150.), {105., 145.}, {113., 143.}, {120., 144.}, {127., 143.},
                             {135., 145.},         {142., 150.}, {135., 157.}, {127., 159.}, {120., 160.},
                             {113., 159.},         {105., 157.}, {101., 150.}, {112., 150.}, {120., 150.},
                             {128., 150.},         {139., 150.}, {128., 150.}, {120., 150.}, {112., 150.}})
    points.push_back({x, y});
  return points;
}

// Smooth texture that differs everywhere, so that a pixel's value says where the pixel came from.
double texture(double x, double y) { return 130 + 60 * std::sin(x / 19) + 50 * std::sin(y / 23 + x / 61); }

GrayImage textured() {
  GrayImage image(kSide, kSide);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) image.row(y)[x] = static_cast<std::uint8_t>(0.5 + texture(x, y));
  return image;
}

double value_near(const GrayImage& image, const Point& point) {
  return std::as_const(image).row(static_cast<int>(std::lround(point.y)))[std::lround(point.x)];
}

MovedFace moved_face(Motion motion) {
  const GrayImage picture = textured();
  return {picture.view(), face_points(), motion};
}

TEST(MovedFace, PixelsMoveAsThePointsDo) {
  const std::vector<Point> marked = face_points();
  for (const Motion motion : {Motion::kMouth, Motion::kTurn, Motion::kShift}) {
    const MovedFace face = moved_face(motion);
    for (const int number : {0, 8, 11, 30, 43}) {
      const GrayImage frame = face.frame(number);
      const std::vector<Point> points = face.points(number);
      for (std::size_t i = 0; i < points.size(); ++i) {
        // Points on an edge of an open mouth have its inside beside them.
        if (motion == Motion::kMouth && i >= 60) continue;
        EXPECT_NEAR(value_near(frame, points[i]), texture(marked[i].x, marked[i].y), 6)
            << name_of(motion) << ", frame " << number << ", point " << i;
      }
    }
  }
}

TEST(MovedFace, TheMouthOpensByAQuarterOfTheEyesDistance) {
  const MovedFace face = moved_face(Motion::kMouth);
  ASSERT_EQ(eye_distance(face_points()), kEyes);
  for (const int number : kOpenFrames) {
    EXPECT_NEAR(lip_distance(face.points(number)), kEyes / 4, 1e-9);
    EXPECT_NEAR(mouth_opening(number), 0.25, 1e-9);
    const Point inside{120, 150 + 5};
    EXPECT_EQ(value_near(face.frame(number), inside), 30);
  }
  EXPECT_EQ(face.points(0), face.points(kMovedFrames - 1));
  const std::vector<Point> closed = face.points(0), open = face.points(kOpenFrames[0]);
  EXPECT_NEAR(open[8].y - closed[8].y, 0.8 * kEyes / 4, 1);  // the chin
  for (const std::size_t still : {0, 27, 36, 45, 60, 64})
    EXPECT_LT(distance(open[still], closed[still]), 1e-9);
}

// One half of the mouth of a face that looks aside is narrow, so neighbouring pixels move very differently.
TEST(MovedFace, HalfAMouthMayBeNarrow) {
  std::vector<Point> marked = face_points();
  for (std::size_t i = 48; i < marked.size(); ++i)
    if (marked[i].x > 120) marked[i].x = 120 + (marked[i].x - 120) / 6;
  const GrayImage picture = textured();
  const MovedFace face(picture.view(), marked, Motion::kMouth);
  const GrayImage frame = face.frame(kOpenFrames[0]);
  const std::vector<Point> points = face.points(kOpenFrames[0]);
  for (const std::size_t i : {8, 33, 51, 57})
    EXPECT_NEAR(value_near(frame, points[i]), texture(marked[i].x, marked[i].y), 6) << "point " << i;
}

TEST(MovedFace, TurnsByOneDegreeAFrame) {
  const MovedFace face = moved_face(Motion::kTurn);
  const auto roll = [&](int number) {
    const std::vector<Point> points = face.points(number);
    return std::atan2(points[45].y - points[36].y, points[45].x - points[36].x) * 180 / std::numbers::pi;
  };
  EXPECT_NEAR(roll(0), 0, 1e-9);
  EXPECT_NEAR(roll(10), 10, 1e-9);
  EXPECT_NEAR(roll(30), -10, 1e-9);
  for (int number = 1; number < kMovedFrames; ++number)
    EXPECT_NEAR(std::abs(roll(number) - roll(number - 1)), 1, 1e-9);
}

TEST(MovedFace, LightSinksToAHalfAndReturns) {
  const MovedFace face = moved_face(Motion::kLight);
  const GrayImage bright = face.frame(0), dark = face.frame(15), again = face.frame(30);
  const Point middle{kSide / 2, kSide / 2};
  EXPECT_NEAR(value_near(dark, middle), value_near(bright, middle) / 2, 1);
  EXPECT_NEAR(value_near(again, middle), value_near(bright, middle), 1);
  EXPECT_EQ(face.points(15), face_points());
}

// A face with all points at (x, 10), apart from the eye corners, which lie 50 pixels apart.
Followed face(int id, FaceState state, double x, int left = 0) {
  Followed made;
  made.id = id;
  made.state = state;
  made.box = {left, 0, 100, 100};
  made.shape.points.assign(68, {x, 10});
  made.shape.points[45].x += 50;
  return made;
}

TEST(AgeErrors, CountsFramesSinceASearch) {
  AgeErrors errors;
  const auto add = [&](FaceState state, double x) {
    errors.add(std::vector{face(7, FaceState::kFound, 0)}, std::vector{face(1, state, x)});
  };
  add(FaceState::kFound, 40);
  for (int n = 1; n <= 12; ++n) add(FaceState::kTracked, n);
  add(FaceState::kFound, 40);
  add(FaceState::kTracked, 3);
  EXPECT_EQ(errors.count(1, 9), 10);
  EXPECT_EQ(errors.count(1, 1), 2);
  EXPECT_DOUBLE_EQ(errors.mean(1, 1), 100 * 2 / 50.);
  EXPECT_DOUBLE_EQ(errors.mean(5, 9), 100 * 7 / 50.);
  EXPECT_EQ(errors.large(), 4);  // n = 6 to 9
}

// The second follower is searched one frame later, so only three faces can be compared.
TEST(AgeErrors, ComparesFacesOfTheSameAge) {
  AgeErrors first, second;
  for (int n = 0; n < 6; ++n) {
    const auto right = std::vector{face(7, FaceState::kFound, 0)};
    first.add(right, std::vector{face(1, n == 0 ? FaceState::kFound : FaceState::kTracked, n)});
    second.add(right, std::vector{face(1, n < 2 ? FaceState::kFound : FaceState::kTracked, 1)});
  }
  const AgeErrors* const both[] = {&first, &second};
  EXPECT_DOUBLE_EQ(first.mean_beside(both, 1, 4), 100 * 3 / 50.);  // frames 2 to 4
  EXPECT_DOUBLE_EQ(second.mean_beside(both, 1, 4), 100 * 1 / 50.);
  EXPECT_EQ(first.mean_beside(both, 5, 9), 0);
}

TEST(AgeErrors, LeavesOutFacesThatTheYardstickDidNotFind) {
  AgeErrors errors;
  const auto found = std::vector{face(1, FaceState::kFound, 0)},
             tracked = std::vector{face(1, FaceState::kTracked, 1)};
  errors.add(found, found);
  errors.add(tracked, tracked);
  errors.add(std::vector{face(1, FaceState::kFound, 0, 80)}, tracked);
  errors.add({}, tracked);
  EXPECT_EQ(errors.count(1, 9), 0);
  EXPECT_EQ(errors.mean(1, 9), 0);
  errors.add(std::vector{face(1, FaceState::kFound, 9, 40), face(2, FaceState::kFound, 0)}, tracked);
  EXPECT_EQ(errors.count(4, 4), 1);
  EXPECT_DOUBLE_EQ(errors.mean(4, 4), 100 / 50.);
}

TEST(LagOf, FindsTheShiftOfASeries) {
  for (const double lag : {-1.5, 0., 0.35, 4.}) {
    std::vector<double> measured;
    for (int i = 0; i < kMovedFrames; ++i) measured.push_back(0.1 + 0.5 * mouth_opening(i - lag));
    EXPECT_NEAR(lag_of(measured, mouth_opening), lag, 1e-9);
  }
}

TEST(VideoName, MayEnlargeFrames) {
  EXPECT_EQ(parse_video("a/b.mp4").times, 1);
  EXPECT_EQ(parse_video("a/b.mp4@3").file, "a/b.mp4");
  EXPECT_EQ(parse_video("a/b.mp4@3").times, 3);
  EXPECT_EQ(short_name(parse_video("a/b.mp4@3")), "b.mp4@3");
  EXPECT_EQ(short_name(parse_video("a/b.mp4@1")), "b.mp4");
  for (const char* file : {"b.mp4@", "b.mp4@0", "b.mp4@12", "me@home/b.mp4", "@3", ""}) {
    EXPECT_EQ(parse_video(file).file, file);
    EXPECT_EQ(parse_video(file).times, 1);
  }
}

// A frame with one white pixel at (2, 1). Three pixels have detail: the white one, and those at its left and
// above it.
TEST(FollowBench, WipedDetailIsThatOfCoveredPixels) {
  GrayImage frame(6, 4);
  for (int y = 0; y < 4; ++y) std::fill_n(frame.row(y), 6, 0);
  frame.row(1)[2] = 100;
  WipedDetail detail;
  detail.add(std::as_const(frame).view(), {{2, 1, 1, 1}}, {{{0, 0, 3, 2}}});
  EXPECT_EQ(detail.all, 400);
  EXPECT_EQ(detail.percent_wiped(), 50) << "the white pixel has 200";
  EXPECT_EQ(detail.percent_in_faces(), 100);
  detail.add(std::as_const(frame).view(), {}, {});
  EXPECT_EQ(detail.percent_wiped(), 25);
}

}  // namespace
}  // namespace bench
