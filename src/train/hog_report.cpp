// Makes the pages at the end of HOG trainings: rounds, plots, a drawing of the model, and the hardest
// samples. The opening comment of winnow/train_hog.h, which declares these pages, holds here.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include <winnow/detector.h>
#include <winnow/draw_model.h>
#include <winnow/train_hog.h>

#include "base/count_text.h"
#include "base/threads.h"
#include "page/html.h"
#include "session/raw_search.h"
#include "train/blocks/block_scores.h"
#include "train/options.h"
#include "train/page_sections.h"

namespace winnow {
namespace {

constexpr double kUsualScore = 0;  // the usual least score of an object, for both kinds of HOG models
// The least score of a listed window of an SVM. Too many windows score less.
constexpr double kSvmScore = -1;

PositiveResults results_of(const Pack& pack, const HogCascadeModel& model, int threads) {
  PositiveResults results;
  results.left.assign(model.stages.size() + 2, 0);
  for (const BlockScore& block_score :
       judge_positives(pack, model.window, model.grid, model.stages, threads)) {
    // Entry 0 of `left` counts all positives, entry 1 those that reach the first stage. Entry s + 1 counts
    // those that pass s stages.
    for (std::size_t s = 0; s < block_score.passed + 2; ++s) ++results.left[s];
    results.scores.push_back(
        block_score.passed == model.stages.size()
            ? std::optional(static_cast<double>(block_score.sum - model.zero) / kScoreUnit)
            : std::nullopt);
  }
  return results;
}

PositiveResults results_of(const Pack& pack, bool color, const HogSvm& svm, const MachineOptions& machine) {
  PositiveResults results;
  Detector detector(svm, machine);
  DetectOptions every = raw_search();
  every.min_score = std::numeric_limits<double>::lowest();
  every.max_size = svm.window();
  const Size window = svm.window(), step = svm.model().shape.block_stride;
  const int left = (pack.window.width - window.width) / 2, top = (pack.window.height - window.height) / 2;
  // If the sample is large enough, the box has a border of one stride. The sample's window is then the second
  // window of its row and column in the box.
  const bool border = step.width == step.height && left >= step.width && top >= step.height;
  const int ground = border ? step.width : 0;
  const Box box{left - ground, top - ground, window.width + 2 * ground, window.height + 2 * ground};
  for (std::size_t i = 0; i < pack.positive_count(); ++i) {
    const PictureView positive(pack.positive(i), color ? pack.positive_color(i) : RgbView{});
    const Detections found = detector.detect(positive.crop(box), every);
    std::optional<double> score;
    for (const Detection& object : found.objects) {
      if (object.box.x == ground && object.box.y == ground) score = object.score;
    }
    results.scores.push_back(score);
  }
  return results;
}

struct PageContent {
  std::string name, what, drawing, drawing_words;
  bool stages = false;  // whether the model has stages that reject
  const char* unit = "round";
};

template <class Result>
std::string page_of(const Pack& pack, const Result& result, const PageContent& content,
                    const ModelResponse& response) {
  std::string page = page_head("Training of " + xml_text(content.name));
  page += "<p>" + content.what +
          fmt::format(" {} in {:.1f} s ({} backend), from {} and {} without the object.</p>\n",
                      count_text(std::ssize(result.rounds), content.unit), result.seconds, result.backend,
                      count_text(static_cast<std::int64_t>(pack.positive_count()), "positive"),
                      count_text(std::ssize(pack.negatives), "picture"));
  if (!result.ended_early.empty()) page += "<p>It ended early: " + xml_text(result.ended_early) + ".</p>\n";
  page += fmt::format(
      "<p>All of this is measured on the samples of the training itself ({} of its pictures): it shows what "
      "the model has learned, not how well it finds what it has never seen. <code>winnow eval "
      "detector</code> tells that. A window passes if its score is {} or more.</p>\n",
      response.pictures, kUsualScore);
  page += "<div class=\"plots\">\n";
  if (content.stages) page += "<figure>" + survivor_plot(response, "block") + "</figure>\n";
  page += "<figure>" + curve_plot(response, pack.positive_count()) + "</figure>\n</div>\n";
  page += fmt::format("<h2>{}s</h2>\n", content.unit[0] == 's' ? "Stage" : "Round") +
          stage_rows(content.unit, result.rounds);
  page += "<h2>What it looks at</h2>\n<p>" + content.drawing_words + "</p>\n" + content.drawing;
  return page + hardest_section(pack, response) + page_end();
}

std::string name_or(const std::string& name, const char* other) { return name.empty() ? other : name; }

}  // namespace

std::string training_page(const Pack& pack, const HogCascadeOptions& options, const RunOptions& run,
                          const HogCascadeResult& result) {
  const HogCascadeModel& model = result.cascade.model();
  check_middle(pack, model.window);
  constexpr double kAny = std::numeric_limits<double>::lowest();
  const ModelResponse response =
      measure_response(pack, results_of(pack, model, threads_for(run.machine.threads)), result.cascade,
                       {kAny, kUsualScore}, run.machine);
  PageContent content;
  content.name = name_or(model.card.name, "a cascade of HOG blocks");
  content.what = fmt::format(
      "{} HOG blocks on a grid of {} pixels, window {}x{}, {} blocks tried for each;", model.stages.size(),
      model.grid, model.window.width, model.window.height,
      options.blocks_per_round > 0 ? fmt::format("about {}", options.blocks_per_round) : std::string("all"));
  content.stages = true;
  if (options.stages) content.unit = "stage";
  content.drawing = picture_tag(draw_blocks(model, ""), "the first blocks, and the place of all");
  content.drawing_words =
      "The colour of all blocks is the stronger, the more the scores of their tables differ. Strokes of a "
      "block "
      "lie along edges that raise the score. The ground is the mean positive.";
  return page_of(pack, result, content, response);
}

std::string training_page(const Pack& pack, const HogSvmOptions& options, const RunOptions& run,
                          const HogSvmResult& result) {
  const HogSvmModel& model = result.svm.model();
  check_middle(pack, model.shape.window);
  const bool color = pack.color && options.colors != HogColors::kLeave;
  const ModelResponse response = measure_response(pack, results_of(pack, color, result.svm, run.machine),
                                                  result.svm, {kSvmScore, kUsualScore, color}, run.machine);
  PageContent content;
  content.name = name_or(model.card.name, "a HOG SVM");
  content.what = fmt::format("{} weights, window {}x{}, cost {}{}, searched in {};", model.weights.size(),
                             model.shape.window.width, model.shape.window.height, options.cost,
                             options.squared ? " of squared errors" : "", color ? "colour" : "grey");
  content.drawing = picture_tag(draw_weights(model, ""), "the weights");
  content.drawing_words = "Strokes lie along edges: the brighter, the more they raise or lower the score.";
  return page_of(pack, result, content, response);
}

}  // namespace winnow
