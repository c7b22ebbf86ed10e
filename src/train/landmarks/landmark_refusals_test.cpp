// Checks what the training of landmarks refuses: faces and lists that make no sense, too many samples, and
// pictures that changed.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "train/landmarks/made_faces_for_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using sample::landmark_run;
using sample::made_faces;
using sample::small_landmark_options;

// Returns the sentence with which a training is refused.
std::string refusal(const FaceSet& faces, const LandmarkOptions& options = small_landmark_options(),
                    ErrorCode code = ErrorCode::kUsage) {
  try {
    train_landmarks(faces, options, landmark_run());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.sentence();
  }
  return "no error";
}

TEST(LandmarkRefusals, RefusesFacesThatMakeNoSense) {
  const auto changed = [](const std::function<void(FaceSet&)>& change) {
    FaceSet faces = made_faces().set;
    change(faces);
    return refusal(faces);
  };
  EXPECT_EQ(changed([](FaceSet& f) { f.faces.resize(1); }), "landmarks are learned from 2 faces or more");
  EXPECT_EQ(changed([](FaceSet& f) { f.faces.clear(); }), "landmarks are learned from 2 faces or more");
  EXPECT_EQ(changed([](FaceSet& f) { f.sizes.pop_back(); }), "each picture of the faces needs a size");
  EXPECT_EQ(changed([](FaceSet& f) { f.sizes[3] = {0, 20}; }), "each picture of the faces needs a size");
  EXPECT_EQ(changed([](FaceSet& f) { f.faces[3].points.pop_back(); }),
            "all faces must have the same number of points");
  EXPECT_EQ(changed([](FaceSet& f) { f.faces[3].picture = 1000; }),
            "faces must stand in the order of their pictures");
  EXPECT_EQ(changed([](FaceSet& f) { std::swap(f.faces.front(), f.faces.back()); }),
            "faces must stand in the order of their pictures");
  EXPECT_EQ(changed([](FaceSet& f) { f.faces[2].box.width = 1; }),
            "a face's box must be 2 pixels wide and high");
  EXPECT_EQ(changed([](FaceSet& f) {
              for (TrainingFace& face : f.faces) face.points.clear();
            }),
            "a face must have 1 to 512 points");
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), 1e300, -1e7}) {
    EXPECT_EQ(changed([&](FaceSet& f) { f.faces[4].points[1].x = wrong; }),
              "a face has a point that lies in no picture");
    EXPECT_EQ(changed([&](FaceSet& f) { f.faces[4].points[1].y = wrong; }),
              "a face has a point that lies in no picture");
  }
}

TEST(LandmarkRefusals, RefusesTooManySamplesAndNoFaceToLearnFrom) {
  LandmarkOptions options = small_landmark_options();
  options.samples = 10'000;
  FaceSet many = made_faces().set;
  while (many.faces.size() * 10'000 * 7 / 10 < 4'400'000) many.faces.push_back(many.faces.back());
  options.held_back = 0;
  EXPECT_EQ(refusal(many, options, ErrorCode::kLimit), "more than 4000000 samples");
  // One of the 2 pictures is held back. The seed decides which.
  FaceSet two = made_faces().set;
  two.pictures.resize(2);
  two.sizes.resize(2);
  two.faces.erase(two.faces.begin() + 2, two.faces.end());  // both faces of the first picture
  options.held_back = 0.5;
  options.samples = 2;
  RunOptions run = landmark_run();
  int refused = 0;
  for (run.seed = 1; run.seed <= 8; ++run.seed) {
    try {
      train_landmarks(two, options, run);
    } catch (const Error& error) {
      EXPECT_EQ(error.sentence(), "no face is left to learn from; hold back fewer");
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 8);
}

TEST(LandmarkRefusals, RefusesListsOfMirroredPoints) {
  const auto of_list = [](std::vector<int> list) {
    LandmarkOptions options = small_landmark_options();
    options.mirrored = std::move(list);
    return refusal(made_faces().set, options);
  };
  EXPECT_EQ(of_list({1, 0, 2}), "the list of mirrored points has 3 numbers, faces have 5 points");
  EXPECT_EQ(of_list({1, 2, 0, 3, 4}), "mirrored twice, point 0 must become itself");
  EXPECT_EQ(of_list({0, 1, 2, 3, 5}), "there is no point 5 to mirror: the learned points are 0 to 4");
  EXPECT_EQ(of_list({0, 1, -1, 3, 4}), "there is no point -1 to mirror: the learned points are 0 to 4");
}

TEST(LandmarkRefusals, NoticesPicturesThatChanged) {
  const auto made = sample::make_faces(5, 6, 9);
  write_picture(made->set.pictures[2], GrayImage(10, 10).view());
  EXPECT_EQ(refusal(made->set, small_landmark_options(), ErrorCode::kIo), "the picture has changed");
  fs::remove(made->set.pictures[2]);
  EXPECT_NE(refusal(made->set, small_landmark_options(), ErrorCode::kIo), "no error");
}

}  // namespace
}  // namespace winnow
