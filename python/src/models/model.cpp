// Binds `Model`, a model of any kind.
#include <winnow/model.h>

#include <winnow/cascade.h>
#include <winnow/inspect.h>
#include <winnow/landmarks.h>

#include <utility>

#include "constructor.h"
#include "models/model_argument.h"
#include "models/model_methods.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

Picture picture_of(const Model& model) {
  Picture drawn;
  drawn.color = draw_model(model).image;
  drawn.gray = to_gray(std::as_const(drawn.color).view());
  return drawn;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model> shown(module, "Model",
                          "A trained model of any kind: its kind, its task, and its file.\n\n"
                          ">>> model = winnow.Model.load('people')\n"
                          ">>> model.kind, model.does, model.holds\n"
                          "('hog-cascade', 'finds people who stand or walk, upright', '512 stages')");
  def_constructor(
      shown, +[](Model* self, const NamedModel& model) { new (self) Model(parse_any_model(model.object)); },
      nb::arg("model"));
  shown
      .def_static(
          "load", [](const Path& name) { return Model::load(resolve_model(name.text)); },
          nb::arg("name_or_path"), nb::call_guard<nb::gil_scoped_release>(),
          "As `winnow.load`, for models of every kind, also those that find no objects.\n\n"
          ">>> winnow.Model.load('face')\n"
          "Model(face, cascade, 3600 stages)")
      .def_static(
          "parse",
          [](const nb::bytes& bytes, const std::string& name) { return Model::parse(span_of(bytes), name); },
          nb::arg("bytes"), nb::arg("name") = "",
          "Reads a model from the bytes of its file.\n\n"
          ">>> winnow.Model.parse(winnow.load('face').to_bytes()).kind\n"
          "'cascade'")
      .def(
          "to_bytes",
          [](const Model& self, const std::string& format) { return python_bytes(self.to_bytes(format)); },
          nb::arg("format") = "",
          "The bytes of a file in one of `formats`. \"\" stands for the first format, which keeps\n"
          "everything.\n\n"
          ">>> winnow.load('people').to_bytes()[4:8]\n"
          "b'WNCS'")
      .def(
          "save",
          [](const Model& self, const Path& path, const std::string& format) {
            self.save(path.text, format);
          },
          nb::arg("path"), nb::arg("format") = "",
          "Writes a file, in place of a file of this name. The ending of the name gives the format if\n"
          "`format` is \"\".\n\n"
          ">>> winnow.load('people').save('copy.winnow')")
      .def(
          "draw", [](const Model& self) { return ColorPicture{nb::cast(picture_of(self))}; },
          "The features of the model, drawn as a `Picture` in colour.\n\n"
          ">>> winnow.load('people').draw().save('people.png')")
      .def_prop_ro("kind", [](const Model& model) { return text_of(model.kind()); })
      .def_prop_ro("name", [](const Model& model) { return text_of(model.name()); })
      .def_prop_ro("card", [](const Model& model) { return model.card(); })
      .def_prop_ro(
          "does", [](const Model& model) { return text_of(model.does()); },
          "The model's task, in a few words.")
      .def_prop_ro(
          "holds", [](const Model& model) { return model.holds(); },
          "The model's size in a few words, such as '512 stages'.")
      .def_prop_ro(
          "notes", [](const Model& model) { return model.notes(); }, "Unusual facts about the file.")
      .def_prop_ro(
          "formats",
          [](const Model& model) {
            std::vector<std::string> names;
            for (ModelFormat& format : model.formats()) names.push_back(std::move(format.name));
            return names;
          },
          "The names of the formats in which the model can be written.")
      .def_prop_ro(
          "landmarks", [](const Model& model) { return Landmarks::from(model); },
          "The `Landmarks` inside; None for a model of another kind.")
      .def("__repr__", [](const Model& model) {
        return text_of("Model(" + model.name() + ", " + model.kind() + ", " + model.holds() + ")");
      });
  def_model_state(shown);
  def_with_card(
      shown,
      ">>> winnow.Model.load('face').with_card(name='mine').name\n"
      "'mine'",
      [](const Model& self) { return self.card(); },
      [](const Model& self, const ModelCard& card) { return self.with_card(card); });
}

}  // namespace winnow::python
