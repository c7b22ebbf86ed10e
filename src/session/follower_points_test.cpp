// Tests where the points of a followed face lie: fits in the box that flow moved, blends, and what presence and
// missing faces have searched.
#include <winnow/error.h>
#include <winnow/flow.h>
#include <winnow/follower.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/real_box.h"
#include "model/landmarks/landmark_model.h"
#include "model/landmarks/landmark_samples_for_test.h"
#include "session/follow_rules.h"
#include "session/scene_for_test.h"
#include "session/written_shape.h"
#include "shape/shape_box.h"
#include "shape/shape_fit.h"
#include "track/flow/flow_scenes_for_test.h"
#include "track/follow/host_median.h"
#include "track/follow/motion_rule.h"

namespace winnow {
namespace {

Landmarks random_points(bool fixed_point, bool presence = false) {
  sample::LandmarkSizes sizes{.points = 24, .confidence = fixed_point, .presence = presence};
  LandmarkModel model = sample::random_landmarks(sizes, fixed_point, 5);
  // Half of the points lie on the dark square of a box, so that flow can carry them.
  for (std::size_t i = 0; i < model.mean.size(); i += 2)
    model.mean[i] = {i % 4 == 0 ? 0.25F : 0.75F, i % 8 < 4 ? 0.25F : 0.75F};
  model.detector = "squares";
  return Landmarks(std::move(model));
}

FollowOptions loose(Between between) {
  FollowOptions options;
  options.search.min_neighbors = 1;
  options.between = between;
  options.min_confidence = 0;
  return options;
}

// Adds texture that flow can follow. `right`: how far the texture has moved.
void add_texture(GrayImage& frame, int right) {
  for (int y = 0; y < frame.height(); ++y)
    for (int x = 0; x < frame.width(); ++x)
      frame.row(y)[x] = static_cast<std::uint8_t>(frame.row(y)[x] +
                                                  sample::smooth_gray(6 * (x - right) + 5000, 6 * y, 7) / 6);
}

// A square walks to the right by 2 pixels a frame, and the ground with it.
GrayImage frame_of(int number) {
  GrayImage frame = sample::make_scene({300, 160}, {{60 + 2 * number, 40, 60, 60}});
  add_texture(frame, 2 * number);
  return frame;
}

// The first frames of a video are searched, because the first has no frame before it.
constexpr int kSearched = 3;

// Where the follower says that the only face is, frame by frame.
std::vector<Followed> follow(const Landmarks& landmarks, const FollowOptions& options,
                             const MachineOptions& machine, int frames) {
  Follower follower(sample::square_finder(), landmarks, options, machine);
  std::vector<Followed> only;
  for (int number = 0; number < frames; ++number) {
    const std::vector<Followed> faces = follower.next(frame_of(number).view());
    EXPECT_EQ(faces.size(), 1U);
    only.push_back(faces.empty() ? Followed{} : faces[0]);
  }
  return only;
}

// Follows a face by the steps of design page 022, one after the other: flow of the last points, their median
// motion, a fit in the moved box. The box is not rounded on its way.
class PlainWay {
 public:
  PlainWay(const Landmarks& landmarks, const Followed& found)
      : model_(landmarks.for_face_boxes()),
        fitter_(make_shape_fitter_ref(std::make_shared<const ShapeProgram>(model_.model()))),
        box_(real_box(found.box)),
        points_(found.shape.points) {}

  // The points' places by flow alone, and the shape of the fit.
  std::pair<std::vector<LandmarkPoint>, Shape> next(GrayView before, GrayView now) {
    FlowOptions options;
    options.back = true;
    const std::vector<FlowPoint> flown = flow_.track(before, now, points_, options);
    const auto step_of = [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      return point_step({points_[at].x, points_[at].y}, flown[at], box_);
    };
    std::vector<double> values;
    HostMedian median(static_cast<int>(points_.size()), values);
    const Motion motion = motion_of(step_of, median);
    std::vector<LandmarkPoint> carried;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      const PointStep step = step_of(i);
      const PointPlace to = step.holds ? step.to : motion(step.from);
      carried.push_back({to.x, to.y});
    }
    box_ = moved(box_, motion);
    const ShapeBox placed = placed_box(box_, model_.model().place);
    const ShapeTask task{0, placed};
    FittedShapes fitted;
    fitter_->fit({&now, 1}, {&task, 1}, fitted);
    Shape shape;
    write_shape(model_.model(), placed, fitted, 0, shape);
    return {carried, shape};
  }
  void set_points(const std::vector<LandmarkPoint>& points) { points_ = points; }

