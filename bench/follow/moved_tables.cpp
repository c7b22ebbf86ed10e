// Makes the tables of `moved_points`: faces of HELEN's test part move in a known way, and are followed.
#include <winnow/winnow.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "made_faces.h"
#include "moved_faces.h"
#include "point_errors.h"
#include "point_tables.h"

namespace bench {
namespace {

using namespace winnow;

using Points = std::vector<Point>;

struct Settings {
  int detect_every;
  Between between;
};
constexpr Settings kSettings[] = {{1, Between::kFit}, {10, kWays[0]}, {10, kWays[1]}, {10, kWays[2]}};

struct MadeVideo {
  std::vector<GrayImage> frames;
  std::vector<Points> points;  // the marked points of each frame
};

// Whether the points stay away from the edges of the picture, so that they do not leave it when they move.
bool is_inside(const Points& points, Size picture) {
  const double edge = eye_distance(points) / 4;
  return std::all_of(points.begin(), points.end(), [&](const Point& point) {
    return point.x > edge && point.y > edge && point.x < picture.width - edge &&
           point.y < picture.height - edge;
  });
}

// Reads faces that a search finds, in pictures in which the search finds nothing else.
std::vector<std::pair<GrayImage, Points>> faces_found_alone(const std::string& data,
                                                            const MachineOptions& machine, int count) {
  FaceFinder finder(DetectorModel::load("built-in:face"), Landmarks::load("built-in:face-68"), machine);
  std::vector<std::pair<GrayImage, Points>> faces;
  for (const LabelledPicture& labelled : read_truth(data + "/faces/helen-test/points.csv").pictures) {
    if (static_cast<int>(faces.size()) == count) break;
    Picture picture = read_picture(labelled.path);
    if (labelled.labels.size() != 1 || !is_inside(labelled.labels[0].points, picture.gray.size())) continue;
    const FoundFaces found = finder.find(picture.view());
    if (found.shapes.size() != 1) continue;
    if (!match_faces(labelled, std::vector{found.found.objects[0].box})[0]) continue;
    faces.emplace_back(std::move(picture.gray), labelled.labels[0].points);
  }
  return faces;
}

MadeVideo made_video(const GrayImage& picture, const Points& points, Motion motion) {
  constexpr double kNoise = 2;
  const MovedFace face(picture.view(), points, motion);
  std::mt19937 random(7);
  MadeVideo video;
  for (int number = 0; number < kMovedFrames; ++number) {
    GrayImage frame = face.frame(number);
    darken(frame, 1, kNoise, random);
    video.frames.push_back(std::move(frame));
    video.points.push_back(face.points(number));
  }
  return video;
}

Points points_of(const Shape& shape) {
  Points points;
  for (const LandmarkPoint& point : shape.points) points.push_back({point.x, point.y});
  return points;
}

// The points of the first face whose box holds the middle of the marked points.
std::optional<Points> face_at(const std::vector<Followed>& faces, const Points& marked) {
  Point middle;
  for (const Point& point : marked) {
    middle.x += point.x / static_cast<double>(marked.size());
    middle.y += point.y / static_cast<double>(marked.size());
  }
  for (const Followed& face : faces)
    if (face.state != FaceState::kLost && middle.x >= face.box.x && middle.y >= face.box.y &&
        middle.x < face.box.x + face.box.width && middle.y < face.box.y + face.box.height)
      return points_of(face.shape);
  return {};
}

// Sums of the errors of followed points in all videos of one motion.
class MovedErrors {
 public:
  void add(const std::vector<std::vector<Followed>>& faces, const MadeVideo& video) {
    const double eyes = eye_distance(video.points[0]);
    std::optional<Points> first;
    std::size_t begin = 0;
    for (std::size_t number = 0; number < faces.size(); ++number) {
      const Points& marked = video.points[number];
      const std::optional<Points> points = face_at(faces[number], marked);
      if (!points) continue;
      ++followed_;
      if (!first) {
        first = points;
        begin = number;
        continue;
      }
      for (std::size_t i = 0; i < marked.size(); ++i) {
        const Point &from = video.points[begin][i], &start = (*first)[i];
        const double x = (*points)[i].x - start.x - (marked[i].x - from.x),
                     y = (*points)[i].y - start.y - (marked[i].y - from.y), error = std::hypot(x, y) / eyes;
        all_ += error;
        if (i >= kMouth) mouth_ += error;
      }
      ++compared_;
      opened_[number] += (lip_distance(*points) - lip_distance(*first)) / eyes;
      truly_opened_[number] += (lip_distance(marked) - lip_distance(video.points[begin])) / eyes;
      ++counts_[number];
    }
    frames_ += static_cast<int>(faces.size());
  }

