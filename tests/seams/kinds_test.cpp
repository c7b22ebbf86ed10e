// Runs a kind of model for tests through the detector and the commands, whose sources do not know the kind.
#include <gtest/gtest.h>
#include <winnow/winnow.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/folder_for_test.h"
#include "base/real_box.h"
#include "commands.h"
#include "pipeline/pipeline.h"
#include "red_model.h"
#include "scale/plan.h"
#include "scale/plan_part.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

// Makes grey ground with red patches.
RgbImage make_scene(Size size, const std::vector<Box>& patches) {
  RgbImage scene(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const auto ground = static_cast<std::uint8_t>(60 + (x * 7 + y * 11) % 40);
      scene.row(y)[x] = {ground, ground, ground};
    }
  }
  for (const Box& patch : patches) {
    for (int y = patch.y; y < patch.y + patch.height; ++y) {
      for (int x = patch.x; x < patch.x + patch.width; ++x) scene.row(y)[x] = {220, 30, 40};
    }
  }
  return scene;
}

const std::vector<Box> kPatches = {{20, 30, 24, 16}, {90, 60, 30, 20}};

class Kinds : public testing::Test {
 protected:
  void SetUp() override {
    sample::add_red_kind();
    model_ = folder_.file("red.model");
    std::ofstream(model_) << "red-patches 24 16 4 150\n";
    picture_ = folder_.file("scene.ppm");
    scene_ = make_scene({180, 120}, kPatches);
    write_picture(picture_, scene_.view());
  }

  nlohmann::json run(int (*command)(const cli::Arguments&), const cli::Arguments& arguments) {
    testing::internal::CaptureStdout();
    const int status = command(arguments);
    std::fflush(stdout);
    const std::string output = testing::internal::GetCapturedStdout();
    EXPECT_EQ(status, 0) << output;
    return nlohmann::json::parse(output);
  }

  TestFolder folder_;
  std::string model_, picture_;
  RgbImage scene_;
};

TEST_F(Kinds, ADetectorSearchesWithItsPlanAndItsColour) {
  const DetectorModel model = DetectorModel::load(model_);
  EXPECT_EQ(model.kind(), "red-patches");
  EXPECT_EQ(model.cascade(), nullptr);
  const Picture picture = read_picture(picture_, {.color = true});
  LevelPlan plan;
  plan_levels({{180, 120}, {24, 16}, 1.1, {}, {}, model.plan_rules()}, plan);
  ASSERT_EQ(plan.levels.front().step, 4);
  DetectOptions options;
  options.min_neighbors = 1;
  std::vector<Detections> answers;
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu, BackendKind::kAuto}) {
    Detector detector(model, {backend, 2});
    answers.push_back(detector.detect(picture.view(), options));
    EXPECT_EQ(answers.back().counters.windows, plan.window_count);
    EXPECT_EQ(answers.back().objects, answers.front().objects);
    ASSERT_EQ(answers.back().objects.size(), kPatches.size());
    for (const Box& patch : kPatches) {
      double best = 0;
      for (const Detection& found : answers.back().objects)
        best = std::max(best, overlap_of(real_box(found.box), real_box(patch)));
      EXPECT_GT(best, 0.5) << patch.x;
    }
    EXPECT_THROW(detector.cascade(), Error);
  }
  EXPECT_EQ(answers.back().backend, "cpu") << "auto must choose a backend that knows the kind";

  // First searches several pictures in one call, one per thread. Then starts them one by one, and collects
  // the answers later.
  const std::vector<PictureView> views(5, picture.view());
  Detector detector(model, {BackendKind::kCpu, 2});
  std::vector<Detections> several;
  detector.detect(views, options, several);
  for (const Detections& each : several) EXPECT_EQ(each.objects, answers.front().objects);
  for (int i = 0; i < 3; ++i) detector.enqueue(picture.view(), options);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(detector.collect().objects, answers.front().objects);
}

