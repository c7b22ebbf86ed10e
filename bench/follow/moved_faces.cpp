#include "moved_faces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>

namespace bench {
namespace {

using winnow::GrayImage;
using winnow::GrayView;
using winnow::Point;

constexpr double kPi = std::numbers::pi;
constexpr double kMostOpen = 0.25;
constexpr int kFirstOpen = 3, kLastOpen = 51, kOpenPeriod = 16, kLightPeriod = 30;
constexpr double kLowerPart = 0.8;  // the lower lip's part of the opening; the upper lip has the rest
// Below the line between the lips, pixels down to the chin move as the lip does. Farther down the motion ends.
// The moving part is wider at the chin than at the lips.
constexpr double kChin = 0.6, kThroat = 1.2, kWider = 0.6;
constexpr double kNose = 0.25;       // above the line, the motion ends below the nose
constexpr double kInside = 30;       // the grey of an open mouth
constexpr double kMostDegrees = 10;  // degrees of a turn
constexpr double kSpeed = 2;         // pixels a frame

// Goes from 0 to 10, to -10, and back to 0 in 40 frames, by 1 a frame.
double swing(int number) {
  const int at = (number + 10) % 40;
  return at < 20 ? at - 10 : 30 - at;
}

// Falls smoothly from 1 at 0 to 0 at 1.
double fall(double value) {
  const double cosine = std::cos(kPi / 2 * std::clamp(value, 0.0, 1.0));
  return cosine * cosine;
}

double pixel_at(const GrayView& picture, const Point& point) {
  const double x = std::clamp(point.x, 0.0, picture.width - 1.0),
               y = std::clamp(point.y, 0.0, picture.height - 1.0);
  const int left = std::min(static_cast<int>(x), picture.width - 2),
            top = std::min(static_cast<int>(y), picture.height - 2);
  const double right = x - left, below = y - top;
  const std::uint8_t *upper = picture.row(top) + left, *lower = picture.row(top + 1) + left;
  return (1 - below) * ((1 - right) * upper[0] + right * upper[1]) +
         below * ((1 - right) * lower[0] + right * lower[1]);
}

Point between(const Point& a, const Point& b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

Point turned(const Point& point, const Point& middle, double degrees) {
  const double cosine = std::cos(degrees * kPi / 180), sine = std::sin(degrees * kPi / 180);
  const double x = point.x - middle.x, y = point.y - middle.y;
  return {middle.x + cosine * x - sine * y, middle.y + sine * x + cosine * y};
}

// Points of the lower lip's edges move down also if they were marked above the line.
bool is_lower_lip(std::size_t index) { return (index >= 55 && index <= 59) || index >= 65; }
bool is_upper_lip(std::size_t index) { return index >= 48 && !is_lower_lip(index); }

}  // namespace

const char* name_of(Motion motion) {
  static constexpr const char* kNames[] = {"the mouth opens", "the face turns", "the face shifts",
                                           "the light changes"};
  return kNames[static_cast<int>(motion)];
}

double mouth_opening(double time) {
  if (time <= kFirstOpen || time >= kLastOpen) return 0;
  return kMostOpen * (1 - std::cos(2 * kPi * (time - kFirstOpen) / kOpenPeriod)) / 2;
}

double distance(const Point& a, const Point& b) { return std::hypot(a.x - b.x, a.y - b.y); }
double eye_distance(const std::vector<Point>& points) { return distance(points[36], points[45]); }
double lip_distance(const std::vector<Point>& points) { return distance(points[62], points[66]); }

MovedFace::MovedFace(GrayView picture, std::vector<Point> points, Motion motion)
    : picture_(picture.width, picture.height), points_(std::move(points)), motion_(motion) {
  for (int y = 0; y < picture.height; ++y) std::copy_n(picture.row(y), picture.width, picture_.row(y));
  eyes_ = eye_distance(points_);
  across_x_ = (points_[45].x - points_[36].x) / eyes_;
  across_y_ = (points_[45].y - points_[36].y) / eyes_;
  if (motion_ == Motion::kMouth) {
    middle_ = between(points_[62], points_[66]);
    for (const auto& [upper, lower] : std::array<std::pair<std::size_t, std::size_t>, 5>{
             {{60, 60}, {61, 67}, {62, 66}, {63, 65}, {64, 64}}})
      line_.push_back(place_of(between(points_[upper], points_[lower])));
    return;
  }
  for (const Point& point : points_) {
    middle_.x += point.x / static_cast<double>(points_.size());
    middle_.y += point.y / static_cast<double>(points_.size());
  }
}

MovedFace::Place MovedFace::place_of(const Point& point) const {
  const double x = (point.x - middle_.x) / eyes_, y = (point.y - middle_.y) / eyes_;
  return {x * across_x_ + y * across_y_, y * across_x_ - x * across_y_};
}

Point MovedFace::point_of(const Place& place) const {
  return {middle_.x + eyes_ * (place.right * across_x_ - place.down * across_y_),
          middle_.y + eyes_ * (place.right * across_y_ + place.down * across_x_)};
}

double MovedFace::lip_line(double right) const {
  if (right <= line_.front().right) return line_.front().down;
  for (std::size_t i = 1; i < line_.size(); ++i) {
    const Place &from = line_[i - 1], &to = line_[i];
    if (right < to.right)
      return from.down + (to.down - from.down) * (right - from.right) / (to.right - from.right);
  }
  return line_.back().down;
}

// 1 in the middle of the mouth, and 0 beyond its corners, which lie farther aside by `wider`.
double MovedFace::middle_share(double right, double wider) const {
  const double half = (right < 0 ? -line_.front().right : line_.back().right) + wider;
  return std::abs(right) < half ? std::cos(kPi / 2 * right / half) : 0;
}

double MovedFace::shift_below(const Place& place, double opening) const {
  const double depth = std::max(0.0, place.down - lip_line(place.right));
  return kLowerPart * opening * middle_share(place.right, kWider * std::min(depth, kChin)) *
         fall((depth - kChin) / (kThroat - kChin));
}

double MovedFace::shift_above(const Place& place, double opening) const {
  const double height = std::max(0.0, lip_line(place.right) - place.down);
  return (kLowerPart - 1) * opening * middle_share(place.right, 0) * fall(height / kNose);
}

Point MovedFace::moved(const Point& point, std::size_t index, int number) const {
  if (motion_ == Motion::kTurn) return turned(point, middle_, kMostDegrees / 10 * swing(number));
  if (motion_ == Motion::kShift) return {point.x + kSpeed * swing(number), point.y};
  if (motion_ == Motion::kLight) return point;
  Place place = place_of(point);
  const bool is_below = is_lower_lip(index) || (!is_upper_lip(index) && place.down > lip_line(place.right));
  const double opening = mouth_opening(number);
  place.down += is_below ? shift_below(place, opening) : shift_above(place, opening);
  return point_of(place);
}

double MovedFace::value_at(const Point& pixel, int number) const {
  const GrayView picture = picture_.view();
  if (motion_ == Motion::kTurn)
    return pixel_at(picture, turned(pixel, middle_, -kMostDegrees / 10 * swing(number)));
  if (motion_ == Motion::kShift) return pixel_at(picture, {pixel.x - kSpeed * swing(number), pixel.y});
  if (motion_ == Motion::kLight) {
    const double wave = std::sin(kPi * number / kLightPeriod), dark = wave * wave;
    return pixel_at(picture, pixel) * (1 - dark * (0.35 + 0.3 * pixel.x / picture.width));
  }
  const double opening = mouth_opening(number);
  if (opening == 0) return pixel_at(picture, pixel);
  const Place to = place_of(pixel);
  const Place line{to.right, lip_line(to.right)};
  const bool is_below = to.down >= line.down + shift_below(line, opening);
  if (!is_below && to.down > line.down + shift_above(line, opening)) return kInside;
  // Finds the place that moves to this pixel. A lower place always moves to a lower pixel, so halving finds it.
  const auto shift_of = [&](const Place& place) {
    return is_below ? shift_below(place, opening) : shift_above(place, opening);
  };
  if (shift_of(to) == 0) return pixel_at(picture, pixel);
  Place from = to;
  double upper = to.down - kMostOpen, lower = to.down + kMostOpen;
  for (int i = 0; i < 16; ++i) {
    from.down = (upper + lower) / 2;
    (from.down + shift_of(from) < to.down ? upper : lower) = from.down;
  }
  return pixel_at(picture, point_of(from));
}

GrayImage MovedFace::frame(int number) const {
  GrayImage made(picture_.width(), picture_.height());
  for (int y = 0; y < made.height(); ++y)
    for (int x = 0; x < made.width(); ++x)
      made.row(y)[x] = static_cast<std::uint8_t>(
          std::clamp(value_at({static_cast<double>(x), static_cast<double>(y)}, number) + 0.5, 0.0, 255.0));
  return made;
}

std::vector<Point> MovedFace::points(int number) const {
  std::vector<Point> all;
  for (std::size_t i = 0; i < points_.size(); ++i) all.push_back(moved(points_[i], i, number));
  return all;
}

}  // namespace bench
