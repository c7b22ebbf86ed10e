// Tests how `FaceFinder` places boxes, and what it refuses. tests/detection/ compares its answers.
#include <winnow/face_finder.h>

#include <gtest/gtest.h>
#include <winnow/error.h>

#include "model/landmarks/landmark_samples_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

using sample::square_finder;

TEST(FaceFinder, PlacesBoxesForDlibsFile) {
  LandmarkModel dlib =
      sample::random_landmarks({.points = 68, .stages = 2, .trees = 9, .depth = 4}, false, 5);
  dlib.detector.clear();
  const Landmarks landmarks(dlib);
  FaceFinder finder(square_finder(), landmarks);
  EXPECT_TRUE(finder.landmarks().model().same_as(landmarks.for_face_boxes().model()));
}

TEST(FaceFinder, RefusesWhatADetectorRefuses) {
  FaceFinder finder(square_finder(), Landmarks(sample::random_landmarks({.points = 9}, true, 11)));
  const GrayImage image(40, 40);
  DetectOptions options;
  options.scale_factor = 1;
  EXPECT_THROW(finder.find(image.view(), options), Error);
  EXPECT_THROW(FaceFinder(square_finder(), Landmarks(sample::random_landmarks({.points = 9}, true, 11)),
                          {BackendKind::kCpu, -1}),
               Error);
}

}  // namespace
}  // namespace winnow