// In a part of a plan, a level begins at its `corner`. The kind's own sieve must begin there, too.
TEST_F(Kinds, PartsOfPlansAddUp) {
  const DetectorModel model = DetectorModel::load(model_);
  const Picture picture = read_picture(picture_, {.color = true});
  LevelPlan plan;
  plan_levels({{180, 120}, {24, 16}, 1.1, {}, {}, model.plan_rules()}, plan);
  SearchRequest request{{180, 120}, &plan, 1, 1, 0};
  request.color = true;
  for (const BackendKind backend : {BackendKind::kReference, BackendKind::kCpu}) {
    const auto pipeline = make_pipeline(find_backend(backend), model, {});
    SieveResult whole, got;
    pipeline->sift(request, picture.view(), {}, whole);
    EXPECT_GT(whole.survivors.size(), kPatches.size());
    std::vector<RowRange> first, second;  // the upper and the lower half of each level
    for (const Level& level : plan.levels) {
      first.push_back({0, level.rows / 2});
      second.push_back({level.rows / 2, level.rows});
    }
    std::vector<Survivor> joined, spare;
    std::int64_t reached = 0;
    for (const std::vector<RowRange>& rows : {first, second}) {
      PlanPart part;
      cut_plan(plan, rows, part);
      SearchRequest of_part = request;
      of_part.plan = &part.windows;
      pipeline->sift(of_part, picture.view(), {}, got);
      EXPECT_EQ(got.windows, part.windows.window_count);
      reached += got.reached[1];
      for (Survivor survivor : got.survivors) {
        const auto level = static_cast<std::size_t>(place_window(part.windows, survivor.window).level);
        survivor.window += part.first_windows[level] - part.windows.levels[level].first_window;
        joined.push_back(survivor);
      }
    }
    sort_survivors(joined, spare);
    EXPECT_EQ(joined, whole.survivors);
    EXPECT_EQ(reached, whole.reached[1]);
  }
}

TEST_F(Kinds, ABackendWithoutTheKindSaysSo) {
  const DetectorModel model = DetectorModel::load(model_);
  try {
    Detector detector(model, {BackendKind::kCuda});
    FAIL() << "the cuda backend has no steps for red patches";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBackend);
  }
  std::ofstream(model_) << "red-patches 24\n";
  try {
    DetectorModel::load(model_);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.file(), model_);
  }
}

TEST_F(Kinds, StepsOfAKindCanBeReplaced) {
  EXPECT_THROW(add_kind_steps(BackendKind::kAuto, {}), Error);
  KindSteps none;
  none.kind = "red-patches";
  none.make_pipeline = [](const DetectorModel&, const StepPlace&,
                          const MergeSteps&) -> std::unique_ptr<Pipeline> {
    throw Error(ErrorCode::kUnsupported, "replaced");
  };
  const DetectorModel model = DetectorModel::load(model_);
  add_kind_steps(BackendKind::kReference, none);
  try {
    Detector detector(model, {BackendKind::kReference});
    ADD_FAILURE() << "the old steps are in use";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  }
}

TEST_F(Kinds, TheCommandDetects) {
  const nlohmann::json line = run(cli::detect_command, {"-m", model_, "--min-neighbors", "1", picture_});
  EXPECT_EQ(line["model"], "red");
  EXPECT_EQ(line["objects"].size(), kPatches.size());
}

TEST_F(Kinds, BenchMeasuresIt) {
  const nlohmann::json report = run(cli::bench_command, {"-m", model_, "--backend", "reference", "--repeat",
                                                         "2", "--json", "--stages", picture_});
  EXPECT_EQ(report["model"], "red");
  EXPECT_EQ(report["backend"], "reference");
  EXPECT_GT(report["windows"], 0);
  EXPECT_EQ(report["reached"].size(), 2u);
}

TEST_F(Kinds, EvalJudgesIt) {
  const std::string truth = folder_.file("truth.csv"), out = folder_.file("report");
  {
    std::ofstream file(truth);
    file << "file,x,y,width,height\n";
    for (const Box& box : kPatches)
      file << "scene.ppm," << box.x << ',' << box.y << ',' << box.width << ',' << box.height << '\n';
  }
  const std::string crop = folder_.file("crop.ppm"), wide = folder_.file("wide.ppm"),
                    empty = folder_.file("empty.ppm");
  write_picture(crop, scene_.view().crop(kPatches[0]));
  write_picture(wide, scene_.view().crop(kPatches[1]));  // larger than the window, so resized in colour
  write_picture(empty, make_scene({100, 80}, {}).view());
  run(cli::eval_command,
      {"detector", "-m", model_, "--truth", truth, "--out", out, "--format", "json", "--min-neighbors", "1",
       "--windows-positive", crop, "--windows-positive", wide, "--windows-negative", empty});
  std::ifstream file(fs::path(out) / "eval.json");
  const nlohmann::json report = nlohmann::json::parse(file);
  const std::string text = report.dump();
  ASSERT_TRUE(report.contains("models")) << text;
  const nlohmann::json& model = report["models"][0];
  EXPECT_EQ(model["pictures"]["found"], 2) << text;
  EXPECT_EQ(model["windows"]["positives"], 2) << text;
  EXPECT_EQ(model["windows"]["curve"]["found"].back(), 2) << text;
}

}  // namespace
}  // namespace winnow
