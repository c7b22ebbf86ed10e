// Describes and draws a model with the functions for its kind, as winnow/inspect.h and
// answer/inspect/model_pages.h declare; their opening comments hold here.
#include <winnow/inspect.h>

#include <winnow/answer.h>
#include <winnow/detector_model.h>
#include <winnow/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "answer/inspect/card_text.h"
#include "answer/inspect/model_pages.h"

namespace winnow {
namespace {

using Json = nlohmann::ordered_json;

std::vector<ModelPages>& all_pages() {
  static std::vector<ModelPages> pages = {cascade_pages(), hog_svm_pages(), hog_cascade_pages(),
                                          landmark_pages()};
  return pages;
}

ModelPages pages_of(const std::string& kind) {
  const std::vector<ModelPages>& all = all_pages();
  const auto pages =
      std::find_if(all.rbegin(), all.rend(), [&](const ModelPages& each) { return each.kind == kind; });
  return pages == all.rend() ? ModelPages{.kind = kind} : *pages;
}

bool finds_objects(const Model& model) { return dynamic_cast<const DetectorBody*>(&model.body()) != nullptr; }

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// The defaults of a search in words.
std::string search_text(const SearchDefaults& search) {
  std::string text = fmt::format("search     scale {}", search.scale_factor);
  if (search.enlarge > 1) text += fmt::format(", enlarged up to {}", search.enlarge);
  if (search.step != Size{}) text += fmt::format(", stride {}x{}", search.step.width, search.step.height);
  text += fmt::format(", merge {}, more than {} neighbours", merge_name(search.merge), search.min_neighbors);
  if (std::isfinite(search.min_score)) text += fmt::format(", score {} or more", search.min_score);
  if (search.merge == Merge::kSupport) text += fmt::format(", support {} or more", search.min_support);
  return text + fmt::format(", border {}\n", search.border);
}

Json search_json(const SearchDefaults& search) {
  Json json;
  json["scale"] = search.scale_factor;
  json["enlarge"] = search.enlarge;
  json["stride"] =
      search.step == Size{} ? Json(nullptr) : Json::array({search.step.width, search.step.height});
  json["merge"] = merge_name(search.merge);
  json["min_neighbors"] = search.min_neighbors;
  json["min_score"] = std::isfinite(search.min_score) ? Json(search.min_score) : Json(nullptr);
  json["min_support"] = search.min_support;
  json["border"] = search.border;
  return json;
}

ModelText plain_text(const Model& model) {
  std::string facts = fmt::format("kind       {}\nholds      {}\n", model.kind_words(), model.holds());
  if (!finds_objects(model)) facts += fmt::format("does       {}\n", model.does());
  return {.facts = facts, .more = {}};
}

}  // namespace

void add_model_pages(const ModelPages& pages) { all_pages().push_back(pages); }

std::string inspect_text(const Model& model, const std::string& path) {
  const ModelPages pages = pages_of(model.kind());
  const ModelText described = pages.text != nullptr ? pages.text(model.body()) : plain_text(model);
  std::string text = fmt::format("{}\nfile       {}\n", in_one_line(model.name()), in_one_line(path));
  text += described.facts;
  if (finds_objects(model)) text += search_text(DetectorModel(model).search_defaults());
  text += card_text(model.card(), finds_objects(model) ? "finds" : "for") + described.more;
  text += model.notes().empty() ? "\nNothing unusual.\n" : "\nUnusual:\n";
  for (const std::string& note : model.notes()) text += "- " + note + "\n";
  return printable(text);
}

std::string inspect_json(const Model& model, const std::string& path) {
  const ModelPages pages = pages_of(model.kind());
  Json report;
  report["name"] = clean_utf8(model.name());
  report["path"] = clean_utf8(path);
  report["kind"] = model.kind();
  report["does"] = clean_utf8(model.does());
  report["holds"] = model.holds();
  if (pages.fields != nullptr) {
    const Json fields = pages.fields(model.body());
    report.update(fields);
  }
  if (finds_objects(model)) report["search"] = search_json(DetectorModel(model).search_defaults());
  report["card"] = card_json(model.card());
  report["notes"] = Json::array();
  for (const std::string& note : model.notes()) report["notes"].push_back(clean_utf8(note));
  return report.dump(2) + "\n";
}

ModelPicture draw_model(const Model& model) {
  const ModelPages pages = pages_of(model.kind());
  if (pages.draw == nullptr)
    throw Error(ErrorCode::kUnsupported, "there is no picture of what " + model.kind_words() + " looks at");
  return pages.draw(model.body());
}

}  // namespace winnow
