// Describes and draws a model, by the pages of its kind, as winnow/inspect.h and answer/inspect/model_pages.h
// declare. Their opening comments hold here.
#include <winnow/inspect.h>

#include <winnow/answer.h>
#include <winnow/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "answer/inspect/card_text.h"
#include "answer/inspect/model_pages.h"

namespace winnow {
namespace {

using Json = nlohmann::ordered_json;

std::vector<ModelPages>& all_pages() {
  static std::vector<ModelPages> pages = {cascade_pages(), hog_svm_pages(), hog_cascade_pages()};
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
  text += described.facts + card_text(model.card(), finds_objects(model) ? "finds" : "for") + described.more;
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
