// Checks presence: one model from all backends and after breaks, the same confidence of points as without
// presence, and that presence tells faces from false boxes.
#include "train/landmarks/presence.h"

#include <gtest/gtest.h>

#include <functional>

#include <winnow/error.h>
#include <winnow/landmarker.h>

#include "train/landmarks/made_faces_for_test.h"

namespace winnow {
namespace {

using sample::bytes_of;
using sample::landmark_run;
using sample::small_landmark_options;

// 40 pictures of faces, and 30 pictures of false boxes.
const sample::MadeFaces& made() {
  static const std::unique_ptr<sample::MadeFaces> one = [] {
    auto faces = sample::make_faces(5, 40, 1);
    sample::add_false_boxes(*faces, 30, 1);
    return faces;
  }();
  return *one;
}

TEST(Presence, TheSameFromEveryBackendThreadAndMemory) {
  const LandmarkOptions options = small_landmark_options();
  const LandmarkResult wanted =
      train_landmarks(made().set, options, landmark_run(BackendKind::kReference, 1));
  ASSERT_TRUE(wanted.landmarks.model().has_presence());
  for (const int threads : {1, 3}) {
    RunOptions run = landmark_run(BackendKind::kCpu, threads);
    EXPECT_EQ(bytes_of(train_landmarks(made().set, options, run)), bytes_of(wanted)) << threads;
    run.memory = 0;
    EXPECT_EQ(bytes_of(train_landmarks(made().set, options, run)), bytes_of(wanted)) << threads;
  }
}

TEST(Presence, GoesOnAfterABreak) {
  const LandmarkOptions options = small_landmark_options();
  const auto wanted = bytes_of(train_landmarks(made().set, options, landmark_run()));
  const TestFolder folder;
  RunOptions run = landmark_run();
  run.checkpoint = folder.path();
  EXPECT_TRUE(train_landmarks(made().set, options, run, [](const LandmarkStep& step) {
                return !step.stage_done || step.stage < 1;
              }).stopped);
  run.resume = true;
  EXPECT_EQ(bytes_of(train_landmarks(made().set, options, run)), wanted);
  // Stages do not depend on false boxes, so a training may resume with other false boxes.
  FaceSet fewer = made().set;
  fewer.false_boxes.resize(20);
  const LandmarkResult other = train_landmarks(fewer, options, run);
  EXPECT_EQ(bytes_of(other), bytes_of(train_landmarks(fewer, options, landmark_run())));
  EXPECT_NE(bytes_of(other), wanted);
}

TEST(Presence, LeavesPointsAsTheyAre) {
  FaceSet plain = made().set;
  plain.false_boxes.clear();
  const LandmarkResult before = train_landmarks(plain, small_landmark_options(), landmark_run()),
                       after = train_landmarks(made().set, small_landmark_options(), landmark_run());
  EXPECT_FALSE(before.presence);
  LandmarkModel points = before.landmarks.model(), both = after.landmarks.model();
  EXPECT_FALSE(points.has_presence());
  const PointConfidence &own = *points.confidence, &with = *both.confidence;
  ASSERT_EQ(with.trees.trees, own.trees.trees + small_landmark_options().presence_trees);
  EXPECT_EQ(with.trees.pixel_list, own.trees.pixel_list);
  EXPECT_TRUE(std::equal(own.trees.splits.begin(), own.trees.splits.end(), with.trees.splits.begin()));
  EXPECT_TRUE(std::equal(own.slope.begin(), own.slope.end(), with.slope.begin()));
  EXPECT_TRUE(std::equal(own.shift.begin(), own.shift.end(), with.shift.begin()));
  ASSERT_EQ(with.leaves.values, 6);
  const std::size_t of_points = own.leaves.numbers.size() / 5, all = with.leaves.numbers.size() / 6;
  int told = 0;
  for (std::size_t leaf = 0; leaf < all; ++leaf) {
    const std::int16_t* const numbers = with.leaves.numbers.data() + leaf * 6;
    for (std::size_t p = 0; p < 5; ++p)
      EXPECT_EQ(numbers[p], leaf < of_points ? own.leaves.numbers[leaf * 5 + p] : 0) << leaf;
    if (leaf < of_points) {
      EXPECT_EQ(numbers[5], 0);
    } else {
      told += numbers[5] != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(told, 100);
  both.confidence.reset();
  points.confidence.reset();
  EXPECT_TRUE(both.same_as(points));
  // Both models give points the same confidence.
  const Picture picture = read_picture(made().set.pictures[3]);
  const std::vector<Box> boxes = {made().set.faces[4].box};
  const Shape one = Landmarker(before.landmarks).fit(picture.view().gray, boxes)[0],
              other = Landmarker(after.landmarks).fit(picture.view().gray, boxes)[0];
  EXPECT_EQ(one.points, other.points);
  EXPECT_EQ(one.confidence, other.confidence);
  EXPECT_EQ(one.presence, -1);
  EXPECT_GE(other.presence, 0);
}

// Measured on faces and false boxes that the training did not see.
TEST(Presence, TellsFacesFromFalseBoxes) {
  LandmarkOptions options = small_landmark_options();
  options.presence_trees = 60;
  const LandmarkResult result = train_landmarks(made().set, options, landmark_run());
  ASSERT_TRUE(result.presence);
  EXPECT_GE(result.presence->faces, 8u);
  EXPECT_EQ(result.presence->false_boxes, made().set.false_boxes.size());
  EXPECT_LE(result.presence->kept_faces, result.presence->faces);
  EXPECT_GT(result.presence->kept_faces * 10, result.presence->faces * 8);
  EXPECT_LT(result.presence->kept_false_boxes * 10, result.presence->false_boxes * 3);
  auto fresh = sample::make_faces(5, 40, 2);
  sample::add_false_boxes(*fresh, 30, 2);
  Landmarker landmarker(result.landmarks, landmark_run().machine);
  const auto presence = [&](const std::string& path, const Box& box) {
    const Picture picture = read_picture(path);
    return static_cast<double>(landmarker.fit(picture.view().gray, std::vector<Box>{box})[0].presence);
  };
  double faces = 0, wrong = 0;
  for (const TrainingFace& face : fresh->set.faces)
    faces += presence(fresh->set.pictures[face.picture], face.box);
  for (const FalseBox& each : fresh->set.false_boxes)
    wrong += presence(fresh->set.negatives[each.picture], each.box);
  EXPECT_GT(faces / static_cast<double>(fresh->set.faces.size()), 0.8);
  EXPECT_LT(wrong / static_cast<double>(fresh->set.false_boxes.size()), 0.25);
}

// Trees must not judge the pictures that taught them. Here the false boxes also show faces. Only trees that
// learned from a box can know whether the box is false, so the result of the check must be poor.
TEST(Presence, IsJudgedByOtherPictures) {
  const auto faces = sample::make_faces(5, 60, 3), others = sample::make_faces(5, 60, 4);
  for (std::size_t i = 0; i < others->set.faces.size(); ++i)
    faces->set.false_boxes.push_back({others->set.faces[i].picture, others->set.faces[i].box});
  faces->set.negatives = others->set.pictures;
  faces->set.negative_sizes = others->set.sizes;
  LandmarkOptions options = small_landmark_options();
  options.presence_trees = 60;
  const LandmarkResult result = train_landmarks(faces->set, options, landmark_run());
  ASSERT_TRUE(result.presence);
  const PresenceCheck& check = *result.presence;
  const auto part = [](std::size_t some, std::size_t all) {
    return static_cast<double>(some) / static_cast<double>(all);
  };
  EXPECT_LT(part(check.kept_faces, check.faces) - part(check.kept_false_boxes, check.false_boxes), 0.5);
}

TEST(Presence, NeedsTreesConfidenceAndFalseBoxes) {
  const auto knows = [](const FaceSet& faces, const std::function<void(LandmarkOptions&)>& change) {
    LandmarkOptions options = small_landmark_options();
    change(options);
    const LandmarkResult result = train_landmarks(faces, options, landmark_run());
    EXPECT_EQ(result.presence.has_value(), result.landmarks.model().has_presence());
    return result.presence.has_value();
  };
  const auto nothing = [](LandmarkOptions&) {};
  EXPECT_TRUE(knows(made().set, nothing));
  EXPECT_FALSE(knows(made().set, [](LandmarkOptions& o) { o.presence_trees = 0; }));
  EXPECT_FALSE(knows(made().set, [](LandmarkOptions& o) { o.confidence_trees = 0; }));
  EXPECT_FALSE(knows(made().set, [](LandmarkOptions& o) { o.held_back = 0; }));
  FaceSet few = made().set;
  few.false_boxes.resize(kLeastFalseBoxes);
  EXPECT_TRUE(knows(few, nothing));
  few.false_boxes.pop_back();
  EXPECT_FALSE(knows(few, nothing));
  // All false boxes are in pictures of one half.
  FaceSet even = made().set;
  std::erase_if(even.false_boxes, [](const FalseBox& box) { return box.picture % 2 == 1; });
  EXPECT_FALSE(knows(even, nothing));
}

TEST(Presence, RefusesFalseBoxesThatMakeNoSense) {
  const auto refusal = [](const std::function<void(FaceSet&)>& change) -> std::string {
    FaceSet faces = made().set;
    change(faces);
    try {
      train_landmarks(faces, small_landmark_options(), landmark_run());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.sentence();
    }
    return "";
  };
  EXPECT_EQ(refusal([](FaceSet& f) { f.negative_sizes.pop_back(); }), "each negative needs a size");
  EXPECT_EQ(refusal([](FaceSet& f) { f.negative_sizes[0].height = 0; }), "each negative needs a size");
  EXPECT_EQ(refusal([](FaceSet& f) { f.false_boxes.back().picture = f.negatives.size(); }),
            "false boxes must stand in the order of their negatives");
  EXPECT_EQ(refusal([](FaceSet& f) { std::swap(f.false_boxes.front(), f.false_boxes.back()); }),
            "false boxes must stand in the order of their negatives");
  EXPECT_EQ(refusal([](FaceSet& f) { f.false_boxes[1].box.width = 1; }),
            "a false box must be 2 pixels wide and high");
}

}  // namespace
}  // namespace winnow
