#include "still_faces.h"

#include <winnow/winnow.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "made_faces.h"

namespace bench {

using namespace winnow;

Steadiness steadiness_of(const Landmarks& landmarks, const MachineOptions& machine, GrayView face,
                         const FollowOptions& options, Stand stand, double noise) {
  constexpr int kSteps = 50, kSpeed = 4;
  Follower follower(DetectorModel::load("built-in:face"), landmarks, options, machine);
  std::mt19937 random(5);
  std::vector<LandmarkPoint> last;
  double sum = 0, lag = 0, first = 0;
  int count = 0, lags = 0;
  for (int number = 0; number < kSteps; ++number) {
    const int moved = stand == Stand::kMoves ? kSpeed * number : 0;
    GrayImage frame(face.width + kSpeed * kSteps, face.height);
    for (int y = 0; y < face.height; ++y)
      for (int x = 0; x < frame.width(); ++x)
        frame.row(y)[x] = face.row(y)[std::clamp(x - moved, 0, face.width - 1)];
    darken(frame, 1, noise, random);
    const auto faces = follower.next(std::as_const(frame).view());
    if (faces.empty() || faces[0].state == FaceState::kLost) {
      last.clear();
      continue;
    }
    const std::vector<LandmarkPoint>& points = faces[0].shape.points;
    double middle = 0;
    for (const LandmarkPoint& point : points) middle += point.x / static_cast<double>(points.size());
    if (number == 0) first = middle;
    for (std::size_t i = 0; number > 5 && i < last.size(); ++i, ++count)
      sum += std::hypot(points[i].x - last[i].x, points[i].y - last[i].y);
    if (number > 15) {
      lag += (first + moved - middle) / kSpeed;
      ++lags;
    }
    last = points;
  }
  return {sum / std::max(1, count), lag / std::max(1, lags)};
}

std::vector<GrayImage> still_faces(const std::string& data, const MachineOptions& machine, int count) {
  FaceFinder finder(DetectorModel::load("built-in:face"), Landmarks::load("built-in:face-68"), machine);
  std::vector<GrayImage> pictures;
  for (const std::string& file : pictures_in(data + "/faces/helen-train")) {
    if (static_cast<int>(pictures.size()) == count) break;
    const Picture picture = read_picture(file);
    const FoundFaces found = finder.find(picture.view());
    if (found.shapes.size() != 1) continue;
    const auto pupil = [&](std::size_t from) {
      LandmarkPoint middle;
      for (std::size_t i = from; i < from + 6; ++i) {
        middle.x += found.shapes[0].points[i].x / 6;
        middle.y += found.shapes[0].points[i].y / 6;
      }
      return middle;
    };
    const LandmarkPoint left = pupil(36), right = pupil(42);
    const double scale = 80 / std::hypot(left.x - right.x, left.y - right.y);
    const Size size{static_cast<int>(picture.gray.width() * scale),
                    static_cast<int>(picture.gray.height() * scale)};
    if (size.width > 2000 || size.height > 2000) continue;
    pictures.push_back(resized(picture.gray.view(), size));
  }
  return pictures;
}

}  // namespace bench
