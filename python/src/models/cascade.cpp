// Binds `Cascade`, its lists as records, and the search for models by name.
#include <winnow/cascade.h>

#include <winnow/error.h>

#include <cstddef>
#include <filesystem>

#include "arrays/records.h"
#include "models/model_methods.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
namespace {

CascadeFormat parse_format(const CascadeFormatWord& word) {
  return enumerator(word.text, "format of cascades", CascadeFormat::kOpenCvXml, CascadeFormat::kWinnow,
                    cascade_format_name);
}

CascadeFormat format_for(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".winnow") return CascadeFormat::kWinnow;
  if (ending == ".xml") return CascadeFormat::kOpenCvXml;
  throw Error(ErrorCode::kUsage, "the file must end in .winnow or .xml, or the format must be named", path);
}

// Adds a property that shows one list of the model as records.
template <class Struct>
void show(nb::class_<Cascade>& cascade, const char* name, std::vector<Struct> CascadeModel::*list,
          std::vector<Field> fields, const char* doc) {
  const std::string signature = std::string("def ") + name + "(self) -> numpy.typing.NDArray[numpy.void]";
  cascade.def_prop_ro(
      name,
      [list, fields](nb::handle self) {
        const CascadeModel& model = nb::cast<const Cascade&>(self).model();
        return records(std::span<const Struct>(model.*list), record_type(fields, sizeof(Struct)), self);
      },
      nb::sig(signature.c_str()), doc);
}

void show_lists(nb::class_<Cascade>& cascade) {
  show(cascade, "stages", &CascadeModel::stages,
       {{"first_weak", "i4", offsetof(Stage, first_tree)},
        {"weak_count", "i4", offsetof(Stage, tree_count)},
        {"threshold", "f4", offsetof(Stage, threshold)}},
       "Stages. Weak classifiers share one numbering: all tables come before all trees.");
  show(cascade, "trees", &CascadeModel::trees,
       {{"first_node", "i4", offsetof(Tree, first_node)},
        {"node_count", "i4", offsetof(Tree, node_count)},
        {"first_leaf", "i4", offsetof(Tree, first_leaf)}},
       "Trees; each has node_count + 1 leaves.");
  show(cascade, "nodes", &CascadeModel::nodes,
       {{"left", "i4", offsetof(TreeNode, left)},
        {"right", "i4", offsetof(TreeNode, right)},
        {"feature", "i4", offsetof(TreeNode, feature)},
        {"threshold", "f4", offsetof(TreeNode, threshold)}},
       "Nodes. left and right name the children: n above 0 is node n of the same tree, and -n is leaf n\n"
       "of the tree, also for n = 0.");
  show(cascade, "tables", &CascadeModel::tables,
       {{"feature", "i4", offsetof(Table, feature)},
        {"low", "f4", offsetof(Table, low)},
        {"per_unit", "f4", offsetof(Table, per_unit)},
        {"leaves", "(16,)f4", offsetof(Table, leaves)}},
       "Weak classifiers that find a leaf by the value of one Haar feature.");
  show(cascade, "lbp", &CascadeModel::lbp, {{"cell", "(4,)i4", offsetof(LbpFeature, cell)}},
       "LBP features: x, y, width and height of the top left one of 3 x 3 cells.");
}

// Shows fields of all Haar features as one array, without a copy. `first` gives the first of the fields in a
// feature. `shape` has the lengths of the axes within a feature, and `steps` the distances along these axes
// in elements.
template <class Element>
nb::object haar_array(nb::handle self, const Element* (*first)(const HaarFeature&),
                      std::initializer_list<std::size_t> shape, std::initializer_list<std::int64_t> steps) {
  static const HaarFeature none{};
  const std::vector<HaarFeature>& haar = nb::cast<const Cascade&>(self).model().haar;
  std::vector<std::size_t> sides{haar.size()};
  sides.insert(sides.end(), shape);
  std::vector<std::int64_t> strides{static_cast<std::int64_t>(sizeof(HaarFeature) / sizeof(Element))};
  strides.insert(strides.end(), steps);
  return nb::cast(nb::ndarray<nb::numpy, const Element>(first(haar.empty() ? none : haar[0]), sides.size(),
                                                        sides.data(), self, strides.data()));
}

