// Describes and draws a cascade of HOG blocks, as answer/inspect/model_pages.h declares; its opening comment
// holds here.
#include <winnow/draw_model.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "answer/inspect/model_pages.h"
#include "model/hog_cascade_model.h"

namespace winnow {
namespace {

using Json = nlohmann::ordered_json;

const HogCascadeModel& data_of(const ModelBody& body) {
  return *dynamic_cast<const HogCascadeBody&>(body).model();
}

constexpr std::size_t kShownBlocks = 10;

// The least score that passes the stage; nothing if every score passes.
std::optional<double> min_score_of(const HogCascadeModel& model, const HogBlockStage& stage) {
  if (stage.min_sum <= kNoHogLimit) return std::nullopt;
  return static_cast<double>(std::int64_t{stage.min_sum} - model.zero) / kScoreUnit;
}

std::string limit_text(std::optional<double> min_score) {
  return min_score ? fmt::format("{:.2f}", *min_score) : "none";
}

Box pixels_of(const HogBlock& block, int grid) {
  return {block.x * grid, block.y * grid, 2 * block.cell_width * grid, 2 * block.cell_height * grid};
}

ModelText text_of(const ModelBody& body) {
  const HogCascadeModel& model = data_of(body);
  fmt::memory_buffer facts, more;
  auto out = std::back_inserter(facts);
  std::map<std::pair<int, int>, int> sizes;
  for (const HogBlockStage& stage : model.stages) {
    const Box box = pixels_of(stage.block, model.grid);
    ++sizes[{box.width, box.height}];
  }
  fmt::format_to(out, "kind       cascade of HOG blocks, window {}x{}\n", model.window.width,
                 model.window.height);
  const auto ends = static_cast<std::size_t>(
      std::count_if(model.stages.begin(), model.stages.end(),
                    [&](const HogBlockStage& stage) { return min_score_of(model, stage).has_value(); }));
  fmt::format_to(out, "stages     {}, {}; one sum runs through all\n", ends,
                 ends == model.stages.size() ? std::string("a block each")
                                             : fmt::format("of {} blocks in all", model.stages.size()));
  fmt::format_to(out, "grid       {} pixels; windows lie {} pixels apart\n", model.grid, model.step);
  fmt::format_to(out, "blocks     {} sizes, from {}x{} to {}x{}\n", sizes.size(), sizes.begin()->first.first,
                 sizes.begin()->first.second, sizes.rbegin()->first.first, sizes.rbegin()->first.second);
  fmt::format_to(out, "scores     from {} on\n", limit_text(min_score_of(model, model.stages.back())));

  out = std::back_inserter(more);
  fmt::format_to(out, "\nThe first blocks, in pixels of the window:\n{:>5} {:>5} {:>5} {:>6} {:>6} {:>8}\n",
                 "block", "x", "y", "width", "height", "limit");
  for (std::size_t i = 0; i < std::min(kShownBlocks, model.stages.size()); ++i) {
    const Box box = pixels_of(model.stages[i].block, model.grid);
    fmt::format_to(out, "{:>5} {:>5} {:>5} {:>6} {:>6} {:>8}\n", i + 1, box.x, box.y, box.width, box.height,
                   limit_text(min_score_of(model, model.stages[i])));
  }
  return {fmt::to_string(facts), fmt::to_string(more)};
}

Json fields_of(const ModelBody& body) {
  const HogCascadeModel& model = data_of(body);
  Json report;
  report["window"]["width"] = model.window.width;
  report["window"]["height"] = model.window.height;
  report["grid"] = model.grid;
  report["step"] = model.step;
  report["stages"] = Json::array();
  for (const HogBlockStage& stage : model.stages) {
    const Box box = pixels_of(stage.block, model.grid);
    Json one;
    one["x"] = box.x, one["y"] = box.y, one["width"] = box.width, one["height"] = box.height;
    const std::optional<double> min_score = min_score_of(model, stage);
    one["least_score"] = min_score ? Json(*min_score) : Json(nullptr);
    report["stages"].push_back(std::move(one));
  }
  return report;
}

ModelPicture draw(const ModelBody& body) {
  const HogCascadeModel& model = data_of(body);
  return {
      draw_blocks(model, model.card.name),
      model.mean.empty() ? "the model holds no mean positive: its blocks are drawn on a plain ground" : ""};
}

}  // namespace

ModelPages hog_cascade_pages() { return {kHogCascadeKind, text_of, fields_of, draw}; }

}  // namespace winnow
