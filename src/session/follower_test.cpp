// Tests `Follower` on made videos: numbers, states, points that move along, backends, and what it refuses.
#include <winnow/follower.h>

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "model/landmarks/landmark_samples_for_test.h"
#include "session/corner_landmarks_for_test.h"
#include "session/failing_detector_for_test.h"
#include "session/scene_for_test.h"
#include "session/sure_face.h"

namespace winnow {
namespace {

FollowOptions loose() {
  FollowOptions options;
  options.search.min_neighbors = 1;
  return options;
}

// A square walks to the right. With `second`, another square stands still.
GrayImage frame_of(int number, bool second) {
  std::vector<Box> squares = {{20 + 3 * number, 40, 48, 48}};
  if (second) squares.push_back({200, 140, 60, 60});
  return sample::make_scene({400, 240}, squares);
}

std::vector<std::vector<Followed>> follow(const MachineOptions& machine, const FollowOptions& options) {
  Follower follower(sample::square_finder(), sample::corner_landmarks(), options, machine);
  std::vector<std::vector<Followed>> frames;
  for (int number = 0; number < 40; ++number) {
    const GrayImage frame = frame_of(number, number < 12 || number > 20);
    frames.push_back(follower.next(frame.view()));
  }
  return frames;
}

TEST(Follower, KeepsNumbersAndCarriesPoints) {
  const auto frames = follow({BackendKind::kReference, 1}, loose());
  int tracked = 0, lost = 0, second = 0;
  for (std::size_t number = 0; number < frames.size(); ++number) {
    SCOPED_TRACE(number);
    ASSERT_FALSE(frames[number].empty());
    const Followed& first = frames[number][0];
    EXPECT_EQ(first.id, 1);
    const double middle = 44 + 3 * static_cast<double>(number);
    EXPECT_NEAR(first.box.x + first.box.width / 2.0, middle, 4);
    EXPECT_NEAR((first.shape.points[0].x + first.shape.points[1].x) / 2, middle, 4);
    EXPECT_EQ(first.state, number % 10 == 0 ? FaceState::kFound : first.state);
    for (const Followed& face : frames[number]) {
      tracked += face.state == FaceState::kTracked ? 1 : 0;
      lost += face.state == FaceState::kLost ? 1 : 0;
      second += face.id == 2 ? 1 : 0;
      EXPECT_LE(face.id, 2);
    }
  }
  EXPECT_GT(tracked, 40);
  EXPECT_EQ(lost, 1) << "the second square disappears once";
  EXPECT_GT(second, 20) << "and returns with its number";
}

TEST(Follower, BackendsAgree) {
  FollowOptions smooth = loose();
  smooth.smooth = 0.7;
  smooth.detect_every = 4;
  for (const FollowOptions& options : {loose(), smooth}) {
    const auto wanted = follow({BackendKind::kReference, 1}, options);
    for (const BackendInfo& backend : list_backends()) {
      if (!backend.available) continue;
      SCOPED_TRACE(backend_name(backend.kind));
      const auto got = follow({backend.kind, 2}, options);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_EQ(got[i].size(), wanted[i].size());
        for (std::size_t f = 0; f < wanted[i].size(); ++f) {
          EXPECT_EQ(got[i][f].id, wanted[i][f].id);
          EXPECT_EQ(got[i][f].state, wanted[i][f].state);
          EXPECT_EQ(got[i][f].box, wanted[i][f].box);
          EXPECT_EQ(got[i][f].shape, wanted[i][f].shape);
        }
      }
    }
  }
}

TEST(Follower, AnotherSizeAndAnEmptyFrameLoseAllFaces) {
  Follower follower(sample::square_finder(), sample::corner_landmarks(), loose(), {BackendKind::kCpu, 1});
  follower.next(frame_of(0, true).view());
  const GrayImage small = sample::make_scene({200, 160}, {{20, 40, 48, 48}});
  auto faces = follower.next(small.view());
  int lost = 0;
  for (const Followed& face : faces) lost += face.state == FaceState::kLost ? 1 : 0;
  EXPECT_GE(lost, 1);
  faces = follower.next(GrayView{});
  for (const Followed& face : faces) EXPECT_EQ(face.state, FaceState::kLost);
  follower.restart();
  faces = follower.next(frame_of(0, true).view());
  ASSERT_EQ(faces.size(), 2U);
  EXPECT_EQ(faces[0].id, 1);
  EXPECT_EQ(faces[0].state, FaceState::kFound);
}

// The dark square has a low presence, and the lighter square has a high one.
TEST(Follower, TheLeastConfidenceSaysWhichFacesBegin) {
  GrayImage frame(200, 100);
  for (int y = 0; y < frame.height(); ++y) {
    std::fill_n(frame.row(y), frame.width(), 210);
    if (y < 30 || y >= 60) continue;
    std::fill_n(frame.row(y) + 35, 30, 0);
    std::fill_n(frame.row(y) + 130, 30, 90);
  }
  const auto faces = [&](std::optional<double> least) {
    FollowOptions options;
    options.min_confidence = least;
    Follower follower(sample::square_finder(), sample::lovers_of_light(), options, {BackendKind::kCpu, 1});
    return follower.next(frame.view());
  };
  ASSERT_EQ(faces({}).size(), 1U);
  EXPECT_GT(faces({})[0].box.x, 90) << "the lighter square";
  EXPECT_EQ(faces(0.9), faces({}));
  const std::vector<Followed> all = faces(0);
  ASSERT_GT(all.size(), 1U);
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Followed& face) { return face.box.x < 90; }));
  EXPECT_TRUE(faces(1).empty());
}

