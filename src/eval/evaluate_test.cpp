#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <winnow/error.h>
#include <winnow/eval.h>

namespace winnow {
namespace {

Label at(double x, bool ignore = false) { return {{x, 0, 10, 10}, {}, "", ignore}; }

Detection hit(int x, double score, int neighbors = 1) { return {{x, 0, 10, 10}, score, neighbors}; }

using Found = std::vector<std::vector<Detection>>;

std::vector<LabelledPicture> one_picture(std::vector<Label> labels) {
  return {{"a.png", "a.png", std::move(labels)}};
}

std::vector<Verdict> verdicts(const Evaluation& e) {
  std::vector<Verdict> all;
  for (const JudgedDetection& each : e.judged) all.push_back(each.verdict);
  return all;
}

// Ten pictures with one object each, at x = 0. Best first, five detections are right, right, wrong, right,
// and wrong (a second hit). Two more detections, one right and one wrong, share the lowest score.
struct Scene {
  std::vector<LabelledPicture> pictures;
  Found found = Found(10);
  Scene() {
    for (int i = 0; i < 10; ++i) pictures.push_back({"", std::to_string(i), {at(0)}});
    found[0] = {hit(0, 9)};
    found[1] = {hit(50, 7), hit(0, 8)};
    found[2] = {hit(0, 6), hit(1, 5)};
    found[3] = {hit(0, 4)};
    found[4] = {hit(70, 4)};
  }
};

TEST(Evaluate, CountsAtDistinctScores) {
  const Scene scene;
  const Evaluation e = evaluate(scene.pictures, scene.found);
  EXPECT_EQ(e.pictures, 10);
  EXPECT_EQ(e.labels, 10);
  EXPECT_EQ(e.curve,
            (std::vector<CurvePoint>{{9, 1, 0}, {8, 2, 0}, {7, 2, 1}, {6, 3, 1}, {5, 3, 2}, {4, 4, 3}}));
  EXPECT_EQ(e.found(), 4);
  EXPECT_EQ(e.wrong(), 3);
  EXPECT_DOUBLE_EQ(e.recall(e.curve[3]), 0.3);
  EXPECT_DOUBLE_EQ(Evaluation::precision(e.curve[3]), 0.75);
  EXPECT_DOUBLE_EQ(e.wrong_per_picture(e.curve[5]), 0.3);
}

TEST(Evaluate, RecallWithAtMostSoManyFalsePositives) {
  const Scene scene;
  const Evaluation e = evaluate(scene.pictures, scene.found);
  EXPECT_DOUBLE_EQ(e.recall_at(0), 0.2);
  EXPECT_DOUBLE_EQ(e.recall_at(1), 0.3);
  EXPECT_DOUBLE_EQ(e.recall_at(2), 0.3);
  EXPECT_DOUBLE_EQ(e.recall_at(3), 0.4);
  EXPECT_DOUBLE_EQ(e.recall_at(1000), 0.4);
  EXPECT_DOUBLE_EQ(e.recall_at(-1), 0);
}

TEST(Evaluate, AveragePrecision) {
  const Scene scene;
  // The best precision at or beyond each recall: 1 up to 0.2, 3/4 up to 0.3, 4/7 up to 0.4, then 0.
  EXPECT_DOUBLE_EQ(evaluate(scene.pictures, scene.found).average_precision(),
                   0.2 * 1 + 0.1 * 0.75 + 0.1 * 4 / 7);
  // A later point of higher precision counts for earlier recalls, too: detections that are wrong, right,
  // right give 2/3 at every recall.
  const auto pictures = one_picture({at(0), at(20)});
  EXPECT_DOUBLE_EQ(evaluate(pictures, Found{{hit(50, 3), hit(0, 2), hit(20, 1)}}).average_precision(),
                   2. / 3);
  EXPECT_DOUBLE_EQ(evaluate(pictures, Found{{hit(0, 2), hit(20, 1)}}).average_precision(), 1);
  EXPECT_DOUBLE_EQ(evaluate(pictures, Found{{}}).average_precision(), 0);
}

TEST(Evaluate, LogAverageMissRate) {
  const Scene scene;
  // In ten pictures, four of the nine rates allow no false positive: the miss rate is 0.8. Two rates allow one
  // false positive (0.7). The last three rates allow three or more (0.6).
  const double wanted = std::exp((4 * std::log(0.8) + 2 * std::log(0.7) + 3 * std::log(0.6)) / 9);
  EXPECT_NEAR(evaluate(scene.pictures, scene.found).log_average_miss_rate(), wanted, 1e-12);
  // Without detections all objects are missed. If no object is missed, the miss rate counts as 1e-10.
  const auto pictures = one_picture({at(0)});
  EXPECT_DOUBLE_EQ(evaluate(pictures, Found{{}}).log_average_miss_rate(), 1);
  EXPECT_NEAR(evaluate(pictures, Found{{hit(0, 1)}}).log_average_miss_rate(), 1e-10, 1e-20);
  // The curve's only point has one false positive per picture, which is the last of the nine rates. At the
  // eight lower rates, all objects are missed.
  EXPECT_NEAR(evaluate(one_picture({at(0), at(20)}), Found{{hit(50, 1), hit(0, 1)}}).log_average_miss_rate(),
              std::exp(std::log(0.5) / 9), 1e-12);
}

TEST(Evaluate, TheRatesOfTheLogAverageAreEvenStepsOfTheExponent) {
  ASSERT_EQ(kLogAverageRates.size(), 9u);
  for (std::size_t i = 0; i < kLogAverageRates.size(); ++i)
    EXPECT_DOUBLE_EQ(kLogAverageRates[i], std::pow(10.0, -2 + 0.25 * static_cast<double>(i))) << i;
}

TEST(Evaluate, MissRateWithAtMostSoManyFalsePositivesPerPicture) {
  const Scene scene;
  const Evaluation e = evaluate(scene.pictures, scene.found);
  EXPECT_DOUBLE_EQ(e.miss_rate(e.curve[3]), 0.7);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0), 0.8);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.0999), 0.8);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.1), 0.7);  // a point with exactly this rate counts
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.2999), 0.7);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.3), 0.6);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(1e9), 0.6);  // beyond the end of the curve
  EXPECT_DOUBLE_EQ(e.miss_rate_at(-1), 1);
  EXPECT_DOUBLE_EQ(e.ends_at(), 0.3);
}