void show_haar(nb::class_<Cascade>& cascade) {
  constexpr std::int64_t kRect = sizeof(HaarRect) / sizeof(int);
  static_assert(sizeof(HaarRect) % sizeof(int) == 0 && sizeof(HaarFeature) % sizeof(int) == 0);
  cascade
      .def_prop_ro(
          "haar_boxes",
          [](nb::handle self) {
            return haar_array<int>(self, [](const HaarFeature& f) { return &f.rects[0].box.x; }, {3, 4},
                                   {kRect, 1});
          },
          nb::sig("def haar_boxes(self) -> numpy.typing.NDArray[numpy.int32]"),
          "Rectangles of the Haar features, (n, 3, 4): x, y, width, height.")
      .def_prop_ro(
          "haar_weights",
          [](nb::handle self) {
            return haar_array<float>(self, [](const HaarFeature& f) { return &f.rects[0].weight; }, {3},
                                     {kRect});
          },
          nb::sig("def haar_weights(self) -> numpy.typing.NDArray[numpy.float32]"),
          "Weights of the rectangles in `haar_boxes`, (n, 3); 0 for a rectangle that is not used.")
      .def_prop_ro(
          "haar_tilted",
          [](nb::handle self) {
            return haar_array<bool>(self, [](const HaarFeature& f) { return &f.tilted; }, {}, {});
          },
          nb::sig("def haar_tilted(self) -> numpy.typing.NDArray[numpy.bool_]"),
          "Whether each Haar feature is tilted by 45 degrees.");
}

}  // namespace

