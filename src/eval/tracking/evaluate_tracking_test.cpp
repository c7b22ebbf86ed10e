#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <winnow/error.h>
#include <winnow/eval_tracking.h>

namespace winnow {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

FrameBox at(double x, double y = 0, double confidence = kNan) {
  return {RealBox{x, y, 100, 100}, confidence};
}
FrameBox none() { return {}; }

BoxTrack track(std::vector<FrameBox> frames) { return {BoxTrackFormat::kOtb, std::move(frames)}; }

// The first frame, which is not judged, and more frames.
TrackingEvaluation judge(std::vector<FrameBox> truth, std::vector<FrameBox> result,
                         const TrackingRule& rule = {}) {
  truth.insert(truth.begin(), at(0));
  result.insert(result.begin(), none());
  return evaluate_tracking(track(std::move(truth)), track(std::move(result)), rule);
}

std::string refused(const BoxTrack& truth, const BoxTrack& result, const TrackingRule& rule = {}) {
  try {
    evaluate_tracking(truth, result, rule);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "judged";
}

// Boxes of 100 x 100. Shifted by s to the right, the overlap is (100 - s) / (100 + s): 0.6 for 25, 1 / 3 for
// 50, 0.25 for 60 and 0 for 100.
TEST(EvaluateTracking, FiguresByHand) {
  const TrackingEvaluation judged =
      judge({at(0), at(0), at(0), at(0), at(0), at(0), none(), none(), none()},
            {at(0), at(25), at(50), at(60), at(100), none(), at(0), none(), none()});
  EXPECT_EQ(judged.present, 6);
  EXPECT_EQ(judged.absent, 3);
  EXPECT_EQ(judged.boxes, 6);
  EXPECT_EQ(judged.right, 4);
  ASSERT_EQ(judged.frames.size(), 9u);
  EXPECT_EQ(judged.frames[0].overlap, 1);
  EXPECT_EQ(judged.frames[1].overlap, 0.6);
  EXPECT_EQ(judged.frames[3].overlap, 0.25);
  EXPECT_EQ(judged.frames[4].overlap, 0);
  EXPECT_EQ(judged.frames[4].distance, 100);
  EXPECT_TRUE(std::isnan(judged.frames[5].distance));
  EXPECT_TRUE(std::isnan(judged.frames[6].distance));
  const TrackingFigures& f = judged.figures;
  EXPECT_EQ(f.precision, 4. / 6);
  EXPECT_EQ(f.recall, 4. / 6);
  EXPECT_EQ(f.f, 8. / 12);
  EXPECT_EQ(f.lost_absent, 2. / 3);
  EXPECT_EQ(f.lost_present, 1. / 6);
  // Overlaps are 1, 0.6, 1 / 3, 0.25, 0 and none.
  EXPECT_EQ(f.success[0], 4. / 6);
  EXPECT_EQ(f.success[4], 4. / 6);
  EXPECT_EQ(f.success[5], 3. / 6);  // 0.25 is not above 0.25
  EXPECT_EQ(f.success[6], 3. / 6);
  EXPECT_EQ(f.success[7], 2. / 6);
  EXPECT_EQ(f.success[12], 1. / 6);
  EXPECT_EQ(f.success[19], 1. / 6);
  EXPECT_EQ(f.success[20], 0);
  // Above 1: 20 points. Above 0.6: 12. Above 1 / 3: 7. Above 0.25: 5.
  EXPECT_NEAR(f.auc, (20 + 12 + 7 + 5) / 21. / 6, 1e-15);
  EXPECT_EQ(f.within[0], 1. / 6);
  EXPECT_EQ(f.within[24], 1. / 6);
  EXPECT_EQ(f.within[25], 2. / 6);
  EXPECT_EQ(f.within[50], 3. / 6);
  EXPECT_FALSE(judged.reliability.has_value());
}

TEST(EvaluateTracking, TheFirstFrameIsNotJudged) {
  const TrackingEvaluation judged =
      evaluate_tracking(track({at(0), at(0)}), track({at(500, 0, 0.9), at(0)}), {});
  EXPECT_EQ(judged.present, 1);
  EXPECT_EQ(judged.boxes, 1);
  EXPECT_EQ(judged.figures.recall, 1);
  EXPECT_EQ(judged.frames.size(), 1u);
  EXPECT_FALSE(judged.reliability.has_value());
}

TEST(EvaluateTracking, DistancesAreOfTheMiddles) {
  const FrameBox large{RealBox{-30, -40, 166, 188}, kNan};  // its middle is (53, 54)
  const TrackingEvaluation judged = judge({at(0), at(0)}, {large, at(12, 16)});
  EXPECT_EQ(judged.frames[0].distance, 5);
  EXPECT_EQ(judged.frames[1].distance, 20);
  EXPECT_EQ(judged.figures.within[4], 0);
  EXPECT_EQ(judged.figures.within[5], 0.5);
  EXPECT_EQ(judged.figures.within[19], 0.5);
  EXPECT_EQ(judged.figures.within[20], 1);
}

TEST(EvaluateTracking, AnotherOverlap) {
  EXPECT_EQ(judge({at(0), at(0)}, {at(25), at(50)}, {0.6}).right, 1);
  EXPECT_EQ(judge({at(0), at(0)}, {at(25), at(50)}, {0.61}).right, 0);
  EXPECT_EQ(judge({at(0), at(0)}, {at(0), at(50)}, {1}).right, 1);
}

TEST(EvaluateTracking, RoundingGivesNoOverlapAboveOne) {
  const FrameBox odd{RealBox{164.72, 93.659, 51.88, 54.871}, kNan};
  for (double shift = 0; shift < 20; shift += 0.37) {
    FrameBox box = odd;
    box.box->x += shift, box.box->width += shift / 3;
    const TrackingEvaluation judged = judge({box}, {box});
    EXPECT_LE(judged.frames[0].overlap, 1);
    EXPECT_EQ(judged.figures.success[20], 0);
  }
}

TEST(EvaluateTracking, FiguresThatAreNotThere) {
  const TrackingFigures lost = judge({at(0)}, {none()}).figures;
  EXPECT_TRUE(std::isnan(lost.precision));
  EXPECT_EQ(lost.recall, 0);
  EXPECT_EQ(lost.f, 0);
  EXPECT_EQ(lost.auc, 0);
  EXPECT_EQ(lost.lost_present, 1);
  EXPECT_TRUE(std::isnan(lost.lost_absent));
  const TrackingFigures absent = judge({none()}, {at(0)}).figures;
  EXPECT_EQ(absent.precision, 0);
  EXPECT_TRUE(std::isnan(absent.recall) && std::isnan(absent.f) && std::isnan(absent.auc));
  EXPECT_TRUE(std::isnan(absent.within[20]) && std::isnan(absent.lost_present));
  EXPECT_EQ(absent.lost_absent, 0);
}

TEST(EvaluateTracking, Reliability) {
  const TrackingEvaluation judged =
      judge({at(0), at(0), at(0), none(), at(0), none()},
            {at(0, 0, 0.75), at(30, 40, 0.7), at(300, 0, 1), at(0, 0, 0.75), {std::nullopt, 0.75}, at(0)});
  ASSERT_TRUE(judged.reliability.has_value());
  const TrackingReliability& r = *judged.reliability;
  EXPECT_EQ(r.boxes(), 4);
  // The third box of the bin lies in a frame without the object, and has no distance. A shift by 30 and 40
  // leaves an overlap of 4200 / 15800, which is right.
  EXPECT_EQ(r.bins[7].boxes, 3);
  EXPECT_NEAR(r.bins[7].stated, (0.75 + 0.7 + 0.75) / 3, 1e-15);
  EXPECT_EQ(r.bins[7].right, 2. / 3);
  EXPECT_EQ(r.bins[7].distance, 25);
  EXPECT_EQ(r.bins[9].boxes, 1);
  EXPECT_EQ(r.bins[9].stated, 1);
  EXPECT_EQ(r.bins[9].right, 0);
  EXPECT_EQ(r.bins[9].distance, 300);
  EXPECT_EQ(r.bins[0].boxes, 0);
  EXPECT_TRUE(std::isnan(r.bins[0].stated) && std::isnan(r.bins[0].right) && std::isnan(r.bins[0].distance));
  EXPECT_NEAR(r.difference(), (3 * std::abs(2.2 / 3 - 2. / 3) + 1) / 4, 1e-15);
}

TEST(EvaluateTracking, BinsBeginAtTheirLowerEnds) {
  const TrackingEvaluation judged =
      judge({none(), none(), none(), at(0)}, {at(0, 0, 0), at(0, 0, 0.0999), at(0, 0, 0.5), at(0, 0, 1)});
  ASSERT_TRUE(judged.reliability.has_value());
  EXPECT_EQ(judged.reliability->bins[0].boxes, 2);
  EXPECT_EQ(judged.reliability->bins[5].boxes, 1);
  EXPECT_EQ(judged.reliability->bins[9].boxes, 1);
  EXPECT_TRUE(std::isnan(judged.reliability->bins[5].distance));
}

TEST(EvaluateTracking, MeansLeaveOutWhatIsNotThere) {
  const TrackingEvaluation sequences[] = {judge({at(0), none()}, {at(0, 0, 0.5), none()}),
                                          judge({at(0), at(0)}, {at(50), none()}), judge({at(0)}, {none()})};
  const TrackingFigures mean = mean_figures(sequences);
  EXPECT_EQ(mean.precision, 1);    // the third tracker gave no box
  EXPECT_EQ(mean.recall, 0.5);     // of 1, 0.5 and 0
  EXPECT_EQ(mean.lost_absent, 1);  // only the first sequence has such frames
  EXPECT_EQ(mean.lost_present, 0.5);
  EXPECT_NEAR(mean.auc, (20 / 21. + 7 / 42.) / 3, 1e-15);
  EXPECT_EQ(mean.success[0], 0.5);
  EXPECT_EQ(mean.within[0], 1. / 3);
  EXPECT_NEAR(mean.f, (1 + 2 / 3.) / 3, 1e-15);
  EXPECT_TRUE(std::isnan(mean_figures({}).auc));
  ASSERT_TRUE(joined_reliability(sequences).has_value());
  EXPECT_EQ(joined_reliability(sequences)->boxes(), 1);
}

TEST(EvaluateTracking, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refused(track({at(0), at(0), at(0)}), track({at(0)})),
            "the result has 1 frame, and the truth has 3");
  EXPECT_EQ(refused(track({at(0), at(0)}), track({at(0), at(0), at(0)})),
            "the result has 3 frames, and the truth has 2");
  EXPECT_EQ(refused(track({at(0)}), track({at(0)})),
            "a sequence must have 2 frames: the first is not judged");
  for (const double overlap : {0., -1., 1.01, kNan})
    EXPECT_EQ(refused(track({at(0), at(0)}), track({at(0), at(0)}), {overlap}),
              "the overlap of a right box must be above 0 and at most 1");
  EXPECT_EQ(refused(track({at(0), {RealBox{0, 0, 0, 5}, kNan}}), track({at(0), at(0)})),
            "the truth, frame 1: a box must have finite numbers and an area");
  EXPECT_EQ(refused(track({at(0), at(0)}), track({at(0), at(kNan)})),
            "the result, frame 1: a box must have finite numbers and an area");
  EXPECT_EQ(refused(track({at(0), at(0)}), track({at(0), at(0, 0, 1.5)})),
            "the result, frame 1: a confidence must be from 0 to 1");
}

}  // namespace
}  // namespace winnow