 private:
  Landmarks model_;
  std::unique_ptr<ShapeFitter> fitter_;
  Flow flow_{{BackendKind::kReference, 1}};
  RealBox box_;
  std::vector<LandmarkPoint> points_;
};

TEST(FollowerPoints, AreFittedInTheBoxThatFlowMoved) {
  constexpr int kFrames = 10;
  for (const bool fixed_point : {true, false}) {
    SCOPED_TRACE(fixed_point);
    const Landmarks landmarks = random_points(fixed_point);
    for (const Between between : {Between::kFit, Between::kCarry, Between::kSteady}) {
      SCOPED_TRACE(between_name(between));
      const auto followed = follow(landmarks, loose(between), {BackendKind::kReference, 1}, kFrames);
      PlainWay plain(landmarks, followed[kSearched - 1]);
      double apart = 0, from_flow = 0, from_fit = 0;
      for (int number = kSearched; number < kFrames; ++number) {
        SCOPED_TRACE(number);
        const Followed& face = followed[static_cast<std::size_t>(number)];
        ASSERT_EQ(face.state, FaceState::kTracked);
        const auto [carried, fit] = plain.next(frame_of(number - 1).view(), frame_of(number).view());
        const std::vector<LandmarkPoint>& points = face.shape.points;
        if (between == Between::kFit) {
          EXPECT_EQ(face.shape, fit) << "points, confidence and presence";
        } else if (between == Between::kCarry) {
          EXPECT_EQ(points, carried);
        } else {
          EXPECT_EQ(face.shape.confidence, fit.confidence);
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
          apart += std::hypot(carried[i].x - fit.points[i].x, carried[i].y - fit.points[i].y);
          from_flow += std::hypot(carried[i].x - points[i].x, carried[i].y - points[i].y);
          from_fit += std::hypot(fit.points[i].x - points[i].x, fit.points[i].y - points[i].y);
        }
        plain.set_points(points);
      }
      EXPECT_GT(apart, 0);
      if (between != Between::kSteady) continue;
      EXPECT_NEAR(from_flow + from_fit, apart, 1e-6) << "on the line between";
      EXPECT_GT(from_flow, 0.01 * apart);
      EXPECT_GT(from_fit, 0.01 * apart);
    }
  }
}

TEST(FollowerPoints, AreTheSameOnEveryBackend) {
  for (const bool fixed_point : {true, false})
    for (const Between between : {Between::kSteady, Between::kFit, Between::kCarry}) {
      SCOPED_TRACE(std::string(between_name(between)) + (fixed_point ? ", whole leaves" : ", floats"));
      FollowOptions options = loose(between);
      options.detect_every = 4;
      const Landmarks landmarks = random_points(fixed_point, fixed_point);
      const auto wanted = follow(landmarks, options, {BackendKind::kReference, 1}, 14);
      for (const BackendInfo& backend : list_backends()) {
        if (!backend.available) continue;
        SCOPED_TRACE(backend_name(backend.kind));
        for (const int threads : {1, 3})
          EXPECT_EQ(follow(landmarks, options, {backend.kind, threads}, 14), wanted);
      }
    }
}

// A found face that was there before keeps its calm points; a face that begins has those of the search.
TEST(FollowerPoints, ASearchedFrameIsBlendedToo) {
  const Landmarks landmarks = random_points(true);
  FollowOptions options = loose(Between::kFit);
  options.detect_every = 1;
  const auto fits = follow(landmarks, options, {BackendKind::kCpu, 1}, 6);
  options.between = Between::kSteady;
  const auto steady = follow(landmarks, options, {BackendKind::kCpu, 1}, 6);
  EXPECT_EQ(steady[0].shape, fits[0].shape);
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_EQ(steady[i].state, FaceState::kFound);
    EXPECT_NE(steady[i].shape.points, fits[i].shape.points);
    EXPECT_EQ(steady[i].shape.presence, fits[i].shape.presence);
  }
}

// The dark square has a low presence, so each fit asks for a search. The lighter square has a high presence.
TEST(FollowerPoints, ALowPresenceAsksForASearch) {
  for (const int gray : {0, 90}) {
    GrayImage frame(200, 100);
    for (int y = 0; y < frame.height(); ++y) {
      std::fill_n(frame.row(y), frame.width(), 210);
      if (y >= 30 && y < 60) std::fill_n(frame.row(y) + 35, 30, gray);
    }
    add_texture(frame, 0);
    FollowOptions options = loose(Between::kSteady);
    options.detect_every = 100;
    Follower follower(sample::square_finder(), sample::lovers_of_light(), options, {BackendKind::kCpu, 1});
    std::string states;
    for (int number = 0; number < 10; ++number) {
      const auto faces = follower.next(std::as_const(frame).view());
      ASSERT_FALSE(faces.empty());
      states += faces[0].state == FaceState::kFound ? 'f' : 't';
    }
    EXPECT_EQ(states, gray == 0 ? "ffftfttftt" : "fffttttttt") << "at most every third fit asks";
  }
}

