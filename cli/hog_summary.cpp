#include "hog_summary.h"

#include <winnow/answer.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "text.h"

namespace winnow::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string sides(Size size) { return fmt::format("{}x{}", size.width, size.height); }

Json sides_json(Size size) {
  Json json;
  json["width"] = size.width;
  json["height"] = size.height;
  return json;
}

// Shows 0.1f as 0.1.
double shown(float value) { return std::stod(fmt::format("{}", value)); }

// A bias from OpenCV's files is a float, and is shown as one.
std::string bias_text(double bias) {
  const auto narrow = static_cast<float>(bias);
  return static_cast<double>(narrow) == bias ? fmt::format("{}", narrow) : fmt::format("{}", bias);
}

}  // namespace

std::string hog_as_text(const HogSvmModel& model, const std::string& name, const std::string& path) {
  const HogShape& shape = model.shape;
  const auto [least, most] = std::minmax_element(model.weights.begin(), model.weights.end());
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{}\n", name);
  fmt::format_to(out, "file       {}\n", path);
  fmt::format_to(out, "kind       linear SVM over HOG, window {}\n", sides(shape.window));
  fmt::format_to(out, "blocks     {} of {} pixels, {} apart\n", sides(shape.blocks()), sides(shape.block),
                 sides(shape.block_stride));
  fmt::format_to(out, "cells      {} in a block, each of {} pixels\n", sides(shape.cells()),
                 sides(shape.cell));
  fmt::format_to(out, "bins       {} over {} degrees\n", shape.bins, shape.directed ? 360 : 180);
  fmt::format_to(out, "pixels     {}\n", shape.gamma ? "square roots of grey or colour" : "grey or colour");
  fmt::format_to(out, "gaussian   {}\n",
                 shape.sigma > 0 ? fmt::format("sigma {} over a block", shape.sigma)
                                 : fmt::format("sigma {} over a block, an eighth of its sides",
                                               (shape.block.width + shape.block.height) / 8.0));
  fmt::format_to(out, "clip       {}\n", shape.clip);
  fmt::format_to(out, "weights    {}, from {} to {}\n", model.weights.size(), *least, *most);
  fmt::format_to(out, "bias       {}\n", bias_text(model.bias));
  const ModelCard& card = model.card;
  if (!card.kind.empty()) fmt::format_to(out, "finds      {}\n", one_line(card.kind));
  if (!card.source.empty()) fmt::format_to(out, "source     {}\n", one_line(card.source));
  if (!card.terms.empty()) fmt::format_to(out, "terms      {}\n", terms_line(card.terms));
  fmt::format_to(out,
                 "rules      score: weights times values, plus bias; step: the stride of blocks; scales: "
                 "OpenCV's list for HOG\n");
  fmt::format_to(out, "\n{}\n", model.notes.empty() ? "Nothing unusual." : "Unusual:");
  for (const std::string& note : model.notes) fmt::format_to(out, "- {}\n", note);
  return printable(fmt::to_string(text));
}

std::string hog_as_json(const HogSvmModel& model, const std::string& name, const std::string& path) {
  const HogShape& shape = model.shape;
  const auto [least, most] = std::minmax_element(model.weights.begin(), model.weights.end());
  Json report;
  report["name"] = clean_utf8(name);
  report["path"] = clean_utf8(path);
  report["kind"] = "hog-svm";
  report["window"] = sides_json(shape.window);
  report["block"] = sides_json(shape.block);
  report["block_stride"] = sides_json(shape.block_stride);
  report["cell"] = sides_json(shape.cell);
  report["bins"] = shape.bins;
  report["directed"] = shape.directed;
  report["gamma"] = shape.gamma;
  report["sigma"] = shape.sigma;
  report["clip"] = shape.clip;
  report["weights"]["count"] = model.weights.size();
  report["weights"]["least"] = shown(*least);
  report["weights"]["most"] = shown(*most);
  report["bias"] = model.bias;
  report["card"]["name"] = clean_utf8(model.card.name);
  report["card"]["kind"] = clean_utf8(model.card.kind);
  report["card"]["source"] = clean_utf8(model.card.source);
  report["card"]["terms"] = clean_utf8(model.card.terms);
  report["notes"] = Json::array();
  for (const std::string& note : model.notes) report["notes"].push_back(clean_utf8(note));
  return report.dump(2) + "\n";
}

}  // namespace winnow::cli