// Faces that go are forgotten, so a long video needs no more memory than a short one.
TEST(Follower, ForgetsWhatIsGone) {
  FollowOptions options = loose();
  options.gap = 3;
  options.detect_every = 1;
  Follower follower(sample::square_finder(), sample::corner_landmarks(), options, {BackendKind::kCpu, 1});
  std::size_t most = 0;
  for (int number = 0; number < 120; ++number) {
    const Box square{20 + 97 * (number / 6 % 3), 40 + 53 * (number / 6 % 2), 48, 48};
    const bool there = number % 6 < 2;
    const GrayImage frame = sample::make_scene({400, 240}, there ? std::vector{square} : std::vector<Box>{});
    most = std::max(most, follower.next(frame.view()).size());
  }
  EXPECT_LE(most, 3U);
}

Detection face_with(int neighbors, int width = 100) { return {{0, 0, width, width}, 1, neighbors}; }

TEST(Follower, PresenceOrManyNeighboursBeginAFace) {
  const DetectorModel face = DetectorModel::load("built-in:face");
  const Landmarks landmarks = Landmarks::load("built-in:face-68");
  const SureFace sure = sure_face(face, landmarks, {});
  EXPECT_FALSE(sure.holds(face_with(1), 0.9F));
  EXPECT_TRUE(sure.holds(face_with(2), 0.5F));
  EXPECT_FALSE(sure.holds(face_with(6), 0.4F));
  EXPECT_TRUE(sure.holds(face_with(7), 0.1F));
  EXPECT_FALSE(sure.holds(face_with(7, 60), 0.05F));
  EXPECT_TRUE(sure.holds(face_with(7, 59), 0.021F)) << "less is enough for a small face";
  EXPECT_FALSE(sure.holds(face_with(7, 59), 0.01F));
  EXPECT_FALSE(sure.holds(face_with(6, 59), 0.05F));
  FollowOptions strict;
  strict.search.min_neighbors = 9;
  EXPECT_FALSE(sure_face(face, landmarks, strict).holds(face_with(9), 0.9F));
  FollowOptions certain;
  certain.min_confidence = 0.8;
  EXPECT_FALSE(sure_face(face, landmarks, certain).holds(face_with(9, 40), 0.7F));
  FollowOptions any;
  any.begin = kFacePresence;
  EXPECT_TRUE(sure_face(face, landmarks, any).holds(face_with(2, 40), 0)) << "all that the search keeps";
  EXPECT_FALSE(sure_face(face, landmarks, any).holds(face_with(1, 40), 0));
  const SureFace plain = sure_face(sample::square_finder(), sample::corner_landmarks(), {});
  EXPECT_FALSE(plain.holds(face_with(3), -1)) << "presence does not count";
  EXPECT_TRUE(plain.holds(face_with(4), -1));
}

TEST(Follower, WantsAListForEachFrame) {
  Follower follower(sample::square_finder(), sample::corner_landmarks(), loose(), {BackendKind::kCpu, 1});
  const GrayImage frame = frame_of(0, true);
  const PictureView views[2] = {frame.view(), frame.view()};
  std::vector<std::vector<Followed>> faces(1);
  EXPECT_THROW(follower.next(views, faces), Error);
  faces.resize(2);
  follower.next(views, faces);
  EXPECT_EQ(faces[0].size(), 2U);
  EXPECT_EQ(faces[1].size(), 2U);
  follower.restart(7);  // no such video
}

// If presence counts, a face with few neighbours begins only with the presence that the options ask for.
TEST(Follower, BeginsFacesByPresence) {
  LandmarkModel model = sample::corner_landmarks().model();
  PointConfidence& confidence = model.confidence.emplace();
  confidence.trees = model.trees;
  confidence.leaves.values = 5;
  confidence.leaves.unit_bits = {4};
  confidence.leaves.numbers.assign(10, 0);
  confidence.slope = {1, 1, 1, 1, 1};
  confidence.shift = {0, 0, 0, 0, -1};  // a presence of 0.27
  model.detector = "squares";
  for (const double begin : {0.5, 0.2}) {
    FollowOptions options;
    options.begin = begin;
    const SureFace sure = sure_face(sample::square_finder(), Landmarks(model), options);
    EXPECT_EQ(sure.holds(face_with(2), 0.27F), begin < 0.27);
  }
}