// 3 false positives in 300 pictures are a rate of exactly 0.01, and 30 are a rate of 0.1. Division gives the
// same doubles as the literals 0.01 and 0.1.
TEST(Evaluate, ARateThatIsMetExactlyCounts) {
  std::vector<LabelledPicture> pictures;
  Found found(300);
  for (int i = 0; i < 300; ++i) {
    pictures.push_back({"", std::to_string(i), {at(0)}});
    if (i < 30) found[static_cast<std::size_t>(i)] = {hit(50, 100 - i), hit(0, 99.5 - i)};
  }
  const Evaluation e = evaluate(pictures, found);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.01), 297. / 300);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.0099), 298. / 300);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.1), 270. / 300);
  EXPECT_DOUBLE_EQ(e.miss_rate_at(0.0999), 271. / 300);
}

TEST(Evaluate, EndsOfCurves) {
  // No detection: everything is missed, and the curve ends at 0.
  const auto two = one_picture({at(0), at(20)});
  const Evaluation nothing = evaluate(two, Found{{}});
  EXPECT_DOUBLE_EQ(nothing.miss_rate_at(1), 1);
  EXPECT_DOUBLE_EQ(nothing.log_average_miss_rate(), 1);
  EXPECT_DOUBLE_EQ(nothing.ends_at(), 0);
  // No false positive: at every rate, the miss rate is that of the curve's only point.
  const Evaluation half = evaluate(two, Found{{hit(0, 1)}});
  EXPECT_DOUBLE_EQ(half.miss_rate_at(0), 0.5);
  EXPECT_DOUBLE_EQ(half.miss_rate_at(1), 0.5);
  EXPECT_NEAR(half.log_average_miss_rate(), 0.5, 1e-15);
  EXPECT_DOUBLE_EQ(half.ends_at(), 0);
  // The only right detection ranks below two false positives. If fewer are allowed, everything is missed.
  const Evaluation late = evaluate(two, Found{{hit(40, 3), hit(60, 2), hit(0, 1)}});
  EXPECT_DOUBLE_EQ(late.miss_rate_at(1), 1);
  EXPECT_DOUBLE_EQ(late.miss_rate_at(2), 0.5);
  EXPECT_DOUBLE_EQ(late.log_average_miss_rate(), 1);
  EXPECT_DOUBLE_EQ(late.ends_at(), 2);
}