  double followed() const { return 100.0 * followed_ / std::max(1, frames_); }
  double error() const { return 100 * all_ / (68.0 * std::max(1, compared_)); }
  double mouth_error() const { return 100 * mouth_ / ((68.0 - kMouth) * std::max(1, compared_)); }
  // The measured opening in frames in which the mouth is open most, divided by the true opening.
  double opening() const {
    double measured = 0, truth = 0;
    for (const int number : kOpenFrames) {
      measured += opened_[static_cast<std::size_t>(number)];
      truth += truly_opened_[static_cast<std::size_t>(number)];
    }
    return truth > 0 ? measured / truth : 0;
  }
  double lag() const {
    std::vector<double> means;
    for (std::size_t i = 0; i < opened_.size(); ++i) means.push_back(opened_[i] / std::max(1, counts_[i]));
    return lag_of(means, mouth_opening);
  }

 private:
  static constexpr std::size_t kMouth = 48;  // the first point of the mouth

  int frames_ = 0, followed_ = 0, compared_ = 0;
  double all_ = 0, mouth_ = 0;
  std::vector<double> opened_ = std::vector<double>(kMovedFrames), truly_opened_ = opened_;
  std::vector<int> counts_ = std::vector<int>(kMovedFrames);
};

}  // namespace

std::vector<ResultList> moved_points(const std::string& data, std::span<const NamedLandmarks> landmarks,
                                     const MachineOptions& machine, int faces) {
  const auto pictures = faces_found_alone(data, machine, faces);
  const std::string about =
      "The first faces of HELEN's test part that lie inside their pictures and are found alone (" +
      std::to_string(pictures.size()) + ") move in a known way for " + std::to_string(kMovedFrames) +
      " frames. They lie in noise of deviation 2. The error is the mean distance between a point's motion "
      "since the "
      "first frame and that of the marked point.";
  ResultList points{.name = "followed_moved",
                    .title = "Errors of points whose motion is known",
                    .unit = "percent of the distance of the outer eye corners; percent",
                    .command = "winnow_following --tables moved",
                    .about = about,
                    .columns = {"motion", "landmarks", "detect_every", "between", "error", "followed"},
                    .by = {{"motion", "motion"},
                           {"landmarks", "landmarks"},
                           {"detect_every", "`detect_every`"},
                           {"between", "`between`"}},
                    .values = {{"error", "error", 2}, {"followed", "percent of frames followed", 1}}};
  ResultList mouths{
      .name = "followed_mouths",
      .title = "Mouths that open and close in 16 frames",
      .unit = "percent of the distance of the outer eye corners; share; frames",
      .command = "winnow_following --tables moved",
      .about = about +
               " Mouths open to a quarter of the eye corners' distance. The opening is that of "
               "the inner lips when the mouth is open most, divided by the true one. The lag "
               "is the shift in time that aligns the mean opening best with the true one.",
      .columns = {"landmarks", "detect_every", "between", "error", "opening", "lag"},
      .by = {{"landmarks", "landmarks"}, {"detect_every", "`detect_every`"}, {"between", "`between`"}},
      .values = {
          {"error", "error of the mouth's points", 2}, {"opening", "opening", 2}, {"lag", "lag, frames", 2}}};
  for (const Motion motion : kMotions) {
    std::vector<std::vector<MovedErrors>> errors(landmarks.size(),
                                                 std::vector<MovedErrors>(std::size(kSettings)));
    for (const auto& [picture, marked] : pictures) {
      const MadeVideo video = made_video(picture, marked, motion);
      for (std::size_t k = 0; k < landmarks.size(); ++k)
        for (std::size_t s = 0; s < std::size(kSettings); ++s) {
          FollowOptions options;
          options.detect_every = kSettings[s].detect_every;
          options.between = kSettings[s].between;
          errors[k][s].add(faces_in(video.frames, landmarks[k].landmarks, options, machine), video);
        }
    }
    for (std::size_t k = 0; k < landmarks.size(); ++k)
      for (std::size_t s = 0; s < std::size(kSettings); ++s) {
        const MovedErrors& each = errors[k][s];
        const char* between = between_name(kSettings[s].between);
        points.rows.push_back({name_of(motion), landmarks[k].name, kSettings[s].detect_every, between,
                               each.error(), each.followed()});
        if (motion == Motion::kMouth)
          mouths.rows.push_back({landmarks[k].name, kSettings[s].detect_every, between, each.mouth_error(),
                                 each.opening(), each.lag()});
      }
  }
  return {points, mouths};
}

}  // namespace bench