void bind_cascade(nb::module_& module) {
  nb::class_<ModelCard>(module, "ModelCard",
                        "The origin of a model and its terms. A text that is unknown is \"\".")
      .def_prop_ro("name", [](const ModelCard& card) { return text_of(card.name); })
      .def_prop_ro("kind", [](const ModelCard& card) { return text_of(card.kind); })
      .def_prop_ro("source", [](const ModelCard& card) { return text_of(card.source); })
      .def_prop_ro("terms", [](const ModelCard& card) { return text_of(card.terms); })
      .def_prop_ro(
          "search", [](const ModelCard& card) { return card.search; },
          "How the model is searched by default; None if the model's file does not say how.")
      .def_prop_ro(
          "place",
          [](const ModelCard& card) -> std::optional<std::tuple<double, double>> {
            if (!card.place) return std::nullopt;
            return std::tuple(card.place->margin, card.place->aspect);
          },
          "(margin, aspect): where the object lies in the model's boxes; None if unknown. margin is the\n"
          "background at each side, as a fraction of the box's side. aspect is the object's width for a\n"
          "height of 1. `EvalRule` takes both.")
      .def("__repr__",
           [](const ModelCard& card) { return text_of("ModelCard(" + card.name + ", " + card.kind + ")"); });

  nb::class_<Cascade> cascade(
      module, "Cascade",
      "A trained cascade, as `load` gives it in `.cascade`. Its stages, trees and features are arrays.\n\n"
      ">>> cascade = winnow.Cascade.load('haarcascade_frontalface_alt')\n"
      ">>> len(cascade.stages), cascade.weak_count\n"
      "(22, 2135)");
  cascade
      .def_static(
          "load", [](const Path& name) { return Cascade::load(resolve_model(name.text)); },
          nb::arg("name_or_path"), nb::call_guard<nb::gil_scoped_release>(),
          "As `load`, for cascades only.\n\n"
          ">>> winnow.Cascade.load('face').window\n"
          "(24, 24)")
      .def_static(
          "parse",
          [](const nb::bytes& bytes, const std::string& name) {
            return Cascade::parse(span_of(bytes), name);
          },
          nb::arg("bytes"), nb::arg("name") = "",
          "Reads a cascade from the bytes of its file.\n\n"
          ">>> winnow.Cascade.parse(winnow.Cascade.load('face').to_bytes()).window\n"
          "(24, 24)")
      .def(
          "to_bytes",
          [](const Cascade& self, const CascadeFormatWord& format) {
            return python_bytes(self.to_bytes(parse_format(format)));
          },
          nb::arg("format") = "winnow",
          "The bytes of a file: 'winnow', 'opencv-xml' or 'opencv-old-xml'.\n\n"
          ">>> cascade = winnow.Cascade.load('haarcascade_eye')\n"
          ">>> cascade.to_bytes('opencv-xml')[:5]\n"
          "b'<?xml'")
      .def(
          "save",
          [](const Cascade& self, const Path& path, const std::optional<CascadeFormatWord>& format) {
            self.save(path.text, format ? parse_format(*format) : format_for(path.text));
          },
          nb::arg("path"), nb::arg("format") = nb::none(),
          "Writes a file, in place of a file of this name. The ending of the name gives the format if\n"
          "`format` is None.\n\n"
          ">>> winnow.Cascade.load('haarcascade_eye').save('eye.winnow')")
      .def_prop_ro("name", [](const Cascade& self) { return text_of(self.name()); })
      .def_prop_ro("card", [](const Cascade& self) { return self.model().card; })
      .def_prop_ro("window", &Cascade::window, "(width, height)")
      .def_prop_ro("features",
                   [](const Cascade& self) {
                     return std::string(self.model().mixed()                      ? "haar and lbp"
                                        : self.model().kind == FeatureKind::kHaar ? "haar"
                                                                                  : "lbp");
                   })
      .def_prop_ro(
          "soft", [](const Cascade& self) { return self.model().rules.sum == SumRule::kRunning; },
          "Whether one sum runs through all stages.")
      .def_prop_ro("tilted", [](const Cascade& self) { return self.model().tilted(); })
      .def_prop_ro("weak_count", [](const Cascade& self) { return self.model().weak_count(); })
      .def_prop_ro(
          "notes", [](const Cascade& self) { return self.model().notes; }, "Unusual facts about the file.")
      .def_prop_ro(
          "leaves",
          [](nb::handle self) {
            const std::vector<float>& leaves = nb::cast<const Cascade&>(self).model().leaves;
            static const float none = 0;
            return nb::cast(nb::ndarray<nb::numpy, const float>(leaves.empty() ? &none : leaves.data(),
                                                                {leaves.size()}, self));
          },
          nb::sig("def leaves(self) -> numpy.typing.NDArray[numpy.float32]"), "The leaves of all trees.")
      .def("__repr__", [](const Cascade& self) {
        return text_of("Cascade(" + self.name() + ", " + std::to_string(self.window().width) + "x" +
                       std::to_string(self.window().height) + ", " +
                       std::to_string(self.model().stages.size()) + " stages)");
      });
  def_model_state(cascade);
  def_with_card(cascade,
                ">>> winnow.Cascade.load('face').with_card(name='mine').name\n"
                "'mine'",
                card_inside<Cascade>, with_card_inside<Cascade>);
  show_lists(cascade);
  show_haar(cascade);

  nb::class_<ModelEntry>(module, "ModelEntry", "A model that can be found by its name. See `models`.")
      .def_prop_ro("name", [](const ModelEntry& entry) { return text_of(entry.name); })
      .def_prop_ro("path", [](const ModelEntry& entry) { return text_of(entry.path); })
      .def("__repr__", [](const ModelEntry& entry) { return text_of("ModelEntry(" + entry.name + ")"); });
  module.def("models", &find_models,
             "All models that `load` finds by name: in WINNOW_MODELS, in this package and in the system.\n\n"
             ">>> 'face' in [entry.name for entry in winnow.models()]\n"
             "True");
  module.def(
      "model_folders",
      [] {
        std::vector<Path> folders;
        for (std::string& folder : model_folders()) folders.push_back({std::move(folder)});
        return folders;
      },
      "The folders in which `load` searches for names.\n\n"
      ">>> isinstance(winnow.model_folders(), list)\n"
      "True");
  module.def(
      "resolve_model", [](const Path& name) { return Path{resolve_model(name.text)}; },
      nb::arg("name_or_path"),
      "The path of the model that `load` would read.\n\n"
      ">>> winnow.resolve_model('face')\n"
      "'built-in:face'");
}

}  // namespace winnow::python
