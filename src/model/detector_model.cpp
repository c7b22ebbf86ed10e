// Loads a `DetectorModel`, and makes one of a `Cascade` or a `Model`, as winnow/detector_model.h declares;
// its opening comment holds here.
#include <winnow/detector_model.h>

#include <utility>

#include <winnow/error.h>

#include "model/cascade_body.h"

namespace winnow {

std::string DetectorBody::does() const {
  return "finds " + (card().kind.empty() ? std::string("objects") : card().kind);
}

DetectorModel::DetectorModel(Cascade cascade) : Model(std::make_shared<CascadeBody>(std::move(cascade))) {}

DetectorModel::DetectorModel(std::shared_ptr<const DetectorBody> body) : Model(std::move(body)) {}

DetectorModel::DetectorModel(const Model& model) : Model(model) {
  if (dynamic_cast<const DetectorBody*>(&model.body()) != nullptr) return;
  throw Error(ErrorCode::kUsage, "the model '" + model.name() + "' is " + model.kind_words() + ", which " +
                                     model.does() +
                                     "; a detector needs a model that finds objects (`winnow models` says "
                                     "what each model does)");
}

DetectorModel DetectorModel::load(const std::string& path) {
  const Model model = Model::load(path);
  try {
    return DetectorModel(model);
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

DetectorModel DetectorModel::parse(std::span<const std::byte> bytes, const std::string& name) {
  return DetectorModel(Model::parse(bytes, name));
}

// The cast is checked, because a caller may have assigned a model that finds no objects through a `Model&`.
const DetectorBody& DetectorModel::body() const { return dynamic_cast<const DetectorBody&>(Model::body()); }
Size DetectorModel::window() const { return body().window(); }
const PlanRules& DetectorModel::plan_rules() const { return body().plan_rules(); }
bool DetectorModel::reads_color() const { return body().reads_color(); }
const SearchDefaults& DetectorModel::search_defaults() const {
  return card().search ? *card().search : body().kind_defaults();
}

const Cascade* DetectorModel::cascade() const {
  const auto* cascade = dynamic_cast<const CascadeBody*>(&body());
  return cascade != nullptr ? &cascade->cascade() : nullptr;
}

}  // namespace winnow
