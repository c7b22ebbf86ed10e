// Compares `FaceFinder` on every backend with `Detector` and `Landmarker` one after the other: batches, many
// sizes, borders, regions, merge rules, crowds, and more objects than a device first has room for.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <winnow/face_finder.h>

#include "model/landmarks/landmark_samples_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

using sample::make_scene;
using sample::square_finder;

Landmarks points_model(bool fixed_point, bool turned = false) {
  return Landmarks(sample::random_landmarks(
      {.points = 9, .stages = 4, .turned = turned, .confidence = fixed_point}, fixed_point, 11));
}

// Scenes with none to three squares, some of them across the edge.
std::vector<GrayImage> scenes_of_one_size() {
  std::vector<GrayImage> images;
  for (int i = 0; i < 21; ++i) {
    std::vector<Box> squares;
    for (int s = 0; s < i % 4; ++s)
      squares.push_back({-4 + 50 * s + i % 7, 20 + i % 40, 30 + 2 * s, 30 + 2 * s});
    images.push_back(make_scene({181, 147}, squares));
  }
  return images;
}

std::vector<GrayImage> some_scenes() {
  std::vector<GrayImage> images = scenes_of_one_size();
  images.push_back(make_scene({23, 23}, {}));
  images.push_back(make_scene({97, 131}, {{0, 0, 97, 97}}));
  images.emplace_back(0, 0);
  return images;
}

void expect_two_steps(const DetectorModel& model, const Landmarks& landmarks, const DetectOptions& options,
                      const std::vector<GrayImage>& images) {
  std::vector<PictureView> views;
  for (const GrayImage& image : images) views.push_back(image.view());
  Detector detector(model, {BackendKind::kReference, 1});
  Landmarker landmarker(landmarks.for_face_boxes(), {BackendKind::kReference, 1});
  std::vector<Detections> wanted;
  std::vector<std::vector<Shape>> wanted_shapes;
  detector.detect(views, options, wanted);
  for (std::size_t i = 0; i < images.size(); ++i) {
    std::vector<Box> boxes;
    for (const Detection& object : wanted[i].objects) boxes.push_back(object.box);
    wanted_shapes.push_back(landmarker.fit(views[i].gray, boxes));
  }
  for (const BackendInfo& backend : list_backends()) {
    if (!backend.available) continue;
    SCOPED_TRACE(backend_name(backend.kind));
    FaceFinder finder(model, landmarks, {backend.kind, 2});
    EXPECT_EQ(finder.backend(), backend.kind);
    std::vector<Detections> found;
    std::vector<std::vector<Shape>> shapes;
    for (int call = 0; call < 3; ++call) {
      finder.find(views, options, found, shapes);
      ASSERT_EQ(found.size(), views.size());
      for (std::size_t i = 0; i < views.size(); ++i) {
        EXPECT_TRUE(found[i].objects == wanted[i].objects) << "picture " << i << ", call " << call;
        EXPECT_TRUE(shapes[i] == wanted_shapes[i]) << "picture " << i << ", call " << call;
      }
    }
    const FoundFaces alone = finder.find(views[2], options);
    EXPECT_EQ(alone.found.objects, wanted[2].objects);
    EXPECT_EQ(alone.shapes, wanted_shapes[2]);
  }
}

DetectOptions loose() {
  DetectOptions options;
  options.min_neighbors = 1;
  return options;
}

TEST(FaceFinder, IsADetectorAndThenALandmarker) {
  for (const bool fixed_point : {false, true}) {
    SCOPED_TRACE(fixed_point);
    expect_two_steps(square_finder(), points_model(fixed_point), loose(), some_scenes());
  }
  std::vector<GrayImage> images = some_scenes();
  images.push_back(make_scene({1920, 1100}, {{20, 30, 36, 36}, {1880, 870, 40, 40}}));
  expect_two_steps(square_finder(), points_model(true, true), loose(), images);
}

TEST(FaceFinder, WithBordersRegionsAndWithoutClips) {
  DetectOptions options = loose();
  options.border = 0.2;
  expect_two_steps(square_finder(), points_model(true), options, some_scenes());
  options.clip = false;
  expect_two_steps(square_finder(), points_model(true), options, some_scenes());
  options = loose();
  options.region = {10, 5, 15, 100};
  expect_two_steps(square_finder(), points_model(false), options, scenes_of_one_size());
}

TEST(FaceFinder, WithMergingOnTheHostAndWithout) {
  DetectOptions options = loose();
  for (const Merge merge : {Merge::kMeanShift, Merge::kSupport}) {
    options.merge = merge;
    expect_two_steps(square_finder(), points_model(true), options, some_scenes());
  }
  options.merge = Merge::kGroups;
  options.raw = true;
  expect_two_steps(square_finder(), points_model(true), options, some_scenes());
}

// Some of these frames have more candidates than a block of threads can group. The batch has more objects
// than the device first has room for.
TEST(FaceFinder, CrowdsAndManyObjects) {
  DetectOptions options = loose();
  options.raw = true;
  std::vector<GrayImage> images;
  for (int i = 0; i < 10; ++i)
    images.push_back(make_scene({120 + 60 * (i % 2), 90 + 50 * (i % 2)}, {{40 + i, 30, 36, 36}}));
  expect_two_steps(sample::crowd_finder(), points_model(true), options, images);
}

}  // namespace
}  // namespace winnow
