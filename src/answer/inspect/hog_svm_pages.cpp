// Describes and draws a linear SVM over HOG, as answer/inspect/model_pages.h declares; its opening comment
// holds here.
#include <winnow/draw_model.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "answer/inspect/model_pages.h"
#include "model/hog_model.h"

namespace winnow {
namespace {

using Json = nlohmann::ordered_json;

const HogSvmModel& data_of(const ModelBody& body) { return *dynamic_cast<const HogSvmBody&>(body).model(); }

std::string sides(Size size) { return fmt::format("{}x{}", size.width, size.height); }

Json sides_json(Size size) {
  Json json;
  json["width"] = size.width;
  json["height"] = size.height;
  return json;
}

// The double with the shortest text of the float: 0.1 for 0.1f.
double shown(float value) { return std::stod(fmt::format("{}", value)); }

// The text of a bias. A bias from OpenCV's files is a float, so it gets the shortest text of a float.
std::string bias_text(double bias) {
  const auto narrow = static_cast<float>(bias);
  return static_cast<double>(narrow) == bias ? fmt::format("{}", narrow) : fmt::format("{}", bias);
}

ModelText text_of(const ModelBody& body) {
  const HogSvmModel& model = data_of(body);
  const HogShape& shape = model.shape;
  const auto [least, most] = std::minmax_element(model.weights.begin(), model.weights.end());
  fmt::memory_buffer facts;
  auto out = std::back_inserter(facts);
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
  return {
      fmt::to_string(facts),
      "rules      score: weights times values, plus bias; step: the stride of blocks; scales: OpenCV's list "
      "for HOG\n"};
}

Json fields_of(const ModelBody& body) {
  const HogSvmModel& model = data_of(body);
  const HogShape& shape = model.shape;
  const auto [least, most] = std::minmax_element(model.weights.begin(), model.weights.end());
  Json report;
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
  return report;
}

ModelPicture draw(const ModelBody& body) {
  const HogSvmModel& model = data_of(body);
  return {draw_weights(model, model.card.name), {}};
}

}  // namespace

ModelPages hog_svm_pages() { return {kHogSvmKind, text_of, fields_of, draw}; }

}  // namespace winnow
