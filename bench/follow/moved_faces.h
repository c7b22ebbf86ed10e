// Makes videos of a face whose motion is known: the mouth opens, the face turns or shifts, or the light
// changes.
//
// In:     a picture of one face, with 68 marked points.
// Out:    frames without noise, and where the marked points are in each frame.
// Exact:  same frames for the same arguments.
// Memory: owns a copy of the picture.
// Thread: any number of threads may make frames of one `MovedFace`.
#pragma once

#include <vector>

#include <winnow/box.h>
#include <winnow/image.h>

namespace bench {

enum class Motion {
  kMouth,  // the mouth opens to a quarter of the distance of the eye corners and closes, three times
  kTurn,   // the face turns in the plane by 1 degree a frame, up to 10 degrees to either side
  kShift,  // the face moves by 2 pixels a frame, up to 20 pixels to either side
  kLight,  // the light sinks to a half and returns, twice; it sinks more on the right side
};
inline constexpr Motion kMotions[] = {Motion::kMouth, Motion::kTurn, Motion::kShift, Motion::kLight};
const char* name_of(Motion motion);

inline constexpr int kMovedFrames = 60;
// How far the mouth is open, as a fraction of the distance of the eye corners. `time` is a frame's number, or
// lies between two frames.
double mouth_opening(double time);
// Frames in which the mouth is open most.
inline constexpr int kOpenFrames[] = {11, 27, 43};

double distance(const winnow::Point& a, const winnow::Point& b);
// The distance of the outer eye corners of 68 points, and that of the inner lips' middles.
double eye_distance(const std::vector<winnow::Point>& points);
double lip_distance(const std::vector<winnow::Point>& points);

class MovedFace {
 public:
  MovedFace(winnow::GrayView picture, std::vector<winnow::Point> points, Motion motion);

  winnow::GrayImage frame(int number) const;
  std::vector<winnow::Point> points(int number) const;

 private:
  // A place in the face's own system: to the right and down, in distances of the eye corners, from the middle
  // between the lips.
  struct Place {
    double right, down;
  };
  Place place_of(const winnow::Point& point) const;
  winnow::Point point_of(const Place& place) const;

  double lip_line(double right) const;
  double middle_share(double right, double wider) const;
  // How far a place below or above the line between the lips moves down.
  double shift_below(const Place& place, double opening) const;
  double shift_above(const Place& place, double opening) const;
  winnow::Point moved(const winnow::Point& point, std::size_t index, int number) const;
  // The value of a frame's pixel. The mouth's inside is dark.
  double value_at(const winnow::Point& pixel, int number) const;

  winnow::GrayImage picture_;
  std::vector<winnow::Point> points_;
  Motion motion_;
  winnow::Point middle_;                // of the face for turns, of the lips for the mouth
  double eyes_ = 1;                     // the distance of the outer eye corners
  double across_x_ = 1, across_y_ = 0;  // the direction from one eye corner to the other
  std::vector<Place> line_;             // the line between the lips, from left to right
};

}  // namespace bench