TEST(Evaluate, ASecondHitIsWrong) {
  const Evaluation e = evaluate(one_picture({at(0)}), Found{{hit(1, 1), hit(0, 2)}});
  ASSERT_EQ(verdicts(e), (std::vector{Verdict::kRight, Verdict::kWrong}));
  EXPECT_EQ(e.judged[0].detection.box.x, 0);
  EXPECT_EQ(e.judged[0].label, 0u);
  EXPECT_FALSE(e.judged[1].label);
}

TEST(Evaluate, ADetectionTakesTheFreeLabelThatItOverlapsMost) {
  // The first detection matches both labels and takes the nearer one. The second takes the other label, which
  // is still free.
  const Evaluation e = evaluate(one_picture({at(3), at(1)}), Found{{hit(0, 2), hit(1, 1)}});
  EXPECT_EQ(verdicts(e), (std::vector{Verdict::kRight, Verdict::kRight}));
  EXPECT_EQ(e.judged[0].label, 1u);
  EXPECT_EQ(e.judged[1].label, 0u);
}

TEST(Evaluate, WhatIsIgnoredIsNeitherRightNorWrong) {
  const auto pictures = one_picture({at(0), at(20, true)});
  const Evaluation e = evaluate(pictures, Found{{hit(20, 5), hit(21, 4), hit(0, 3)}});
  EXPECT_EQ(e.labels, 1);
  EXPECT_EQ(e.ignored_labels, 1);
  EXPECT_EQ(verdicts(e), (std::vector{Verdict::kIgnored, Verdict::kIgnored, Verdict::kRight}));
  EXPECT_EQ(e.curve, (std::vector<CurvePoint>{{3, 1, 0}}));
  // The first detection takes the label that is not ignored. Only the ignored label is left for the second.
  const Evaluation both = evaluate(one_picture({at(0, true), at(0)}), Found{{hit(0, 2), hit(0, 1)}});
  EXPECT_EQ(verdicts(both), (std::vector{Verdict::kRight, Verdict::kIgnored}));
}

TEST(Evaluate, EqualScoresGoByPictureThenAsTheyCame) {
  std::vector<LabelledPicture> pictures = one_picture({at(0)});
  pictures.push_back({"", "b", {at(0)}});
  const Evaluation e = evaluate(pictures, Found{{hit(1, 5), hit(0, 5)}, {hit(0, 5), hit(2, 6)}});
  ASSERT_EQ(e.judged.size(), 4u);
  EXPECT_EQ(e.judged[0].picture, 1u);
  EXPECT_EQ(e.judged[1].detection.box.x, 1);
  EXPECT_EQ(e.judged[2].detection.box.x, 0);
  EXPECT_EQ(e.judged[3].picture, 1u);
  EXPECT_EQ(verdicts(e), (std::vector{Verdict::kRight, Verdict::kRight, Verdict::kWrong, Verdict::kWrong}));
  EXPECT_EQ(e.curve, (std::vector<CurvePoint>{{6, 1, 0}, {5, 2, 2}}));
}

