// Describes and draws a cascade, as answer/inspect/model_pages.h declares; its opening comment holds here.
#include <winnow/draw_model.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "answer/inspect/cascade_counts.h"
#include "answer/inspect/model_pages.h"
#include "base/count_text.h"
#include "model/cascade_body.h"

namespace winnow {
namespace {

using Json = nlohmann::ordered_json;

const CascadeModel& data_of(const ModelBody& body) {
  return dynamic_cast<const CascadeBody&>(body).cascade().model();
}

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
constexpr const char* kScoreRule = "sum of the last stage";  // the same for every cascade
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

// The shortest text that reads back as the same float: 0.1 for 0.1f.
std::string float_text(float value) { return fmt::format("{}", value); }

Json float_json(float value) {
  if (!std::isfinite(value)) return nullptr;
  return std::stod(float_text(value));
}

ModelText text_of(const ModelBody& body) {
  const CascadeModel& model = data_of(body);
  const CascadeCounts counts = count_cascade(model);
  fmt::memory_buffer facts, more;
  auto out = std::back_inserter(facts);
  fmt::format_to(out, "kind       {}, window {}x{}\n", kind_words(model), model.window.width,
                 model.window.height);
  const bool tables = counts.tables > 0;
  fmt::format_to(out, "holds      {}", body.holds());
  if (tables) fmt::format_to(out, ", {}", count_text(counts.tables, "table"));
  if (counts.trees > 0)
    fmt::format_to(out, ", {}, {}", count_text(counts.trees, "tree"), count_text(counts.nodes, "node"));
  fmt::format_to(out, ", {}", count_text(counts.features, "feature"));
  if (model.kind == FeatureKind::kHaar) fmt::format_to(out, " ({} tilted)", counts.tilted);
  fmt::format_to(out, "\n");
  if (tables) fmt::format_to(out, "tables     of {} leaves\n", kTableBins);
  if (counts.trees > 0) {
    fmt::format_to(out, "trees      {}\n",
                   counts.depth <= 1 ? "stumps" : fmt::format("up to {} decisions deep", counts.depth));
  }

  out = std::back_inserter(more);
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
  // A soft cascade has a stage for each weak classifier. So the list of stages is cut at kMostLines.
  constexpr std::size_t kMostLines = 100;
  for (std::size_t i = 0; i < std::min(kMostLines, counts.stages.size()); ++i) {
    const StageCounts& stage = counts.stages[i];
    fmt::format_to(out, "{:5}  {:6}  {:5}  {:8}  {}\n", i, stage.trees, stage.nodes, stage.features,
                   float_text(stage.threshold));
  }
  if (counts.stages.size() > kMostLines)
    fmt::format_to(out, "and {} more, see --json\n", counts.stages.size() - kMostLines);
  return {fmt::to_string(facts), fmt::to_string(more)};
}

Json fields_of(const ModelBody& body) {
  const CascadeModel& model = data_of(body);
  const CascadeCounts counts = count_cascade(model);
  Json report;
  report["kind"] = kind_name(model);
  report["window"]["width"] = model.window.width;
  report["window"]["height"] = model.window.height;
  report["stages"] = Json::array();
  for (const StageCounts& stage : counts.stages) {
    Json entry;
    entry[stage.tables ? "tables" : "trees"] = stage.trees;
    entry["nodes"] = stage.nodes;
    entry["features"] = stage.features;
    entry["threshold"] = float_json(stage.threshold);
    report["stages"].push_back(entry);
  }
  report["trees"] = counts.trees;
  report["nodes"] = counts.nodes;
  report["leaves"] = counts.leaves;
  report["tables"] = counts.tables;
  report["features"] = counts.features;
  report["tilted"] = counts.tilted;
  report["depth"] = counts.depth;
  report["rules"]["sum"] = rule_name(model.rules.sum);
  report["rules"]["score"] = kScoreRule;
  report["rules"]["step"] = rule_name(model.rules.step);
  report["rules"]["scale"] = rule_name(model.rules.scale);
  report["rules"]["flat"] = rule_name(model.rules.flat);
  report["rules"]["skip_after_first_stage_reject"] = model.rules.skip_after_first_stage_reject;
  report["rules"]["threshold_slack"] = float_json(model.rules.threshold_slack);
  return report;
}

ModelPicture draw(const ModelBody& body) {
  const CascadeModel& model = data_of(body);
  FeatureSheet sheet = draw_features(model, model.card.name);
  std::string note;
  if (sheet.stages < model.stages.size())
    note = "the picture shows the first " + count_text(static_cast<std::int64_t>(sheet.stages), "stage") +
           " of " + std::to_string(model.stages.size());
  return {std::move(sheet.image), std::move(note)};
}

}  // namespace

ModelPages cascade_pages() { return {kCascadeKind, text_of, fields_of, draw}; }

}  // namespace winnow
