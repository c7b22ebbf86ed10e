// Describes and draws models of landmarks, as answer/inspect/model_pages.h declares; its opening comment
// holds here.
#include <winnow/draw_model.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "answer/inspect/model_pages.h"
#include "model/landmarks/landmark_model.h"

namespace winnow {
namespace {

const LandmarkModel& data_of(const ModelBody& body) {
  return *dynamic_cast<const LandmarkBody&>(body).model();
}

std::string leaf_words(const LandmarkModel& model) {
  if (!model.fixed_point())
    return fmt::format("{} numbers of 32 bits, as dlib has them", 2 * model.mean.size());
  const FixedLeaves& leaves = model.fixed_leaves;
  return fmt::format("{} whole numbers of 16 bits{}", leaves.values,
                     leaves.basis.empty() ? "" : ", each for a vector of the stage's basis");
}

// The names, pairs and eyes of points, a line each if known.
std::string scheme_words(const PointScheme& scheme) {
  constexpr std::size_t kMostNames = 10;
  std::string text;
  if (!scheme.names.empty()) {
    const std::size_t shown = std::min(scheme.names.size(), kMostNames), more = scheme.names.size() - shown;
    text += fmt::format("names      {}{}\n", fmt::join(std::span(scheme.names).first(shown), ", "),
                        more > 0 ? fmt::format(" and {} more", more) : "");
  }
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < scheme.mirrored.size(); ++i)
    if (i < scheme.mirrored[i]) pairs.push_back(fmt::format("{}/{}", i, scheme.mirrored[i]));
  if (!scheme.mirrored.empty())
    text += fmt::format("pairs      {}\n",
                        pairs.empty()
                            ? "none change places in a mirrored picture"
                            : fmt::format("{} change places in a mirrored picture", fmt::join(pairs, ", ")));
  if (scheme.has_eyes())
    text += fmt::format("eyes       points {} and {}\n", fmt::join(scheme.left_eye, ", "),
                        fmt::join(scheme.right_eye, ", "));
  return text;
}

ModelText text_of(const ModelBody& body) {
  const LandmarkModel& model = data_of(body);
  const ShapeTrees& trees = model.trees;
  fmt::memory_buffer facts;
  auto out = std::back_inserter(facts);
  fmt::format_to(out, "kind       landmarks by regression trees, {} points\n", model.mean.size());
  fmt::format_to(out, "{}", scheme_words(model.scheme.value_or(PointScheme{})));
  fmt::format_to(out, "stages     {}, each of {} trees that read {} pixels\n", trees.stages, trees.trees,
                 trees.pixels);
  fmt::format_to(out, "trees      {} splits on the way to one of {} leaves\n", trees.depth,
                 trees.leaves_per_tree());
  fmt::format_to(out, "leaf       {}\n", leaf_words(model));
  fmt::format_to(out, "confidence {}\n",
                 model.confidence
                     ? fmt::format("of each point: within {} of the pupils' distance{}",
                                   model.confidence->distance, model.has_presence() ? "; and presence" : "")
                     : "none");
  fmt::format_to(
      out, "boxes      {}\n",
      model.detector.empty() ? "as the file's maker drew them" : "of the detector " + model.detector);
  return {fmt::to_string(facts), {}};
}

nlohmann::ordered_json fields_of(const ModelBody& body) {
  const LandmarkModel& model = data_of(body);
  nlohmann::ordered_json report;
  report["points"] = model.mean.size();
  const PointScheme scheme = model.scheme.value_or(PointScheme{});
  report["point_names"] = scheme.names;
  report["mirrored"] = scheme.mirrored;
  report["left_eye"] = scheme.left_eye;
  report["right_eye"] = scheme.right_eye;
  report["stages"] = model.trees.stages;
  report["trees"] = model.trees.trees;
  report["pixels"] = model.trees.pixels;
  report["depth"] = model.trees.depth;
  report["leaf_numbers"] =
      model.fixed_point() ? static_cast<std::size_t>(model.fixed_leaves.values) : 2 * model.mean.size();
  report["fixed_point"] = model.fixed_point();
  report["turned"] = model.turned;
  report["basis"] = !model.fixed_leaves.basis.empty();
  report["confidence_distance"] =
      model.confidence ? nlohmann::ordered_json(model.confidence->distance) : nlohmann::ordered_json(nullptr);
  report["presence"] = model.has_presence();
  report["detector"] = model.detector;
  report["box"] = {{"scale", model.place.scale}, {"right", model.place.right}, {"down", model.place.down}};
  return report;
}

ModelPicture draw(const ModelBody& body) {
  return {draw_landmarks(data_of(body), data_of(body).card.name), ""};
}

}  // namespace

ModelPages landmark_pages() { return {kLandmarkKind, text_of, fields_of, draw}; }

}  // namespace winnow