// The error of the next frame; no value if the frame was answered.
std::optional<Error> error_of(Follower& follower) {
  const GrayImage frame = frame_of(0, true);
  try {
    follower.next(frame.view());
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

TEST(Follower, ADeviceThatFailsGetsANewSession) {
  using sample::FailingDevice;
  FailingDevice::left = FailingDevice::sessions = 0;
  Follower follower(sample::failing_detector(), sample::corner_landmarks(), loose(),
                    {BackendKind::kReference, 1});
  EXPECT_FALSE(error_of(follower));
  EXPECT_EQ(FailingDevice::sessions, 1);
  for (int round = 1; round < 4; ++round) {
    follower.restart();  // so that the frame is searched
    FailingDevice::left = 1;
    const std::optional<Error> error = error_of(follower);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::kDevice);
    EXPECT_EQ(error->sentence(), "the device is gone");
    EXPECT_EQ(FailingDevice::sessions, round);
    EXPECT_FALSE(error_of(follower)) << "failures with an answer between them are not in a row";
    EXPECT_EQ(FailingDevice::sessions, round + 1);
  }
  EXPECT_EQ(follower.threads(), 1);
}

TEST(Follower, ADeviceThatFailsTwiceInARowIsGivenUp) {
  using sample::FailingDevice;
  FailingDevice::sessions = 0;
  FailingDevice::left = 1000;
  Follower follower(sample::failing_detector(), sample::corner_landmarks(), loose(),
                    {BackendKind::kReference, 1});
  EXPECT_EQ(error_of(follower)->code(), ErrorCode::kDevice);
  std::vector<std::vector<Followed>> none(1);
  EXPECT_THROW(follower.next({}, none), Error) << "a wrong call says nothing of the device";
  const int left = FailingDevice::left - 1;
  for (int call = 0; call < 3; ++call) {
    if (call == 2) follower.restart();  // begins a new video, with the same device
    const std::optional<Error> error = error_of(follower);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::kBackend);
    EXPECT_EQ(error->sentence(),
              "the device failed twice in a row, so no further frame goes to it: the device is gone; begin "
              "anew, best with the backend auto or cpu");
    EXPECT_EQ(FailingDevice::left, left) << "the device is not asked again";
  }
  EXPECT_EQ(FailingDevice::sessions, 2);
  FailingDevice::left = 0;
}

TEST(Follower, ADeviceThatLetsNoNewSessionBeginIsGivenUp) {
  using sample::FailingDevice;
  FailingDevice::left = 1;
  Follower follower(sample::failing_detector(), sample::corner_landmarks(), loose(),
                    {BackendKind::kReference, 1});
  EXPECT_EQ(error_of(follower)->code(), ErrorCode::kDevice);
  FailingDevice::refused = 1;
  EXPECT_EQ(error_of(follower)->code(), ErrorCode::kBackend);
  EXPECT_EQ(FailingDevice::refused, 0);
  EXPECT_EQ(error_of(follower)->code(), ErrorCode::kBackend);
}

TEST(Follower, RefusesNonsense) {
  const auto refused = [](auto change) {
    FollowOptions options;
    change(options);
    EXPECT_THROW(Follower(sample::square_finder(), sample::corner_landmarks(), options), Error);
  };
  refused([](FollowOptions& o) { o.detect_every = 0; });
  refused([](FollowOptions& o) { o.gap = -1; });
  refused([](FollowOptions& o) { o.gap = 100001; });
  refused([](FollowOptions& o) { o.search.raw = true; });
  refused([](FollowOptions& o) { o.search.min_neighbors = 0; });
  refused([](FollowOptions& o) { o.smooth = 1.5; });
  refused([](FollowOptions& o) { o.smooth = NAN; });
  refused([](FollowOptions& o) { o.begin = -0.1; });
  refused([](FollowOptions& o) { o.begin = NAN; });
  refused([](FollowOptions& o) { o.min_confidence = 0.5; });  // these landmarks have no confidence
  refused([](FollowOptions& o) { o.min_confidence = 2; });
}

TEST(Follower, StatesHaveNames) {
  EXPECT_STREQ(state_name(FaceState::kFound), "found");
  EXPECT_STREQ(state_name(FaceState::kTracked), "tracked");
  EXPECT_STREQ(state_name(FaceState::kLost), "lost");
}

}  // namespace
}  // namespace winnow
