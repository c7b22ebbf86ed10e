// Compares the training of landmarks on a device with `cpu`.
#include <gtest/gtest.h>

#include "base/device/device_for_test.h"
#include "train/landmarks/made_faces_for_test.h"

namespace winnow {
namespace {

using sample::bytes_of;
using sample::landmark_run;
using sample::made_faces;

TEST(LandmarkTrainerCuda, GivesTheModelOfTheCpu) {
  WINNOW_NEEDS_DEVICE();
  for (const std::size_t points : {std::size_t{5}, std::size_t{7}, std::size_t{68}})
    for (const int basis : {6, 0}) {
      SCOPED_TRACE(std::to_string(points) + " points, basis " + std::to_string(basis));
      LandmarkOptions options = sample::small_landmark_options();
      options.basis = basis;
      options.samples = 30;  // more samples than one block of threads takes
      const FaceSet& faces = made_faces(points).set;
      const auto wanted = bytes_of(train_landmarks(faces, options, landmark_run()));
      RunOptions run = landmark_run(BackendKind::kCuda, 3);
      const LandmarkResult got = train_landmarks(faces, options, run);
      EXPECT_EQ(got.backend, "cuda");
      EXPECT_EQ(bytes_of(got), wanted);
      run.memory = 0;
      EXPECT_EQ(bytes_of(train_landmarks(faces, options, run)), wanted) << "samples in a file";
    }
}

TEST(LandmarkTrainerCuda, GivesThePresenceOfTheCpu) {
  WINNOW_NEEDS_DEVICE();
  auto made = sample::make_faces(5, 40, 1);
  sample::add_false_boxes(*made, 60, 1);
  const LandmarkOptions options = sample::small_landmark_options();
  const LandmarkResult wanted = train_landmarks(made->set, options, landmark_run());
  EXPECT_TRUE(wanted.landmarks.model().has_presence());
  EXPECT_EQ(bytes_of(train_landmarks(made->set, options, landmark_run(BackendKind::kCuda, 3))),
            bytes_of(wanted));
}

TEST(LandmarkTrainerCuda, ATrainingMovesBetweenMachines) {
  WINNOW_NEEDS_DEVICE();
  const LandmarkOptions options = sample::small_landmark_options();
  const auto wanted = bytes_of(train_landmarks(made_faces().set, options, landmark_run()));
  const TestFolder folder;
  RunOptions run = landmark_run(BackendKind::kCuda);
  run.checkpoint = folder.path();
  EXPECT_TRUE(train_landmarks(made_faces().set, options, run, [](const LandmarkStep& step) {
                return step.stage < 1 || step.tree < 3;
              }).stopped);
  run = landmark_run();
  run.checkpoint = folder.path();
  run.resume = true;
  EXPECT_EQ(bytes_of(train_landmarks(made_faces().set, options, run)), wanted);
}

}  // namespace
}  // namespace winnow
