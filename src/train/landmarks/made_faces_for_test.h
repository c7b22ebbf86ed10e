// Draws pictures of artificial faces, with their points and boxes, for tests of trainings of landmarks.
//
// Out:    pictures as PNG files in a folder, their labels, and faces in the boxes of the labels. A face is
//         one spot per point, on a noisy background. Each face is rotated a little, and each point is moved a
//         little.
// Exact:  the same pictures and labels for the same arguments.
// Memory: the folder lives as long as the `MadeFaces`. The result of `made_faces` lives until the program
//         ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <winnow/image.h>
#include <winnow/train_landmarks.h>

#include "base/folder_for_test.h"
#include "base/random.h"
#include "truth/points/point_names.h"

namespace winnow::sample {

struct MadeFaces {
  TestFolder folder;
  std::vector<LabelledPicture> pictures;
  FaceSet set;
};

// The names of a face's points: iBUG's for 68 and for 5 points, else none.
inline std::vector<std::string> names_of_made(std::size_t points) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < points && (points == 68 || points == 5); ++i)
    names.push_back(ibug_name(points == 5 ? kFiveOf68[i] : i));
  return names;
}

// The points of a face in a box of side 1. Points that change places when mirrored lie at the same distance
// on both sides of the middle.
inline std::vector<Point> face_pattern(std::size_t points) {
  const std::vector<std::uint16_t> mirrored = scheme_of_names(names_of_made(points)).mirrored;
  std::vector<Point> pattern(points);
  for (std::size_t p = 0; p < points; ++p) {
    Random random(77, points, p);
    const double down = random.real(0.15, 0.85), aside = random.real(0.12, 0.4);
    if (mirrored.empty()) {
      pattern[p] = {random.real(0.1, 0.9), down};
    } else if (mirrored[p] == p) {
      pattern[p] = {0.5, down};
    } else if (p < mirrored[p]) {
      pattern[p] = {0.5 - aside, down};
      pattern[mirrored[p]] = {0.5 + aside, down};
    }
  }
  return pattern;
}

inline void draw_spot(GrayImage& image, const Point& at, double radius, double light) {
  const int reach = static_cast<int>(3 * radius) + 1;
  for (int y = static_cast<int>(at.y) - reach; y <= static_cast<int>(at.y) + reach; ++y)
    for (int x = static_cast<int>(at.x) - reach; x <= static_cast<int>(at.x) + reach; ++x) {
      if (x < 0 || y < 0 || x >= image.width() || y >= image.height()) continue;
      const double away = ((x - at.x) * (x - at.x) + (y - at.y) * (y - at.y)) / (2 * radius * radius);
      std::uint8_t& pixel = image.row(y)[x];
      pixel = static_cast<std::uint8_t>(std::clamp(pixel + light * std::exp(-away), 0.0, 255.0));
    }
}

// Draws a face into the picture, in a box with this corner and side.
inline Label draw_face(GrayImage& image, int left, int top, int side, std::size_t points,
                       std::uint64_t seed) {
  Random random(seed, 5);
  const double lean = 0.2 * random.bell(), across = 0.04 * random.bell(), down = 0.04 * random.bell();
  const double cosine = std::cos(lean), sine = std::sin(lean);
  Label label;
  label.box = {static_cast<double>(left), static_cast<double>(top), static_cast<double>(side),
               static_cast<double>(side)};
  const std::vector<Point> pattern = face_pattern(points);
  for (std::size_t p = 0; p < points; ++p) {
    const double x = pattern[p].x - 0.5 + 0.015 * random.bell(),
                 y = pattern[p].y - 0.5 + 0.015 * random.bell();
    const Point at{left + side * (0.5 + across + cosine * x - sine * y),
                   top + side * (0.5 + down + sine * x + cosine * y)};
    label.points.push_back(at);
    draw_spot(image, at, side * (points > 20 ? 0.02 : 0.05), p % 3 == 2 ? -90 : 140);
  }
  return label;
}

// Makes `pictures` pictures. Every fifth of them has two faces, the others have one.
inline std::unique_ptr<MadeFaces> make_faces(std::size_t points, int pictures, std::uint64_t seed) {
  auto made = std::make_unique<MadeFaces>();
  for (int i = 0; i < pictures; ++i) {
    Random random(seed, points, i);
    const bool two = i % 5 == 0;
    GrayImage image(two ? 190 : 96 + i % 3, 90 + i % 4);
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        image.row(y)[x] = static_cast<std::uint8_t>(70 + (x + 2 * y) / 12 + random.below(12));
    LabelledPicture picture;
    picture.name = std::to_string(1000 + i) + ".png";
    picture.path = made->folder.file(picture.name);
    for (int face = 0; face < (two ? 2 : 1); ++face) {
      const int side = 48 + random.below(24);
      picture.labels.push_back(draw_face(image, 95 * face + 6 + random.below(10), 6 + random.below(10), side,
                                         points, hash(seed, i, face)));
    }
    write_picture(picture.path, image.view());
    made->pictures.push_back(std::move(picture));
  }
  FaceSetOptions options;
  options.detector = "truth";
  options.names = names_of_made(points);
  made->set = find_faces(made->pictures, options);
  return made;
}

// Adds `pictures` negatives with two false boxes each. A false box holds spots like those of a face, but at
// random places.
inline void add_false_boxes(MadeFaces& made, int pictures, std::uint64_t seed) {
  for (int i = 0; i < pictures; ++i) {
    Random random(seed, 9, i);
    GrayImage image(180, 92);
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        image.row(y)[x] = static_cast<std::uint8_t>(70 + (x + 2 * y) / 12 + random.below(12));
    for (int box = 0; box < 2; ++box) {
      const int side = 48 + random.below(24), left = 90 * box + random.below(12), top = random.below(12);
      for (int spot = 0; spot < 5; ++spot)
        draw_spot(image, {left + side * random.real(0.1, 0.9), top + side * random.real(0.1, 0.9)},
                  side * 0.05, spot % 3 == 2 ? -90 : 140);
      made.set.false_boxes.push_back({made.set.negatives.size(), {left, top, side, side}});
    }
    made.set.negatives.push_back(made.folder.file(std::to_string(5000 + i) + ".png"));
    made.set.negative_sizes.push_back({image.width(), image.height()});
    write_picture(made.set.negatives.back(), image.view());
  }
}

inline const MadeFaces& made_faces(std::size_t points = 5) {
  static std::map<std::size_t, std::unique_ptr<MadeFaces>> made;
  std::unique_ptr<MadeFaces>& one = made[points];
  if (!one) one = make_faces(points, 40, 1);
  return *one;
}

inline LandmarkOptions small_landmark_options() {
  LandmarkOptions options;
  options.stages = 3;
  options.trees = 12;
  options.depth = 3;
  options.pixels = 60;
  options.splits = 10;
  options.samples = 8;
  options.rate = 0.25;
  options.calm = 3;
  options.basis = 6;
  options.held_back = 0.3;
  options.confidence_trees = 8;
  options.presence_trees = 20;
  return options;
}

inline RunOptions landmark_run(BackendKind backend = BackendKind::kCpu, int threads = 2) {
  RunOptions run;
  run.machine = {backend, threads, {0}};
  return run;
}

inline std::vector<std::byte> bytes_of(const LandmarkResult& result) {
  return result.landmarks.to_bytes(LandmarkFormat::kWinnow);
}

}  // namespace winnow::sample
