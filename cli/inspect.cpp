// Runs `winnow inspect MODEL`: shows what a model file holds, as text, JSON or a picture of its features.
#include <winnow/answer.h>
#include <winnow/cascade.h>
#include <winnow/detector_model.h>
#include <winnow/draw_model.h>
#include <winnow/error.h>
#include <winnow/hog.h>
#include <winnow/hog_cascade.h>
#include <winnow/image.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "arguments.h"
#include "block_summary.h"
#include "commands.h"
#include "hog_summary.h"
#include "model_summary.h"
#include "outputs.h"
#include "standard_output.h"
#include "terminal.h"
#include "text.h"

namespace winnow::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_name(const CascadeModel& model) {
  if (model.mixed()) return "haar, lbp";
  return model.kind == FeatureKind::kHaar ? "haar" : "lbp";
}
const char* kind_words(const CascadeModel& model) {
  if (model.mixed()) return "Haar, then LBP";
  return model.kind == FeatureKind::kHaar ? "Haar" : "LBP";
}

const char* rule_name(SumRule rule) {
  if (rule == SumRule::kStage) return "each stage its own";
  return rule == SumRule::kRunning ? "carried from stage to stage" : "unknown";
}
constexpr const char* kScoreRule = "sum of the last stage";  // every cascade's
const char* rule_name(StepRule rule) {
  switch (rule) {
    case StepRule::kTwoBelowScaleTwo:
      return "2 below scale 2, else 1";
    case StepRule::kFixed:
      return "the same on every level";
  }
  return "unknown";
}
const char* rule_name(ScaleRule rule) {
  switch (rule) {
    case ScaleRule::kOpenCvList:
      return "OpenCV's list";
    case ScaleRule::kOpenCvHog:
      return "OpenCV's list for HOG";
  }
  return "unknown";
}
const char* rule_name(FlatRule rule) {
  if (rule == FlatRule::kOpenCvVariance) return "rejected as OpenCV does";
  return rule == FlatRule::kNone ? "not looked for" : "unknown";
}

// Shows 0.1f as 0.1.
std::string float_text(float value) { return fmt::format("{}", value); }

Json float_json(float value) {
  if (!std::isfinite(value)) return nullptr;
  return std::stod(float_text(value));
}

std::string as_json(const CascadeModel& model, const ModelSummary& summary, const std::string& name,
                    const std::string& path) {
  Json report;
  report["name"] = clean_utf8(name);
  report["path"] = clean_utf8(path);
  report["kind"] = kind_name(model);
  report["window"]["width"] = model.window.width;
  report["window"]["height"] = model.window.height;
  report["stages"] = Json::array();
  for (const StageSummary& stage : summary.stages) {
    Json entry;
    entry[stage.tables ? "tables" : "trees"] = stage.trees;
    entry["nodes"] = stage.nodes;
    entry["features"] = stage.features;
    entry["threshold"] = float_json(stage.threshold);
    report["stages"].push_back(entry);
  }
  report["trees"] = summary.trees;
  report["nodes"] = summary.nodes;
  report["leaves"] = summary.leaves;
  report["tables"] = summary.tables;
  report["features"] = summary.features;
  report["tilted"] = summary.tilted;
  report["depth"] = summary.depth;
  report["card"]["name"] = clean_utf8(model.card.name);
  report["card"]["kind"] = clean_utf8(model.card.kind);
  report["card"]["source"] = clean_utf8(model.card.source);
  report["card"]["terms"] = clean_utf8(model.card.terms);
  report["rules"]["sum"] = rule_name(model.rules.sum);
  report["rules"]["score"] = kScoreRule;
  report["rules"]["step"] = rule_name(model.rules.step);
  report["rules"]["scale"] = rule_name(model.rules.scale);
  report["rules"]["flat"] = rule_name(model.rules.flat);
  report["rules"]["skip_after_first_stage_reject"] = model.rules.skip_after_first_stage_reject;
  report["rules"]["threshold_slack"] = float_json(model.rules.threshold_slack);
  report["notes"] = Json::array();
  for (const std::string& note : model.notes) report["notes"].push_back(clean_utf8(note));
  return report.dump(2) + "\n";
}

