#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <winnow/error.h>
#include <winnow/eval_tracking.h>

#include "base/file.h"
#include "base/folder_for_test.h"

namespace winnow {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

FrameBox at(double x) { return {RealBox{x, 0, 100, 100}}; }
FrameBox at(double x, double confidence) { return {RealBox{x, 0, 100, 100}, confidence}; }

BoxTrack track(std::vector<FrameBox> frames) { return {BoxTrackFormat::kTld, std::move(frames)}; }

// Two sequences and two trackers. The second tracker states no confidence, and never gives a box.
TrackingReport sample_report() {
  TrackingReport report;
  report.sequences = {{"car <1>", "car/gt.txt", track({at(0), at(0), {}})},
                      {"david", "david/gt.txt", track({at(0), at(0), at(0)})}};
  EvaluatedTracker one{"one, \"two\"", {"one/car.txt", "one/david.txt"}, {}};
  one.sequences = {evaluate_tracking(report.sequences[0].truth, track({at(0), at(25, 0.75), {}})),
                   evaluate_tracking(report.sequences[1].truth, track({at(0), at(50, 0.95), at(100, 0.75)}))};
  EvaluatedTracker other{"other", {}, {}};
  for (const MarkedSequence& sequence : report.sequences)
    other.sequences.push_back(evaluate_tracking(sequence.truth, track({at(0), {}, {}})));
  report.trackers = {one, other};
  return report;
}

TEST(TrackingReport, JsonHasAllFigures) {
  const json report = json::parse(tracking_eval_json(sample_report()));
  EXPECT_EQ(report["title"], "Evaluation of trackers");
  EXPECT_EQ(report["overlap"], 0.25);
  EXPECT_EQ(report["sequences"][0].dump(),
            R"({"absent":1,"file":"car/gt.txt","format":"tld","name":"car <1>","present":1})");
  const json& one = report["trackers"][0];
  EXPECT_EQ(one["name"], "one, \"two\"");
  EXPECT_EQ(one["sequences"][0]["file"], "one/car.txt");
  EXPECT_EQ(one["sequences"][0]["format"], "tld");
  EXPECT_EQ(one["sequences"][1]["boxes"], 2);
  EXPECT_EQ(one["sequences"][1]["right"], 1);
  const json& figures = one["sequences"][1]["figures"];
  EXPECT_EQ(figures["recall"], 0.5);
  EXPECT_EQ(figures["f"], 0.5);
  EXPECT_EQ(figures["within_20"], 0);
  EXPECT_EQ(figures["success"].size(), 21u);
  EXPECT_EQ(figures["within"].size(), 51u);
  EXPECT_EQ(figures["within"][50], 0.5);
  EXPECT_TRUE(figures["lost_absent"].is_null());
  EXPECT_EQ(one["mean"]["recall"], 0.75);
  EXPECT_EQ(one["mean"]["lost_absent"], 1);
  EXPECT_EQ(one["reliability"]["boxes"], 3);
  EXPECT_EQ(one["reliability"]["bins"][7].dump(), R"({"boxes":2,"distance":62.5,"right":0.5,"stated":0.75})");
  EXPECT_TRUE(one["reliability"]["bins"][0]["stated"].is_null());
  EXPECT_EQ(one["sequences"][0]["reliability"]["boxes"], 1);
  const json& other = report["trackers"][1];
  EXPECT_TRUE(other["reliability"].is_null());
  EXPECT_TRUE(other["mean"]["precision"].is_null());
  EXPECT_TRUE(other["sequences"][0]["file"].is_null());
}

TEST(TrackingReport, CsvHasALineForEachFrame) {
  EXPECT_EQ(tracking_eval_csv(sample_report()),
            "tracker,sequence,frame,present,found,overlap,distance,confidence\n"
            "\"one, \"\"two\"\"\",car <1>,1,1,1,0.6,25,0.75\n"
            "\"one, \"\"two\"\"\",car <1>,2,0,0,0,,\n"
            "\"one, \"\"two\"\"\",david,1,1,1,0.3333333333333333,50,0.95\n"
            "\"one, \"\"two\"\"\",david,2,1,1,0,100,0.75\n"
            "other,car <1>,1,1,0,0,,\n"
            "other,car <1>,2,0,0,0,,\n"
            "other,david,1,1,0,0,,\n"
            "other,david,2,1,0,0,,\n");
}

TEST(TrackingReport, ThePageIsWholeInItself) {
  const std::string page = tracking_eval_page(sample_report());
  EXPECT_THAT(page, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("<p>2 sequences, 3 frames with the object and 1 without."));
  EXPECT_THAT(page, HasSubstr("car &lt;1&gt;"));
  EXPECT_THAT(page, HasSubstr("one, &quot;two&quot;"));
  // The mean of overlaps 0.6, and 1 / 3 and 0: (12 + 7 / 2) / 21 / 2.
  EXPECT_THAT(page, HasSubstr("one, &quot;two&quot;: AUC 0.369</text>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"name\">mean</td><td>0.369</td>"));
  EXPECT_THAT(
      page,
      HasSubstr("<td class=\"name\">david</td><td>0.167</td><td>0.0 %</td><td>50.0 %</td><td>50.0 %</td>"
                "<td>0.500</td><td>–</td><td>0.0 %</td></tr>"));
  EXPECT_THAT(page, HasSubstr("Stated and observed confidence"));
  EXPECT_THAT(page, HasSubstr("other: states none</text>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"name\">distance, px</td>"));
  EXPECT_THAT(page, HasSubstr("<h2>Frame by frame</h2>"));
  EXPECT_THAT(page, HasSubstr("one/car.txt (tld)"));
  for (const char* foreign : {"<script", "<link", "@import", "url(", "src=\"http", "href=", "<1>"})
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
}

TEST(TrackingReport, OneSequenceHasNoMean) {
  TrackingReport report = sample_report();
  report.sequences.pop_back();
  for (EvaluatedTracker& tracker : report.trackers) tracker.sequences.pop_back();
  report.trackers[0].files.pop_back();
  report.trackers.pop_back();
  const std::string page = tracking_eval_page(report);
  EXPECT_THAT(page, Not(HasSubstr(">mean<")));
  EXPECT_THAT(
      page,
      HasSubstr("<tr><td class=\"name\">one, &quot;two&quot;</td><td class=\"name\">car &lt;1&gt;</td>"));
  report.trackers[0].sequences[0] =
      evaluate_tracking(report.sequences[0].truth, track({at(0), at(0), at(0)}));
  EXPECT_THAT(tracking_eval_page(report), Not(HasSubstr("<h2>Confidence</h2>")));
}

TEST(TrackingReport, LongSequencesAreDrawnByRuns) {
  TrackingReport report;
  report.sequences = {{"long", "", track(std::vector<FrameBox>(20001, at(0)))}};
  report.trackers = {{"one", {}, {evaluate_tracking(report.sequences[0].truth, report.sequences[0].truth)}}};
  EXPECT_LT(tracking_eval_page(report).size(), 60000u);
  EXPECT_LT(tracking_eval_page(TrackingReport{}).size(), 10000u);
}

TEST(TrackingReport, RefusesAnEvaluationOfOtherSequences) {
  TrackingReport report = sample_report();
  report.sequences.pop_back();
  EXPECT_THROW(tracking_eval_json(report), Error);
  EXPECT_THROW(tracking_eval_csv(report), Error);
  EXPECT_THROW(tracking_eval_page(report), Error);
  report = sample_report();
  report.sequences[0].truth.frames.pop_back();
  EXPECT_THROW(tracking_eval_page(report), Error);
  report = sample_report();
  report.trackers[0].files.pop_back();
  EXPECT_THROW(tracking_eval_page(report), Error);
  report = sample_report();
  report.trackers[1].sequences[0].rule.overlap = 0.5;
  EXPECT_THROW(tracking_eval_page(report), Error);
}

TEST(TrackingReport, ThreeFilesAreWritten) {
  const TestFolder made;
  const std::string folder = made.path() + "/deep/er";
  write_tracking_eval(sample_report(), folder);
  for (const char* name : {"eval.json", "frames.csv", "index.html"})
    EXPECT_GT(read_file(folder + "/" + name, 1 << 20).size(), 100u);
  EXPECT_EQ(tracking_eval_files(folder)[1], folder + "/frames.csv");
  EXPECT_THROW(write_tracking_eval(sample_report(), folder + "/eval.json/no"), Error);
}

}  // namespace
}  // namespace winnow
