#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>

#include <winnow/error.h>
#include <winnow/eval.h>
#include <winnow/image.h>

#include "base/file.h"
#include "base/folder_for_test.h"
#include "eval/report.h"
#include "eval/worst.h"
#include "page/html.h"
#include "page/thumb.h"

namespace winnow {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Two pictures with a label each and one ignored label, and three detections.
EvalReport sample_report(const std::string& folder) {
  EvalReport report;
  report.truth = {"faces.csv (csv)"};
  report.pictures = {{folder + "/a.png", "a.png", {{{10, 10, 20, 20}, {}, "", false}}},
                     {folder + "/<b>.png", "<b>.png", {{{40, 10, 30, 30}, {}, "", false}}}};
  report.pictures[1].labels.push_back({{0, 0, 5, 5}, {}, "", true});
  const std::vector<std::vector<Detection>> found{{{{10, 10, 20, 20}, 3, 2}, {{60, 30, 20, 20}, 2.5, 2}},
                                                  {{{0, 0, 20, 20}, 1, 4}}};
  EvaluatedModel model;
  model.name = "one, \"two\"";
  model.file = "one.xml";
  model.backend = "cpu";
  model.seconds = 0.5;
  model.windows_searched = 1234567;
  model.kind = "cascade";
  model.pictures = evaluate(report.pictures, found);
  report.models.push_back(model);
  return report;
}

TEST(EvalPage, RefusesAnEvaluationOfOtherPictures) {
  const std::vector<LabelledPicture> pictures{{"a.jpg", "a.jpg", {Label{{0, 0, 9, 9}, {}, "", false}}}};
  const std::vector<std::vector<Detection>> found{{{{0, 0, 9, 9}, 1, 1}}};
  EvalReport report;
  report.models.push_back({"face", "", evaluate(pictures, found), std::nullopt, 0, 0, ""});
  EXPECT_THROW(eval_page(report), Error);
  report.pictures = {{"a.jpg", "a.jpg", {}}};
  EXPECT_THROW(eval_page(report), Error);
  report.pictures = pictures;
  EXPECT_FALSE(eval_page(report).empty());
}

TEST(Report, JsonHoldsFiguresAndCurves) {
  const json report = json::parse(eval_json(sample_report("")));
  EXPECT_EQ(report["rule"]["match"], "iou");
  EXPECT_EQ(report["rule"]["rank"], "score");
  EXPECT_EQ(report["pictures"], 2);
  EXPECT_EQ(report["truth"], json::array({"faces.csv (csv)"}));
  const json& model = report["models"][0];
  EXPECT_EQ(model["name"], "one, \"two\"");
  EXPECT_EQ(model["search"]["scale"], 1.1);
  EXPECT_TRUE(model["search"]["min_score"].is_null());
  EXPECT_EQ(model["margin"], 0);
  EXPECT_EQ(model["windows_searched"], 1234567);
  const json& figures = model["pictures"];
  EXPECT_EQ(figures["objects"], 2);
  EXPECT_EQ(figures["ignored_objects"], 1);
  EXPECT_EQ(figures["found"], 1);
  EXPECT_EQ(figures["wrong"], 2);
  EXPECT_EQ(figures["recall_at"].dump(), R"({"1":0.5,"10":0.5,"100":0.5,"25":0.5,"5":0.5,"50":0.5})");
  EXPECT_EQ(figures["average_precision"], 0.5);
  EXPECT_EQ(figures["curve"]["rank"], json::array({3, 2.5, 1}));
  EXPECT_EQ(figures["curve"]["found"], json::array({1, 1, 1}));
  EXPECT_EQ(figures["curve"]["wrong"], json::array({0, 1, 2}));
  EXPECT_EQ(figures["curve"]["wrong_per_picture"], json::array({0, 0.5, 1}));
  EXPECT_EQ(figures["curve"]["miss_rate"], json::array({0.5, 0.5, 0.5}));
  EXPECT_EQ(figures["miss_rate_at"].dump(), R"({"0.01":0.5,"0.1":0.5,"1":0.5})");
  EXPECT_EQ(model["kind"], "cascade");
  EXPECT_TRUE(model["search"]["stride"].is_null());
  EXPECT_FALSE(model.contains("windows"));
}

TEST(Report, JsonHasNoNumberForWhatIsNotThere) {
  EvalReport report = sample_report("");
  report.models[0].pictures = evaluate({}, {});
  report.models[0].windows = evaluate_windows({}, 0, {}, 0);
  report.models[0].name = "bad \xff bytes";
  const json figures = json::parse(eval_json(report))["models"][0];
  EXPECT_TRUE(figures["pictures"]["average_precision"].is_null());
  EXPECT_EQ(figures["windows"]["curve"]["rank"].size(), 0u);
  EXPECT_EQ(figures["name"], "bad ? bytes");
}

TEST(Report, CsvIsLong) {
  EvalReport report = sample_report("");
  const std::vector<double> positives{2}, negatives{1};
  report.models[0].windows = evaluate_windows(positives, 2, negatives, 4);
  const std::string csv = eval_csv(report);
  EXPECT_TRUE(
      csv.starts_with("model,curve,rank,found,wrong,x,y\n"
                      "\"one, \"\"two\"\"\",recall_over_false_positives,3,1,0,0,0.5\n"
                      "\"one, \"\"two\"\"\",recall_over_false_positives,2.5,1,1,1,0.5\n"))
      << csv;
  EXPECT_THAT(csv, HasSubstr(",precision_over_recall,2.5,1,1,0.5,0.5\n"));
  EXPECT_THAT(csv, HasSubstr(",miss_rate_over_false_positives_per_picture,1,1,2,1,0.5\n"));
  EXPECT_THAT(csv, HasSubstr(",miss_rate_over_false_positives_per_window,1,1,1,0.25,0.5\n"));
}

// In a run of points in which only false positives grow, the first and the last point give all miss rates.
TEST(Report, RunsOfFalsePositivesAreTheirEnds) {
  const std::vector<double> positives{9, 4}, negatives{8, 7, 6, 5, 3, 2, 1};
  const WindowEvaluation e = evaluate_windows(positives, 2, negatives, 10);
  ASSERT_EQ(e.curve.size(), 9u);
  std::vector<double> ranks;
  WindowEvaluation thin = e;
  thin.curve.clear();
  for (const RatePoint& p : det_points(e)) {
    ranks.push_back(p.rank);
    thin.curve.push_back({p.rank, p.found, p.wrong});
  }
  EXPECT_EQ(ranks, (std::vector<double>{9, 5, 4, 1}));
  for (int i = 0; i <= 20; ++i) EXPECT_EQ(thin.miss_rate_at(i / 20.), e.miss_rate_at(i / 20.)) << i;
  EXPECT_EQ(thin.ends_at(), e.ends_at());
}

TEST(Report, ThePageIsWholeInItself) {
  const TestFolder made;
  const std::string& folder = made.path();
  GrayImage picture(100, 60);
  write_picture(folder + "/a.png", std::as_const(picture).view());
  const EvalReport report = sample_report(folder);
  const std::string page = eval_page(report);
  EXPECT_THAT(page, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("src=\"data:image/jpeg;base64,"));
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;.png"));
  EXPECT_THAT(page, HasSubstr("one, &quot;two&quot;"));
  EXPECT_THAT(page, HasSubstr("Hardest objects: not found at all (1 of 2), then found at the lowest ranks"));
  for (const char* foreign : {"<script", "<link", "@import", "url(", "src=\"http", "href=", "<b>"})
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
}

TEST(Report, APageOfWindowsAlone) {
  EvalReport report;
  const std::vector<double> positives{2, 3}, negatives{1};
  EvaluatedModel model;
  model.name = "m";
  model.windows = evaluate_windows(positives, 4, negatives, 1000);
  report.models.push_back(model);
  const std::string page = eval_page(report);
  EXPECT_THAT(page, HasSubstr("false positives per window"));
  EXPECT_THAT(page, Not(HasSubstr("Precision over recall")));
}

// A model that was judged only on windows has dashes for pictures. A model that was judged only on pictures
// has dashes for windows.
TEST(Report, WindowsAndPicturesSideBySide) {
  EvalReport report = sample_report("");
  const std::vector<double> positives{2, 3}, negatives{2.5};
  EvaluatedModel model;
  model.name = "w";
  model.kind = "hog-svm";
  model.windows = evaluate_windows(positives, 4, negatives, 1000);
  report.models.push_back(model);
  const std::string page = eval_page(report);
  EXPECT_THAT(page, HasSubstr("<td class=\"name\">w</td><td class=\"name\">hog-svm</td><td>75.0 %</td>"
                              "<td>75.0 %</td><td>75.0 %</td><td>50.0 %</td><td>0.001</td><td>–</td>"));
  EXPECT_THAT(page,
              HasSubstr("<td class=\"name\">cascade</td><td>–</td><td>–</td><td>–</td><td>–</td><td>–</td>"
                        "<td>50.0 %</td><td>50.0 %</td><td>50.0 %</td><td>50.0 %</td><td>1</td>"));
  EXPECT_THAT(page, HasSubstr(">w: 75.0 % at 1e-4</text>"));
  EXPECT_THAT(page, HasSubstr("one, &quot;two&quot;: 50.0 %</text>"));
  EXPECT_LT(page.find("Miss rate over false positives per window"),
            page.find("Miss rate over false positives per picture"));
}

TEST(Report, ThreeFilesAreWritten) {
  const TestFolder made;
  const std::string folder = made.path() + "/deep/er";
  write_eval(sample_report(""), folder);
  for (const char* name : {"eval.json", "curves.csv", "index.html"})
    EXPECT_GT(read_file(folder + "/" + name, 1 << 20).size(), 100u);
  EXPECT_THROW(write_eval(sample_report(""), folder + "/eval.json/no"), Error);
}

TEST(Worst, StrongestFirstAndLargestFirst) {
  const EvalReport report = sample_report("");
  const Evaluation& e = *report.models[0].pictures;
  const auto wrong = strongest_wrong(e, 24);
  ASSERT_EQ(wrong.size(), 2u);
  EXPECT_EQ(wrong[0].rank, 2.5);
  EXPECT_EQ(strongest_wrong(e, 1).size(), 1u);
  // Objects that were not found come first, then the object with the lowest rank. An ignored label is no
  // miss.
  const auto missed = hardest_objects(e, report.pictures, 24);
  ASSERT_EQ(missed.size(), 2u);
  EXPECT_EQ(missed[0].picture, 1u);
  EXPECT_FALSE(missed[0].rank);
  EXPECT_EQ(missed[1].rank, 3);
  EXPECT_EQ(hardest_objects(e, report.pictures, 1).size(), 1u);
}

TEST(Thumb, AMarginAroundThePlace) {
  GrayImage picture(200, 100);
  const auto thumb = make_thumb(picture.view(), {50, 20, 40, 20});
  ASSERT_TRUE(thumb);
  EXPECT_EQ(thumb->width, 80);   // the place's 40, and 20 on each side
  EXPECT_EQ(thumb->height, 70);  // 80 without the ten rows above the picture
  EXPECT_DOUBLE_EQ(thumb->place.width, 40. / 80);
  EXPECT_DOUBLE_EQ(thumb->place.x, 20. / 80);
  const auto large = make_thumb(picture.view(), {0, 0, 200, 100});
  ASSERT_TRUE(large);
  EXPECT_EQ(large->width, 100);
}

TEST(Thumb, PlacesOutsideThePictureHaveNone) {
  GrayImage picture(20, 10);
  const double nan = std::nan("");
  for (const RealBox& place : {RealBox{500, 0, 5, 5}, RealBox{0, 0, 0, 0}, RealBox{nan, 0, 5, 5},
                               RealBox{0, 0, nan, 5}, RealBox{0, 0, 1e300, 1e300}, RealBox{-1e9, 0, 5, 5}})
    EXPECT_FALSE(make_thumb(picture.view(), place)) << place.x << " " << place.width;
  EXPECT_TRUE(make_thumb(picture.view(), {-2, -2, 5, 5}));
}

TEST(Thumb, Base64) {
  const auto text = [](const std::string& bytes) { return base64(std::as_bytes(std::span(bytes))); };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("M"), "TQ==");
  EXPECT_EQ(text("Ma"), "TWE=");
  EXPECT_EQ(text("Man"), "TWFu");
  EXPECT_EQ(text("\xff\xfe\xfd\xfc"), "//79/A==");
}

}  // namespace
}  // namespace winnow
