#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include <winnow/error.h>
#include <winnow/eval_landmarks.h>
#include <winnow/image.h>

#include "base/file.h"
#include "base/folder_for_test.h"
#include "eval/landmark_figures.h"

namespace winnow {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Five points; the pupils are 40 apart, the outer corners of the eyes 60.
const std::vector<Point> kFive{{20, 30}, {40, 30}, {60, 30}, {80, 30}, {50, 60}};

const PointScheme kFiveScheme{{}, {3, 2, 1, 0, 4}, {0, 1}, {2, 3}, {0, 3}};

Shape moved(double right, bool sure = true) {
  Shape shape;
  for (const Point& p : kFive) shape.points.push_back({p.x + right, p.y});
  if (sure) shape.confidence = {0.95F, 0.95F, 0.95F, 0.95F, 0.45F};
  return shape;
}

Label face() { return {{20, 30, 60, 30}, kFive, "", false}; }

// Two pictures with a face each, and one more face that the second model alone finds.
LandmarkReport sample_report(const std::string& folder) {
  LandmarkReport report;
  report.truth = {"points.csv (points)"};
  report.pictures = {{folder + "/a.png", "a.png", {face(), face()}},
                     {folder + "/b.png", "<b>.png", {face()}}};
  report.pictures[0].labels[0].ignore = true;
  const Box box{10, 10, 80, 80};
  const std::vector<std::vector<MarkedFace>> one{{}, {{box, moved(4), {}}}},
      two{{{box, moved(2, false), {}}}, {{box, moved(8, false), {}}}};
  EvaluatedLandmarks model;
  model.name = "one, \"two\"";
  model.file = "one.winnow";
  model.faces = evaluate_landmarks(report.pictures, one, 0.05, {kFiveScheme, kFiveScheme});
  model.points = 5;
  model.boxes = "face";
  model.detect = complete_options({}, {});
  model.backend = "cpu";
  model.fit_seconds = 0.25;
  report.models.push_back(model);
  model.name = "other";
  model.faces = evaluate_landmarks(report.pictures, two, 0.05, {kFiveScheme, kFiveScheme});
  model.boxes = "truth";
  model.detect.reset();
  report.models.push_back(model);
  return report;
}

TEST(LandmarkReport, JsonHasAllFigures) {
  const json report = json::parse(landmark_eval_json(sample_report("")));
  EXPECT_EQ(report["pictures"], 2);
  const json& one = report["models"][0];
  EXPECT_EQ(one["name"], "one, \"two\"");
  EXPECT_EQ(one["faces"], 2);
  EXPECT_EQ(one["left_out"], 1);
  EXPECT_EQ(one["found"], 1);
  EXPECT_EQ(one["missed"], 1);
  EXPECT_EQ(one["compared_points"], 5);
  EXPECT_EQ(one["search"]["scale"], 1.1);
  EXPECT_EQ(one["errors"]["pupils"]["curve"], json::array({0.1}));
  EXPECT_EQ(one["errors"]["pupils"]["above"].dump(), R"({"0.08":1.0,"0.1":0.0})");
  EXPECT_EQ(one["errors"]["pupils"]["points"].size(), 5u);
  EXPECT_EQ(one["errors"]["root"]["points"].size(), 0u);
  EXPECT_EQ(one["reliability"]["bins"][9]["points"], 4);
  EXPECT_EQ(one["reliability"]["bins"][9]["observed"], 0);
  EXPECT_TRUE(one["reliability"]["bins"][0]["stated"].is_null());
  const json& other = report["models"][1];
  EXPECT_TRUE(other["search"].is_null());
  EXPECT_TRUE(other["reliability"].is_null());
  EXPECT_EQ(other["errors"]["pupils"]["curve"], json::array({0.05, 0.2}));
}

TEST(LandmarkReport, JsonHasNoNumberForWhatIsNotThere) {
  LandmarkReport report = sample_report("");
  report.models[0].faces = evaluate_landmarks({}, {});
  report.models[0].name = "bad \xff bytes";
  const json one = json::parse(landmark_eval_json(report))["models"][0];
  EXPECT_TRUE(one["errors"]["pupils"]["mean"].is_null());
  EXPECT_EQ(one["name"], "bad ? bytes");
}

TEST(LandmarkReport, CsvHasALineForEachFaceAndModel) {
  EXPECT_EQ(landmark_eval_csv(sample_report("")).substr(0, 157),
            "model,picture,face,found,x,y,width,height,pupils,eye_corners,side,root\n"
            "\"one, \"\"two\"\"\",a.png,1,0,,,,,,,,\n"
            "\"one, \"\"two\"\"\",<b>.png,0,1,10,10,80,80,0.1,0.06666666");
  const std::string csv = landmark_eval_csv(sample_report(""));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_THAT(csv, HasSubstr("\nother,a.png,1,1,10,10,80,80,0.05,"));
}

TEST(LandmarkReport, CsvLeavesOutErrorsThatAreNotThere) {
  LandmarkReport report;
  const std::vector<Point> three{{0, 0}, {100, 0}, {50, 100}};
  report.pictures = {{"a.png", "a.png", {{{0, 0, 100, 100}, three, "", false}}}};
  const std::vector<std::vector<MarkedFace>> found{
      {{{0, 0, 90, 90}, {{{1, 0}, {101, 0}, {51, 100}}, {}}, {}}}};
  report.models.push_back({"m", "m.dat", evaluate_landmarks(report.pictures, found), 3, "truth"});
  EXPECT_THAT(landmark_eval_csv(report), HasSubstr("\nm,a.png,0,1,0,0,90,90,,,0.01,\n"));
  const std::string page = landmark_eval_page(report);
  EXPECT_THAT(page, HasSubstr("error in % of the side of the box"));
  EXPECT_THAT(page, Not(HasSubstr("error in % of the pupils")));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
}

TEST(LandmarkReport, ThePageIsWholeInItself) {
  const TestFolder made;
  const std::string& folder = made.path();
  GrayImage picture(100, 90);
  write_picture(folder + "/b.png", std::as_const(picture).view());
  const std::string page = landmark_eval_page(sample_report(folder));
  EXPECT_THAT(page, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("src=\"data:image/jpeg;base64,"));
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;.png"));
  EXPECT_THAT(page, HasSubstr("one, &quot;two&quot;: mean 10.00 %</text>"));
  EXPECT_THAT(page, HasSubstr("other: mean 12.50 %</text>"));
  EXPECT_THAT(page, HasSubstr("Stated and observed probability"));
  EXPECT_THAT(
      page,
      HasSubstr(
          "<h3>Faces that were not found (1 of 2)</h3>\n<ul>\n<li>a.png: 60 x 30 pixels at 20, 30</li>"));
  EXPECT_THAT(page, HasSubstr("<h3>Faces that were not found (0 of 2)</h3>\n<p>None.</p>"));
  // A circle's radius is the point's error of 4 pixels, divided by the face's side of sqrt(60 * 30).
  EXPECT_THAT(page, HasSubstr("r=\"0.0943\""));
  EXPECT_THAT(page, HasSubstr("<title>point 4: 10.00 %</title>"));
  // The faces of the model named "other" begin with its worst face.
  const std::size_t last = page.find("other: what is worth a look");
  EXPECT_LT(page.find("<figcaption>20.00 %", last), page.find("<figcaption>5.00 %", last));
  for (const char* foreign : {"<script", "<link", "@import", "url(", "src=\"http", "href=", "<b>"})
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
}

TEST(LandmarkReport, ThePageOfMovedBoxesSaysSo) {
  LandmarkReport report = sample_report("");
  EXPECT_THAT(landmark_eval_page(report), Not(HasSubstr("<dt>move</dt>")));
  report.move = 0.1;
  report.seed = 7;
  EXPECT_THAT(landmark_eval_page(report),
              HasSubstr("<dt>move</dt><dd>each box by 0.1 of its side, with seed 7</dd>"));
}

TEST(LandmarkReport, ReliabilityNeedsConfidence) {
  LandmarkReport report = sample_report("");
  report.models.erase(report.models.begin());
  const std::string page = landmark_eval_page(report);
  EXPECT_THAT(page, Not(HasSubstr("Stated and observed probability")));
  EXPECT_THAT(page, Not(HasSubstr("<h2>Confidence</h2>")));
}

TEST(LandmarkReport, RefusesAnEvaluationOfOtherPictures) {
  LandmarkReport report = sample_report("");
  EXPECT_FALSE(landmark_eval_page(report).empty());
  LandmarkReport other = report;
  other.pictures.pop_back();
  EXPECT_THROW(landmark_eval_page(other), Error);
  EXPECT_THROW(landmark_eval_csv(other), Error);
  other = report;
  other.pictures[1].labels.clear();
  EXPECT_THROW(landmark_eval_page(other), Error);
  other = report;
  other.pictures[0].labels[1].points.clear();
  EXPECT_THROW(landmark_eval_page(other), Error);
}

TEST(LandmarkReport, ThreeFilesAreWritten) {
  const TestFolder made;
  const std::string folder = made.path() + "/deep/er";
  write_landmark_eval(sample_report(""), folder);
  for (const char* name : {"eval.json", "faces.csv", "index.html"})
    EXPECT_GT(read_file(folder + "/" + name, 1 << 20).size(), 100u);
  EXPECT_EQ(landmark_eval_files(folder)[1], folder + "/faces.csv");
  EXPECT_THROW(write_landmark_eval(sample_report(""), folder + "/eval.json/no"), Error);
}

// Two points are compared.
const LandmarkEvaluation kBoth = [] {
  LandmarkEvaluation both;
  both.label_points = both.shape_points = {0, 1};
  return both;
}();

// The crop shows, at half size, the 60 x 60 pixels of the picture from (10, 10) on.
TEST(LandmarkThumb, PointsLieOnTheCrop) {
  const Thumb thumb{"", 30, 30, {0, 0, 1, 1}};
  const Label label{{}, {{9.5, 9.5}, {69.5, 9.5}}, "", false};
  const std::string text =
      points_over(thumb, {10, 10, 60, 60}, label, {{{9.5, 19.5}, {69.5, 9.5}}, {}}, kBoth);
  EXPECT_THAT(text, HasSubstr("<path d=\"M0.0 0.0L0.0 5.0\" "));
  EXPECT_THAT(text, HasSubstr("<path d=\"M30.0 0.0L30.0 0.0\""));
}

// The place has no width and lies halfway across the crop, so all points are drawn halfway across.
TEST(LandmarkThumb, PointsInOneLine) {
  const Thumb thumb{"", 30, 30, {0.5, 0.25, 0, 0.5}};
  const Label label{{}, {{9.5, 9.5}, {9.5, 39.5}}, "", false};
  const std::string text = points_over(thumb, {10, 10, 0, 30}, label, {{{9.5, 9.5}, {9.5, 39.5}}, {}}, kBoth);
  EXPECT_THAT(text, HasSubstr("<path d=\"M15.0 7.5L15.0 7.5\""));
  EXPECT_THAT(text, HasSubstr("<path d=\"M15.0 22.5L15.0 22.5\""));
}

}  // namespace
}  // namespace winnow