std::string as_text(const CascadeModel& model, const ModelSummary& summary, const std::string& name,
                    const std::string& path) {
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{}\n", name);
  fmt::format_to(out, "file       {}\n", path);
  fmt::format_to(out, "kind       {}, window {}x{}\n", kind_words(model), model.window.width,
                 model.window.height);
  const bool tables = summary.tables > 0;
  fmt::format_to(out, "holds      {}", counted(static_cast<long long>(summary.stages.size()), "stage"));
  if (tables) fmt::format_to(out, ", {}", counted(summary.tables, "table"));
  if (summary.trees > 0)
    fmt::format_to(out, ", {}, {}", counted(summary.trees, "tree"), counted(summary.nodes, "node"));
  fmt::format_to(out, ", {}", counted(summary.features, "feature"));
  if (model.kind == FeatureKind::kHaar) fmt::format_to(out, " ({} tilted)", summary.tilted);
  fmt::format_to(out, "\n");
  if (tables) fmt::format_to(out, "tables     of {} leaves\n", kTableBins);
  if (summary.trees > 0) {
    fmt::format_to(out, "trees      {}\n",
                   summary.depth <= 1 ? "stumps" : fmt::format("up to {} decisions deep", summary.depth));
  }
  const ModelCard& card = model.card;
  if (!card.kind.empty()) fmt::format_to(out, "finds      {}\n", one_line(card.kind));
  if (!card.source.empty()) fmt::format_to(out, "source     {}\n", one_line(card.source));
  if (!card.terms.empty()) fmt::format_to(out, "terms      {}\n", terms_line(card.terms));
  const ModelRules& rules = model.rules;
  fmt::format_to(
      out, "rules      sums: {}; score: {}; step: {}; scales: {}; flat windows: {}; {}; slack {}\n",
      rule_name(rules.sum), kScoreRule, rule_name(rules.step), rule_name(rules.scale), rule_name(rules.flat),
      rules.skip_after_first_stage_reject ? "skips a window after a reject by the first stage"
                                          : "skips no window",
      float_text(rules.threshold_slack));
  fmt::format_to(out, "\nstage  {}  nodes  features  threshold\n",
                 model.mixed() ? "  weak"
                 : tables      ? "tables"
                               : " trees");
  // A soft cascade has as many stages as weak classifiers.
  constexpr std::size_t kMostLines = 100;
  for (std::size_t i = 0; i < std::min(kMostLines, summary.stages.size()); ++i) {
    const StageSummary& stage = summary.stages[i];
    fmt::format_to(out, "{:5}  {:6}  {:5}  {:8}  {}\n", i, stage.trees, stage.nodes, stage.features,
                   float_text(stage.threshold));
  }
  if (summary.stages.size() > kMostLines)
    fmt::format_to(out, "and {} more, see --json\n", summary.stages.size() - kMostLines);
  fmt::format_to(out, "\n{}\n", model.notes.empty() ? "Nothing unusual." : "Unusual:");
  for (const std::string& note : model.notes) fmt::format_to(out, "- {}\n", note);
  return printable(fmt::to_string(text));
}

void inspect_cascade(const CascadeModel& model, const std::string& name, const std::string& path,
                     const std::string& out, bool json) {
  const ModelSummary summary = summarize(model);
  FeatureSheet sheet;
  if (!out.empty()) {
    sheet = draw_features(model, name);
    write_picture(out, std::as_const(sheet.image).view());
  }
  print(json ? as_json(model, summary, name, path) : as_text(model, summary, name, path));
  if (!out.empty() && sheet.stages < summary.stages.size()) {
    say("the picture shows the first " + counted(static_cast<long long>(sheet.stages), "stage") + " of " +
        std::to_string(summary.stages.size()));
  }
}

}  // namespace

int inspect_command(const Arguments& arguments) {
  CLI::App app("Shows what a model file holds and what is unusual about it.", "winnow inspect");
  app.footer(
      "Example:\n"
      "  winnow inspect haarcascade_frontalface_alt --out features.png\n\n"
      "The picture of a cascade has a row for each stage with its first features: white is added, black is\n"
      "taken away. That of a HOG SVM shows the window twice, as edges that raise and that lower the score. "
      "That\n"
      "of a cascade of HOG blocks shows the first blocks and the place of all, on the mean positive.");
  std::string name, out;
  bool json = false;
  app.add_option("MODEL", name, "name or file of the model (`winnow models` lists the names)")
      ->required()
      ->type_name("");
  app.add_flag("--json", json, "print JSON");
  app.add_option("--out", out, "also draw what the model looks at into this picture")->type_name("FILE.png");
  if (!parse_arguments(app, arguments)) return kExitDone;

  const std::string path = find_model_file(name);
  require(out.empty() || !same_place(out, path), "--out would write over the model: " + out);
  const DetectorModel model = DetectorModel::load(path);
  const std::string shown_name = model_name(model.card(), path);
  if (const Cascade* cascade = model.cascade()) {
    inspect_cascade(cascade->model(), shown_name, path, out, json);
  } else if (const std::optional<HogSvm> svm = HogSvm::from(model)) {
    if (!out.empty()) {
      const RgbImage picture = draw_weights(svm->model(), shown_name);
      write_picture(out, picture.view());
    }
    print(json ? hog_as_json(svm->model(), shown_name, path) : hog_as_text(svm->model(), shown_name, path));
  } else if (const std::optional<HogCascade> blocks = HogCascade::from(model)) {
    if (!out.empty()) {
      const RgbImage picture = draw_blocks(blocks->model(), shown_name);
      write_picture(out, picture.view());
      if (blocks->model().mean.empty())
        say("the model holds no mean positive: its blocks are drawn on a plain ground");
    }
    print(json ? blocks_as_json(blocks->model(), shown_name, path)
               : blocks_as_text(blocks->model(), shown_name, path));
  } else {
    throw Error(ErrorCode::kUnsupported, "`winnow inspect` does not know models of kind " + model.kind(),
                path);
  }
  return kExitDone;
}

}  // namespace winnow::cli
