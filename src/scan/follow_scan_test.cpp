// Tests that a scan follows faces through streams as a `Follower` does, and answers single pictures as a scan
// for faces does. Numbers of faces go on after problems.
#include <gtest/gtest.h>

#include <algorithm>
#include <any>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <winnow/error.h>
#include <winnow/scan.h>

#include "base/folder_for_test.h"
#include "model/landmarks/landmark_samples_for_test.h"
#include "session/failing_detector_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

const Landmarks& points() {
  static const Landmarks landmarks(sample::random_landmarks({.points = 4, .confidence = true}, true, 2));
  return landmarks;
}

FollowOptions loose() {
  FollowOptions options;
  options.search.min_neighbors = 1;
  options.detect_every = 4;
  return options;
}

// The second square is gone from frame 18 on.
GrayImage scene(int number, int width = 200) {
  std::vector<Box> squares = {{10 + 3 * number, 20, 48, 48}};
  if (number < 18) squares.push_back({150, 60, 36, 36});
  return sample::make_scene({width, 120}, squares);
}

void append(std::ofstream& out, const GrayImage& image) {
  out << "P5 " << image.width() << ' ' << image.height() << " 255\n";
  for (int y = 0; y < image.height(); ++y)
    out.write(reinterpret_cast<const char*>(image.view().row(y)), image.width());
}

// Two streams of 14 frames that begin in different places, with a picture between them.
class Mixed : public TestFolder {
 public:
  // In both streams, frame number `narrow` is only 60 pixels wide; -1: no frame is.
  explicit Mixed(int narrow = -1) {
    for (const int first : {0, 9}) {
      const std::string path = file("stream" + std::to_string(first));
      std::ofstream out(path, std::ios::binary);
      for (int number = 0; number < kFrames; ++number)
        append(out, scene(first + number, number == narrow ? 60 : 200));
      inputs_.push_back({InputKind::kStream, path, "", ""});
      if (first > 0) break;
      const std::string picture = file("picture.pgm");
      std::ofstream one(picture, std::ios::binary);
      append(one, scene(0));
      inputs_.push_back({InputKind::kPicture, picture, "", ""});
    }
  }
  const std::vector<Input>& inputs() const { return inputs_; }
  // Not a multiple of `detect_every`, so the test sees whether the second stream begins anew.
  static constexpr int kFrames = 14;

 private:
  std::vector<Input> inputs_;
};

struct Seen {
  std::vector<std::vector<Followed>> streams[3];
  std::vector<std::string> problems;
  std::vector<Shape> shapes;  // shapes of the picture
  Detections picture;
};

Seen run(const Mixed& mixed, const FollowOptions& follow, const MachineOptions& machine,
         ScanOptions options) {
  FollowScan parts = make_follow_scan(sample::square_finder(), points(), follow, machine);
  options.make_state = std::move(parts.make_state);
  Scan scan(mixed.inputs(), std::move(parts.work), options);
  Seen seen;
  for (ScanEvent event; scan.next(event);) {
    if (event.kind == FrameEvent::Kind::kProblem)
      seen.problems.push_back(event.problem.substr(event.problem.rfind(':') + 2));
    if (event.kind != FrameEvent::Kind::kFrame) continue;
    EXPECT_GT(event.seconds, 0);
    EXPECT_EQ(event.found.backend, backend_name(machine.backend));
    EXPECT_EQ(event.found.picture, event.picture.gray.size());
    EXPECT_EQ(event.sequence, event.input != 1);
    if (!event.sequence) {
      EXPECT_EQ(event.state, nullptr);
      seen.shapes = std::any_cast<std::vector<Shape>>(event.answer);
      seen.picture = event.found;
      continue;
    }
    const auto& faces = std::any_cast<const std::vector<Followed>&>(event.answer);
    std::vector<Box> there;
    for (const Followed& face : faces)
      if (face.state != FaceState::kLost) there.push_back(face.box);
    EXPECT_EQ(event.found.objects.size(), there.size());
    for (std::size_t i = 0; i < std::min(there.size(), event.found.objects.size()); ++i)
      EXPECT_EQ(event.found.objects[i].box, there[i]);
    seen.streams[event.input].push_back(faces);
  }
  return seen;
}

void expect_same(const std::vector<std::vector<Followed>>& got,
                 const std::vector<std::vector<Followed>>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(got[i].size(), wanted[i].size());
    for (std::size_t f = 0; f < got[i].size(); ++f) {
      EXPECT_EQ(got[i][f].id, wanted[i][f].id);
      EXPECT_EQ(got[i][f].state, wanted[i][f].state);
      EXPECT_EQ(got[i][f].box, wanted[i][f].box);
      EXPECT_EQ(got[i][f].score, wanted[i][f].score);
      EXPECT_EQ(got[i][f].shape, wanted[i][f].shape);
    }
  }
}

