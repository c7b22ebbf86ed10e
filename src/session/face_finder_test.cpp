// Tests how `FaceFinder` places boxes, and what it refuses. tests/detection/ compares its answers.
#include <winnow/face_finder.h>

#include <gtest/gtest.h>
#include <winnow/error.h>
#include <winnow/follower.h>

#include <string>

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

TEST(FaceFinder, RefusesADetectorOfOtherObjects) {
  const Landmarks face = Landmarks::load("built-in:face-5");
  const DetectorModel people = DetectorModel::load("built-in:people");
  const auto sentence = [](auto make) -> std::string {
    try {
      make();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.sentence();
    }
    return "";
  };
  const std::string wanted =
      "the landmarks mark points of a face, and people finds people who stand or walk, upright; name a "
      "detector "
      "of a face";
  const MachineOptions cpu{BackendKind::kCpu, 1};
  EXPECT_EQ(sentence([&] { FaceFinder(people, face, cpu); }), wanted);
  EXPECT_EQ(sentence([&] { Follower(people, face, {}, cpu); }), wanted);
  for (const char* kind : {"", "FACES and hands", "fac"}) {
    ModelCard card = people.card();
    card.kind = kind;
    const DetectorModel other(people.with_card(card));
    EXPECT_EQ(sentence([&] { FaceFinder(other, face, cpu); }), "") << kind;
  }
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
