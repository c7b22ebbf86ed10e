#include "block_summary.h"

#include <winnow/answer.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "text.h"

namespace winnow::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownBlocks = 10;

// The least score that passes the stage; nothing if every score does.
std::optional<double> least_score(const HogCascadeModel& model, const HogBlockStage& stage) {
  if (stage.least <= kNoHogLimit) return std::nullopt;
  return static_cast<double>(std::int64_t{stage.least} - model.zero) / kScoreUnit;
}

std::string limit_text(std::optional<double> least) { return least ? fmt::format("{:.2f}", *least) : "none"; }

Box pixels_of(const HogBlock& block, int grid) {
  return {block.x * grid, block.y * grid, 2 * block.cell_width * grid, 2 * block.cell_height * grid};
}

}  // namespace

std::string blocks_as_text(const HogCascadeModel& model, const std::string& name, const std::string& path) {
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  std::map<std::pair<int, int>, int> sizes;
  for (const HogBlockStage& stage : model.stages) {
    const Box box = pixels_of(stage.block, model.grid);
    ++sizes[{box.width, box.height}];
  }
  fmt::format_to(out, "{}\n", name);
  fmt::format_to(out, "file       {}\n", path);
  fmt::format_to(out, "kind       cascade of HOG blocks, window {}x{}\n", model.window.width,
                 model.window.height);
  const auto ends = static_cast<std::size_t>(
      std::count_if(model.stages.begin(), model.stages.end(),
                    [&](const HogBlockStage& stage) { return least_score(model, stage).has_value(); }));
  fmt::format_to(out, "stages     {}, {}; one sum runs through all\n", ends,
                 ends == model.stages.size() ? std::string("a block each")
                                             : fmt::format("of {} blocks in all", model.stages.size()));
  fmt::format_to(out, "grid       {} pixels; windows lie {} pixels apart\n", model.grid, model.step);
  fmt::format_to(out, "blocks     {} sizes, from {}x{} to {}x{}\n", sizes.size(), sizes.begin()->first.first,
                 sizes.begin()->first.second, sizes.rbegin()->first.first, sizes.rbegin()->first.second);
  fmt::format_to(out, "scores     from {} on; 0 is the usual least score\n",
                 limit_text(least_score(model, model.stages.back())));
  const ModelCard& card = model.card;
  if (!card.kind.empty()) fmt::format_to(out, "finds      {}\n", one_line(card.kind));
  if (!card.source.empty()) fmt::format_to(out, "source     {}\n", one_line(card.source));
  if (!card.terms.empty()) fmt::format_to(out, "terms      {}\n", terms_line(card.terms));
  fmt::format_to(out, "\nThe first blocks, in pixels of the window:\n{:>5} {:>5} {:>5} {:>6} {:>6} {:>8}\n",
                 "block", "x", "y", "width", "height", "limit");
  for (std::size_t i = 0; i < std::min(kShownBlocks, model.stages.size()); ++i) {
    const Box box = pixels_of(model.stages[i].block, model.grid);
    fmt::format_to(out, "{:>5} {:>5} {:>5} {:>6} {:>6} {:>8}\n", i + 1, box.x, box.y, box.width, box.height,
                   limit_text(least_score(model, model.stages[i])));
  }
  fmt::format_to(out, "\n{}\n", model.notes.empty() ? "Nothing unusual." : "Unusual:");
  for (const std::string& note : model.notes) fmt::format_to(out, "- {}\n", note);
  return printable(fmt::to_string(text));
}

std::string blocks_as_json(const HogCascadeModel& model, const std::string& name, const std::string& path) {
  Json report;
  report["name"] = clean_utf8(name);
  report["path"] = clean_utf8(path);
  report["kind"] = "hog-cascade";
  report["window"]["width"] = model.window.width;
  report["window"]["height"] = model.window.height;
  report["grid"] = model.grid;
  report["step"] = model.step;
  report["stages"] = Json::array();
  for (const HogBlockStage& stage : model.stages) {
    const Box box = pixels_of(stage.block, model.grid);
    Json one;
    one["x"] = box.x, one["y"] = box.y, one["width"] = box.width, one["height"] = box.height;
    const std::optional<double> least = least_score(model, stage);
    one["least_score"] = least ? Json(*least) : Json(nullptr);
    report["stages"].push_back(std::move(one));
  }
  report["card"]["name"] = clean_utf8(model.card.name);
  report["card"]["kind"] = clean_utf8(model.card.kind);
  report["card"]["source"] = clean_utf8(model.card.source);
  report["card"]["terms"] = clean_utf8(model.card.terms);
  report["notes"] = Json::array();
  for (const std::string& note : model.notes) report["notes"].push_back(clean_utf8(note));
  return report.dump(2) + "\n";
}

}  // namespace winnow::cli