TEST(FollowScan, AnswersAsAFollowerAndAFinderDo) {
  const Mixed mixed;
  Follower follower(sample::square_finder(), points(), loose(), {BackendKind::kReference, 1});
  std::vector<std::vector<Followed>> wanted[2];
  for (const int first : {0, 9}) {
    follower.restart();
    for (int number = 0; number < Mixed::kFrames; ++number)
      wanted[first == 0 ? 0 : 1].push_back(follower.next(scene(first + number).view()));
  }
  ASSERT_GE(wanted[0].back().size(), 2U);
  EXPECT_TRUE(std::any_of(wanted[1].begin(), wanted[1].end(), [](const std::vector<Followed>& faces) {
    return std::any_of(faces.begin(), faces.end(),
                       [](const Followed& face) { return face.state == FaceState::kLost; });
  }));
  FaceFinder finder(sample::square_finder(), points(), {BackendKind::kReference, 1});
  const FoundFaces picture = finder.find(scene(0).view(), loose().search);
  for (const BackendInfo& backend : list_backends()) {
    if (!backend.available) continue;
    for (const int threads : {1, 2}) {
      for (const std::optional<int> batch : {std::optional<int>(1), {5}, {100}, {}}) {
        SCOPED_TRACE(std::string(backend_name(backend.kind)) + ", batch " +
                     std::to_string(batch.value_or(0)));
        ScanOptions options;
        options.batch = batch;
        const Seen seen = run(mixed, loose(), {backend.kind, threads}, options);
        EXPECT_TRUE(seen.problems.empty());
        expect_same(seen.streams[0], wanted[0]);
        expect_same(seen.streams[2], wanted[1]);
        EXPECT_EQ(seen.shapes, picture.shapes);
        EXPECT_EQ(seen.picture.objects, picture.found.objects);
      }
    }
  }
}

TEST(FollowScan, SeesOnlyTheFramesThatTheScanTakes) {
  const Mixed mixed;
  ScanOptions third;
  third.every = 3;
  const Seen seen = run(mixed, loose(), {BackendKind::kCpu, 1}, third);
  Follower follower(sample::square_finder(), points(), loose(), {BackendKind::kCpu, 1});
  std::vector<std::vector<Followed>> wanted;
  for (int number = 0; number < Mixed::kFrames; number += 3)
    wanted.push_back(follower.next(scene(number).view()));
  expect_same(seen.streams[0], wanted);
}

// The first frame with a face, if the face is there from frame 5 on. A new video is searched in frames 0 to 2
// in any case.
int first_found(FollowScan& parts, InputKind kind) {
  ScanEvent event;
  event.kind = FrameEvent::Kind::kFrame;
  event.sequence = true;
  const auto state = parts.make_state({kind, "input", "", ""}, event);
  for (int number = 0; number < 12; ++number) {
    event.picture.gray = number < 5 ? sample::make_scene({200, 120}, {}) : scene(number);
    state->next(event);
    if (!event.found.objects.empty()) return number;
  }
  return -1;
}

TEST(FollowScan, SearchesUntilAFaceIsFoundInCamerasAndStreams) {
  const int usual = 2 * loose().detect_every, at_once = 5;
  struct Case {
    std::optional<bool> until_found;
    int video, live;
  };
  for (const Case& each : {Case{{}, usual, at_once}, {true, at_once, at_once}, {false, usual, usual}}) {
    FollowOptions options = loose();
    options.until_found = each.until_found;
    FollowScan parts = make_follow_scan(sample::square_finder(), points(), options, {BackendKind::kCpu, 1});
    // The inputs of one scan share a follower, so the order of kinds must not matter.
    for (const InputKind kind :
         {InputKind::kVideo, InputKind::kVideo, InputKind::kStream, InputKind::kCamera, InputKind::kUnknown,
          InputKind::kCamera, InputKind::kStream, InputKind::kVideo}) {
      const bool live = kind == InputKind::kCamera || kind == InputKind::kStream;
      EXPECT_EQ(first_found(parts, kind), live ? each.live : each.video) << static_cast<int>(kind);
    }
  }
}

