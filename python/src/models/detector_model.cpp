// Binds `DetectorModel` and `load`, and makes a model of the objects that Python gives as models.
#include <winnow/detector_model.h>

#include <winnow/hog.h>
#include <winnow/hog_cascade.h>

#include <optional>
#include <utility>

#include "constructor.h"
#include "models/model_argument.h"
#include "models/model_methods.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {

namespace {

template <class Wanted>
Wanted parse_as(nb::handle object) {
  const Cascade* cascade = nullptr;
  if (nb::try_cast(object, cascade) && cascade != nullptr) return DetectorModel(*cascade);
  const HogSvm* svm = nullptr;
  if (nb::try_cast(object, svm) && svm != nullptr) return DetectorModel(*svm);
  const HogCascade* blocks = nullptr;
  if (nb::try_cast(object, blocks) && blocks != nullptr) return DetectorModel(*blocks);
  const Landmarks* landmarks = nullptr;
  if (nb::try_cast(object, landmarks) && landmarks != nullptr) return Wanted(Model(*landmarks));
  const Model* model = nullptr;
  if (nb::try_cast(object, model) && model != nullptr) return Wanted(*model);
  Path path;
  if (!nb::try_cast(object, path))
    throw nb::type_error("a model is a name, a path, a DetectorModel, a Cascade, a HogSvm or a HogCascade");
  return Wanted::load(resolve_model(path.text));
}

}  // namespace

DetectorModel parse_model(nb::handle object) { return parse_as<DetectorModel>(object); }
Model parse_any_model(nb::handle object) { return parse_as<Model>(object); }

Landmarks parse_landmarks(nb::handle object) {
  const Landmarks* landmarks = nullptr;
  if (nb::try_cast(object, landmarks) && landmarks != nullptr) return *landmarks;
  const Model* model = nullptr;
  if (nb::try_cast(object, model) && model != nullptr) {
    std::optional<Landmarks> inside = Landmarks::from(*model);
    if (!inside)
      throw Error(ErrorCode::kUsage,
                  "landmarks are needed, and the model " + model->name() + " is " + model->kind_words());
    return std::move(*inside);
  }
  Path path;
  if (!nb::try_cast(object, path)) throw nb::type_error("landmarks are a name, a path, Landmarks or a Model");
  const nb::gil_scoped_release free;
  return Landmarks::load(resolve_model(path.text));
}

void bind_detector_model(nb::module_& module) {
  nb::class_<DetectorModel, Model> shown(
      module, "DetectorModel",
      "A trained model of any kind that finds objects. Any number of `Detector`s may share a model.\n\n"
      ">>> model = winnow.load('face')\n"
      ">>> model.kind, model.window\n"
      "('cascade', (24, 24))");
  def_constructor(
      shown,
      +[](DetectorModel* self, const OneModel& model) {
        new (self) DetectorModel(parse_model(model.object));
      },
      nb::arg("model"));
  shown
      .def_static(
          "load", [](const Path& name) { return DetectorModel::load(resolve_model(name.text)); },
          nb::arg("name_or_path"), nb::call_guard<nb::gil_scoped_release>(),
          "As `winnow.load`.\n\n"
          ">>> winnow.DetectorModel.load('face').window\n"
          "(24, 24)")
      .def_static(
          "parse",
          [](const nb::bytes& bytes, const std::string& name) {
            return DetectorModel::parse(span_of(bytes), name);
          },
          nb::arg("bytes"), nb::arg("name") = "",
          "Reads a model from the bytes of its file.\n\n"
          ">>> winnow.DetectorModel.parse(winnow.load('face').to_bytes()).kind\n"
          "'cascade'")
      .def_prop_ro("window", &DetectorModel::window, "(width, height)")
      .def_prop_ro("reads_color", &DetectorModel::reads_color)
      .def_prop_ro(
          "search_defaults", [](const DetectorModel& model) { return model.search_defaults(); },
          "How the model is searched unless the keywords of a search say otherwise.")
      .def_prop_ro(
          "cascade",
          [](const DetectorModel& model) -> std::optional<Cascade> {
            return model.cascade() != nullptr ? std::optional<Cascade>(*model.cascade()) : std::nullopt;
          },
          "The cascade inside; None for a model of another kind.")
      .def_prop_ro(
          "hog_svm", [](const DetectorModel& model) { return HogSvm::from(model); },
          "The HOG SVM inside; None for a model of another kind.")
      .def_prop_ro(
          "hog_cascade", [](const DetectorModel& model) { return HogCascade::from(model); },
          "The cascade of HOG blocks inside; None for a model of another kind.")
      .def("__repr__", [](const DetectorModel& model) {
        return text_of("DetectorModel(" + model.name() + ", " + model.kind() + ", " +
                       std::to_string(model.window().width) + "x" + std::to_string(model.window().height) +
                       ")");
      });
  def_model_state(shown);
  def_with_card(
      shown, ">>> winnow.load('face').with_card(name='mine').name\n'mine'",
      [](const DetectorModel& self) { return self.card(); },
      [](const DetectorModel& self, const ModelCard& card) { return DetectorModel(self.with_card(card)); });
  module.def(
      "load", [](const Path& name) { return DetectorModel::load(resolve_model(name.text)); },
      nb::arg("name_or_path"), nb::call_guard<nb::gil_scoped_release>(),
      "Loads a model by its name or from a file: Winnow's own format, OpenCV's XML of a cascade, old or new, "
      "or "
      "OpenCV's HOGDescriptor.\n\n"
      ">>> winnow.load('face')\n"
      "DetectorModel(face, cascade, 24x24)");
}

}  // namespace winnow::python