TEST(FollowerPoints, UntilAFaceIsFoundEachFrameIsSearched) {
  const GrayImage empty = sample::make_scene({300, 160}, {});
  for (const bool until_found : {false, true}) {
    FollowOptions options = loose(Between::kSteady);
    options.until_found = until_found;
    Follower follower(sample::square_finder(), random_points(true), options, {BackendKind::kCpu, 1});
    for (int number = 0; number < 3; ++number) EXPECT_TRUE(follower.next(empty.view()).empty());
    EXPECT_EQ(follower.next(frame_of(0).view()).size(), until_found ? 1U : 0U);
    if (!until_found) continue;
    for (int number = 1; number < 3; ++number) follower.next(frame_of(number).view());
    EXPECT_EQ(follower.next(frame_of(3).view())[0].state, FaceState::kTracked);
  }
}

// Three videos in one call give what each gives alone. Video 1 has another phase, and video 2 pauses.
TEST(FollowerPoints, SeveralVideosOnTheHostAreFollowedAsEachAlone) {
  const Landmarks landmarks = random_points(true);
  const FollowOptions options = loose(Between::kSteady);
  Follower together(sample::square_finder(), landmarks, options, {BackendKind::kCpu, 2});
  std::vector<Follower> alone;
  for (int i = 0; i < 3; ++i)
    alone.emplace_back(sample::square_finder(), landmarks, options,
                       MachineOptions{BackendKind::kReference, 1});
  for (int number = 0; number < 12; ++number) {
    std::vector<GrayImage> images;
    for (int i = 0; i < 3; ++i) images.push_back(frame_of(number + 5 * (i % 2)));
    std::vector<PictureView> views;
    for (const GrayImage& image : images) views.emplace_back(image.view());
    if (number == 7) views[2] = GrayView();
    std::vector<std::vector<Followed>> faces(3);
    together.next(views, faces);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(faces[i], alone[i].next(views[i])) << "video " << i;
  }
}

// A frame that cannot be read is refused before anything happens, also between searches. All begins anew.
TEST(FollowerPoints, AFrameWithoutPixelsIsRefused) {
  const Landmarks landmarks = random_points(true);
  for (const BackendInfo& backend : list_backends()) {
    if (!backend.available) continue;
    SCOPED_TRACE(backend_name(backend.kind));
    FollowOptions options = loose(Between::kSteady);
    Follower follower(sample::square_finder(), landmarks, options, {backend.kind, 1});
    const std::vector<Followed> first = follower.next(frame_of(0).view());
    for (int number = 1; number < 5; ++number) follower.next(frame_of(number).view());
    EXPECT_THROW(follower.next(GrayView{nullptr, 300, 160, 300}), Error);
    EXPECT_EQ(follower.next(frame_of(0).view()), first) << "as a new video";
  }
}

TEST(FollowerPoints, PresenceGivesRulesIfItCounts) {
  FollowOptions options;
  options.begin = 0.4;
  const FollowRules rules = follow_rules(options, true);
  EXPECT_TRUE(rules.presence_counts);
  EXPECT_DOUBLE_EQ(rules.ask_below, 0.2);
  EXPECT_DOUBLE_EQ(rules.doubt_below, 0.04) << "a tenth of what a new face needs";
  EXPECT_EQ(rules.points, PointRule::kBlend);
  EXPECT_FALSE(rules.until_found);
  options.min_confidence = 0.8;
  EXPECT_DOUBLE_EQ(follow_rules(options, true).doubt_below, 0.08);
  EXPECT_FALSE(follow_rules(options, false).presence_counts);
  EXPECT_EQ(follow_rules(options, false).ask_below, 0);
  options.between = Between::kCarry;
  EXPECT_FALSE(follow_rules(options, true).presence_counts) << "frames between searches have none";
  EXPECT_EQ(follow_rules(options, true).doubt_below, 0);
}

TEST(FollowerPoints, BetweenHasNames) {
  for (const Between between : {Between::kSteady, Between::kFit, Between::kCarry})
    EXPECT_EQ(parse_between(between_name(between)), between);
  EXPECT_STREQ(between_name(Between::kSteady), "steady");
  EXPECT_THROW(parse_between("calm"), Error);
  FollowOptions options;
  options.between = static_cast<Between>(3);
  EXPECT_THROW(Follower(sample::square_finder(), random_points(true), options), Error);
}

}  // namespace
}  // namespace winnow