TEST(FollowScan, NumbersGoOnAfterAProblem) {
  constexpr int kNarrow = 6;
  const Mixed mixed(kNarrow);
  FollowOptions options = loose();
  options.search.region = {100, 0, 100, 120};
  const Seen seen = run(mixed, options, {BackendKind::kCpu, 1}, {});
  EXPECT_EQ(seen.problems, (std::vector<std::string>(2, "the region of interest lies outside the picture")));
  for (const int stream : {0, 2}) {
    const auto& frames = seen.streams[stream];
    ASSERT_EQ(frames.size(), Mixed::kFrames - 1U);
    int before = 0, after = 1 << 30;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      for (const Followed& face : frames[i]) {
        EXPECT_GE(face.box.x + face.box.width, 100) << "faces are found in the region";
        if (i < kNarrow) before = std::max(before, face.id);
        if (i >= kNarrow) after = std::min(after, face.id);
      }
    }
    ASSERT_FALSE(frames[0].empty());
    EXPECT_EQ(frames[0][0].id, 1) << "each input counts from 1";
    EXPECT_EQ(after, before + 1) << "no number is used for two faces";
    EXPECT_EQ(frames[kNarrow][0].state, FaceState::kFound) << "the frame after a problem is searched";
  }
}

// A scan that follows in one stream on a device that fails.
class BrokenStream {
 public:
  BrokenStream() {
    ScanEvent first;
    first.sequence = true;
    state_ = parts_.make_state({InputKind::kStream, "stream", "", ""}, first);
  }
  // The error of the next frame; no value if it was answered.
  std::optional<ErrorCode> next() {
    ScanEvent frame;
    frame.picture.gray = scene(0);
    try {
      state_->next(frame);
    } catch (const Error& error) {
      return error.code();
    }
    return std::nullopt;
  }

 private:
  static FollowOptions options() {
    FollowOptions follow = loose();
    follow.detect_every = 1;
    return follow;
  }
  FollowScan parts_ =
      make_follow_scan(sample::failing_detector(), points(), options(), {BackendKind::kReference, 1});
  std::unique_ptr<ScanState> state_;
};

// Otherwise each further frame would say that the device is gone, without end.
TEST(FollowScan, ADeviceThatFailsTwiceInARowEndsTheScan) {
  BrokenStream stream;
  for (int round = 0; round < 2; ++round) {
    sample::FailingDevice::left = 1;
    EXPECT_EQ(stream.next(), ErrorCode::kDevice) << "a problem of this frame";
    EXPECT_EQ(stream.next(), std::nullopt);
  }
  sample::FailingDevice::left = 9;
  EXPECT_EQ(stream.next(), ErrorCode::kDevice);
  EXPECT_EQ(stream.next(), ErrorCode::kBackend) << "this error ends a scan";
  sample::FailingDevice::left = 0;
}

TEST(FollowScan, ADeviceThatLetsNoSessionBeginEndsTheScan) {
  BrokenStream stream;
  sample::FailingDevice::refused = 9;
  EXPECT_EQ(stream.next(), ErrorCode::kDevice);
  EXPECT_EQ(stream.next(), ErrorCode::kBackend);
  sample::FailingDevice::refused = 0;
}

TEST(FollowScan, ASearchThatCannotBeFollowedServesPicturesOnly) {
  const Mixed mixed;
  FollowOptions raw = loose();
  raw.search.raw = true;
  FollowScan parts = make_follow_scan(sample::square_finder(), points(), raw, {BackendKind::kCpu, 1});
  ScanOptions options;
  options.make_state = std::move(parts.make_state);
  Scan scan({mixed.inputs()[1], mixed.inputs()[0]}, std::move(parts.work), options);
  ScanEvent event;
  ASSERT_TRUE(scan.next(event));
  EXPECT_GT(event.found.objects.size(), 2U);
  ASSERT_TRUE(scan.next(event));
  EXPECT_EQ(event.kind, FrameEvent::Kind::kEnd);
  try {
    scan.next(event);
    FAIL() << "faces were followed in windows";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_STREQ(error.what(), "faces are followed in merged boxes: min_neighbors must be 1 or more");
  }
}

TEST(FollowScan, OptionsThatMakeNoSenseAreReportedAtOnce) {
  const auto refused = [](auto change) {
    FollowOptions options;
    change(options);
    EXPECT_THROW(make_follow_scan(sample::square_finder(), points(), options), Error);
  };
  refused([](FollowOptions& o) { o.detect_every = 0; });
  refused([](FollowOptions& o) { o.gap = -1; });
  refused([](FollowOptions& o) { o.smooth = 1.5; });
  refused([](FollowOptions& o) { o.between = static_cast<Between>(3); });
  refused([](FollowOptions& o) { o.min_confidence = 2; });
  refused([](FollowOptions& o) { o.search.scale_factor = 1; });
  refused([](FollowOptions& o) { o.search.region = {5, 5, 0, 10}; });
}

}  // namespace
}  // namespace winnow