TEST(Evaluate, ByNeighbors) {
  EvalRule rule;
  rule.rank = RankBy::kNeighbors;
  const Evaluation e = evaluate(one_picture({at(0)}), Found{{hit(50, 9, 2), hit(0, 1, 3)}}, rule);
  EXPECT_EQ(e.curve, (std::vector<CurvePoint>{{3, 1, 0}, {2, 1, 1}}));
}

TEST(Evaluate, ByPoints) {
  EvalRule rule;
  rule.match = MatchKind::kPoints;
  const Label face{{12, 12, 8, 8}, {{12, 12}, {20, 12}, {16, 16}, {13, 20}, {16, 20}, {19, 20}}, "", false};
  const Found found{{{{10, 10, 12, 12}, 3, 1}, {{8, 8, 16, 16}, 2, 1}, {{0, 0, 37, 37}, 4, 1}}};
  const Evaluation e = evaluate(one_picture({face}), found, rule);
  // The first box has a side of 37, which is more than 4.5 times the span of 8. The next box finds the face,
  // and the last box finds the face again.
  EXPECT_EQ(verdicts(e), (std::vector{Verdict::kWrong, Verdict::kRight, Verdict::kWrong}));
}

TEST(Evaluate, NothingToFindGivesNoRates) {
  const Evaluation empty = evaluate({}, {});
  EXPECT_TRUE(std::isnan(empty.recall_at(10)));
  EXPECT_TRUE(std::isnan(empty.average_precision()));
  EXPECT_TRUE(std::isnan(empty.miss_rate_at(1)));
  EXPECT_TRUE(std::isnan(empty.ends_at()));
  EXPECT_TRUE(std::isnan(empty.log_average_miss_rate()));
  const Evaluation wrong = evaluate(one_picture({}), Found{{hit(0, 1)}});
  EXPECT_EQ(wrong.wrong(), 1);
  EXPECT_TRUE(std::isnan(wrong.recall_at(10)));
}

void expect_refused(const std::vector<LabelledPicture>& pictures, const Found& found, const EvalRule& rule,
                    const std::string& says) {
  try {
    evaluate(pictures, found, rule);
    ADD_FAILURE() << "was taken: " << says;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

TEST(Evaluate, WrongRulesAreRefused) {
  const auto pictures = one_picture({at(0)});
  const Found none(1);
  expect_refused(pictures, {}, {}, "for each picture");
  for (const double iou : {0.0, -1.0, 1.1, std::nan("")}) {
    EvalRule rule;
    rule.iou = iou;
    expect_refused(pictures, none, rule, "overlap");
  }
  EvalRule rule;
  rule.match = MatchKind::kPoints;
  expect_refused(pictures, none, rule, "a.png: the rule asks for more points than the 0 of a label");
  rule.hold = {-1};
  expect_refused(pictures, none, rule, "from 0");
  rule.hold = {};
  expect_refused(pictures, none, rule, "must name a point");
  rule = {};
  rule.at_most = 0;
  expect_refused(pictures, none, rule, "largest side");
  expect_refused(pictures, Found{{hit(0, std::nan(""))}}, {}, "number");
}

TEST(Evaluate, FddbForm) {
  const std::vector<LabelledPicture> pictures{{"x/2002/a.jpg", "2002/a", {}}, {"x/b.jpg", "b", {}}};
  EXPECT_EQ(fddb_text(pictures, Found{{{{1, 2, 3, 4}, 0.5, 7}, {{-1, 0, 30, 40}, 12, 1}}, {}}),
            "2002/a\n2\n1 2 3 4 0.5\n-1 0 30 40 12\nb\n0\n");
  EXPECT_THROW(fddb_text(pictures, {}), Error);
}

}  // namespace
}  // namespace winnow
