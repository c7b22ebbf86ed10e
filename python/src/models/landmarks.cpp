// Binds `Landmarks`: models of landmarks, from files and from arrays.
#include <winnow/landmarks.h>

#include <winnow/error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays/number_arrays.h"
#include "arrays/records.h"
#include "constructor.h"
#include "models/model_methods.h"
#include "typed.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
namespace {

LandmarkFormat parse_format(const LandmarkFormatWord& word) {
  return enumerator(word.text, "format of landmarks", LandmarkFormat::kWinnow, LandmarkFormat::kDlib,
                    landmark_format_name);
}

LandmarkFormat format_for(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".winnow") return LandmarkFormat::kWinnow;
  if (ending == ".dat") return LandmarkFormat::kDlib;
  throw Error(ErrorCode::kUsage, "the file must end in .winnow or .dat, or the format must be named", path);
}

// The lengths of the array of leaves. A leaf has x and y for each point or, with a basis, a number for each
// vector.
Lengths leaf_lengths(const LandmarkModel& model) {
  Lengths sides{side(model.trees.stages), side(model.trees.trees), model.trees.leaves_per_tree()};
  if (model.fixed_leaves.basis.empty()) {
    sides.insert(sides.end(), {model.mean.size(), 2});
  } else {
    sides.push_back(side(model.fixed_leaves.values));
  }
  return sides;
}

nb::object leaves_of(nb::handle self) {
  const LandmarkModel& model = nb::cast<const Landmarks&>(self).model();
  return model.fixed_point() ? view_of(model.fixed_leaves.numbers.data(), leaf_lengths(model), self)
                             : view_of(model.float_leaves.data(), leaf_lengths(model), self);
}

nb::object basis_of(nb::handle self) {
  const LandmarkModel& model = nb::cast<const Landmarks&>(self).model();
  if (model.fixed_leaves.basis.empty()) return nb::none();
  return view_of(model.fixed_leaves.basis.data(),
                 {side(model.trees.stages), side(model.fixed_leaves.values), model.mean.size(), 2}, self);
}

// Puts leaves of whole numbers into the model.
void take_fixed_leaves(LandmarkModel& model, nb::handle leaves,
                       const std::optional<std::vector<std::int32_t>>& unit_bits, nb::handle basis) {
  FixedLeaves& fixed = model.fixed_leaves;
  if (!unit_bits) refuse("leaves of whole numbers need unit_bits, a number for each stage");
  fixed.unit_bits = *unit_bits;
  fixed.values = static_cast<std::int32_t>(2 * model.mean.size());
  const char* sides = "(stages, trees, leaves, points, 2)";
  if (!basis.is_none()) {
    const nb::object vectors = array_of(basis, "vectors of the basis", 4, "(stages, vectors, points, 2)");
    const std::size_t values = shape_of(vectors)[1];
    check_shape(vectors, "vectors of the basis", {side(model.trees.stages), values, model.mean.size(), 2},
                "(stages, vectors, points, 2)");
    fixed.basis = wholes_of<std::int16_t>(vectors, "vectors of the basis");
    if (fixed.basis.empty()) refuse("the basis has no vectors; leave it out");
    fixed.values = static_cast<std::int32_t>(values);
    sides = "(stages, trees, leaves, vectors)";
  }
  check_shape(leaves, "leaves", leaf_lengths(model), sides);
  fixed.numbers = wholes_of<std::int16_t>(leaves, "leaves");
}

LandmarkModel model_of(const AnyArray& mean, const ShapeTrees& trees, const AnyArray& leaves,
                       const std::optional<std::vector<std::int32_t>>& unit_bits, const AnyArray& basis) {
  LandmarkModel model;
  const nb::object places = array_of(mean.object, "places of the mean shape", 2, "(points, 2)");
  const std::size_t points = shape_of(places)[0];
  check_shape(places, "places of the mean shape", {points, 2}, "(points, 2)");
  const std::vector<float> coordinates = reals_of<float>(places, "places of the mean shape");
  for (std::size_t i = 0; i < points; ++i) model.mean.push_back({coordinates[2 * i], coordinates[2 * i + 1]});
  model.trees = trees;
  const nb::object array = numpy("asarray")(leaves.object);
  if (kind_of(array) != 'f') {
    take_fixed_leaves(model, array, unit_bits, basis.object);
    return model;
  }
  if (unit_bits || !basis.object.is_none())
    refuse("unit_bits and basis are for leaves of whole numbers, and these are floats");
  check_shape(array, "leaves", leaf_lengths(model), "(stages, trees, leaves, points, 2)");
  model.float_leaves = reals_of<float>(array, "leaves");
  return model;
}

using Place = std::tuple<double, double, double>;

void bind_files(nb::class_<Landmarks>& shown) {
  shown
      .def_static(
          "load", [](const Path& name) { return Landmarks::load(resolve_model(name.text)); },
          nb::arg("name_or_path"), nb::call_guard<nb::gil_scoped_release>(),
          "Loads landmarks by name or from a file: dlib's shape_predictor, or Winnow's own file.\n\n"
          ">>> winnow.Landmarks.load('points.winnow')\n"
          "Landmarks(points, 5 points, 2 stages)")
      .def_static(
          "parse",
          [](const nb::bytes& bytes, const std::string& name) {
            return Landmarks::parse(span_of(bytes), name);
          },
          nb::arg("bytes"), nb::arg("name") = "",
          "Reads landmarks from the bytes of a file.\n\n"
          ">>> landmarks = winnow.Landmarks.load('points.winnow')\n"
          ">>> winnow.Landmarks.parse(landmarks.to_bytes('dlib'), 'mine')\n"
          "Landmarks(mine, 5 points, 2 stages)")
      .def(
          "to_bytes",
          [](const Landmarks& self, const LandmarkFormatWord& format) {
            const LandmarkFormat wanted = parse_format(format);
            std::vector<std::byte> bytes;
            {
              const nb::gil_scoped_release free;
              bytes = self.to_bytes(wanted);
            }
            return python_bytes(bytes);
          },
          nb::arg("format") = "winnow",
          "The bytes of a file: 'winnow' or 'dlib'. dlib's file has no basis, no confidence and no place of\n"
          "boxes: a model with one of them is refused.\n\n"
          ">>> winnow.Landmarks.load('points.winnow').to_bytes()[4:8]\n"
          "b'WNCS'")
      .def(
          "save",
          [](const Landmarks& self, const Path& path, const std::optional<LandmarkFormatWord>& format) {
            const LandmarkFormat wanted = format ? parse_format(*format) : format_for(path.text);
            const nb::gil_scoped_release free;
            self.save(path.text, wanted);
          },
          nb::arg("path"), nb::arg("format") = nb::none(),
          "Writes a file, in place of a file of this name. The ending of the name, .winnow or .dat, gives\n"
          "the format if `format` is None.\n\n"
          ">>> winnow.Landmarks.load('points.winnow').save('points.dat')")
      .def("with_16_bits", &Landmarks::with_16_bits, nb::call_guard<nb::gil_scoped_release>(),
           "The same model with leaves of 16 bits, which has a smaller file and is faster. Points move a "
           "little.\n\n"
           ">>> winnow.Landmarks.load('points.winnow').with_16_bits().leaves.dtype\n"
           "dtype('int16')")
      .def("for_face_boxes", &Landmarks::for_face_boxes, nb::call_guard<nb::gil_scoped_release>(),
           "The same model for boxes of the detector `face`. A model that was made of dlib's file gets the\n"
           "`place` that moves such a box to where dlib's detector has its box. Models that Winnow trained\n"
           "stay as they are.\n\n"
           ">>> winnow.Landmarks.load('points.winnow').for_face_boxes().detector\n"
           "'face'")
      .def(
          "same_as",
          [](const Landmarks& self, const Landmarks& other) { return self.model().same_as(other.model()); },
          nb::arg("other"), nb::call_guard<nb::gil_scoped_release>(),
          "Whether both models give the same points and confidence. Card and notes are not compared.\n\n"
          ">>> landmarks = winnow.Landmarks.load('points.winnow')\n"
          ">>> landmarks.same_as(landmarks.with_card(name='mine'))\n"
          "True");
}

void bind_parts(nb::class_<Landmarks>& shown) {
  shown.def_prop_ro("name", [](const Landmarks& self) { return text_of(self.name()); })
      .def_prop_ro("card", [](const Landmarks& self) { return self.model().card; })
      .def_prop_ro(
          "notes", [](const Landmarks& self) { return self.model().notes; }, "Unusual facts about the file.")
      .def_prop_ro("points", &Landmarks::points, "The number of points.")
      .def_prop_ro(
          "mean",
          [](nb::handle self) {
            static_assert(sizeof(ShapePoint) == 2 * sizeof(float));
            const std::vector<ShapePoint>& mean = nb::cast<const Landmarks&>(self).model().mean;
            return view_of(&mean[0].x, {mean.size(), 2}, self);
          },
          nb::sig("def mean(self) -> numpy.typing.NDArray[numpy.float32]"),
          "The shape that each fit begins with, (points, 2): (0, 0) is the middle of the box's first pixel,\n"
          "and (1, 1) the middle of its last.")
      .def_prop_ro(
          "trees", [](const Landmarks& self) -> const ShapeTrees& { return self.model().trees; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "leaves", [](nb::handle self) { return leaves_of(self); },
          nb::sig("def leaves(self) -> numpy.typing.NDArray[numpy.float32] | "
                  "numpy.typing.NDArray[numpy.int16]"),
          "What each leaf adds to the shape, (stages, trees, leaves, points, 2): floats as in dlib's file, "
          "or "
          "whole\nnumbers of 16 bits. With a basis, (stages, trees, leaves, vectors).")
      .def_prop_ro(
          "fixed_point", [](const Landmarks& self) { return self.model().fixed_point(); },
          "Whether leaves are whole numbers.")
      .def_prop_ro(
          "unit_bits",
          [](const Landmarks& self) -> std::optional<std::vector<std::int32_t>> {
            if (!self.model().fixed_point()) return std::nullopt;
            return self.model().fixed_leaves.unit_bits;
          },
          "A number for each stage: the stage's leaves count units of 2 ** -unit_bits. None if leaves are\n"
          "floats.")
      .def_prop_ro(
          "basis", [](nb::handle self) { return basis_of(self); },
          nb::sig("def basis(self) -> numpy.typing.NDArray[numpy.int16] | None"),
          "The vectors of each stage, (stages, vectors, points, 2), in units of 2 ** -14. A leaf adds them\n"
          "up, each times a number of the leaf. None if leaves hold coordinates.")
      .def_prop_ro(
          "turned", [](const Landmarks& self) { return self.model().turned; },
          "Whether the offsets that a stage adds are turned as the shape is. Only models with leaves of\n"
          "whole numbers have it.")
      .def_prop_ro(
          "confidence",
          [](const Landmarks& self) {
            const std::optional<PointConfidence>& confidence = self.model().confidence;
            return confidence ? &*confidence : nullptr;
          },
          nb::rv_policy::reference_internal, nb::sig("def confidence(self) -> PointConfidence | None"),
          "How the model tells how sure it is of each point; None if it does not tell.")
      .def_prop_ro(
          "has_presence", [](const Landmarks& self) { return self.model().has_presence(); },
          "Whether the model knows how likely a box shows what it was trained for: `Shape.presence`.")
      .def_prop_ro(
          "point_names",
          [](const Landmarks& self) {
            return self.model().scheme ? self.model().scheme->names : std::vector<std::string>{};
          },
          "The names of the points; [] if unknown.")
      .def_prop_ro(
          "mirrored",
          [](const Landmarks& self) {
            return self.model().scheme ? self.model().scheme->mirrored : std::vector<std::uint16_t>{};
          },
          "For each point the point that it becomes in a mirrored picture; [] if unknown.")
      .def_prop_ro(
          "eyes",
          [](const Landmarks& self) {
            const PointScheme scheme = self.model().scheme.value_or(PointScheme{});
            return std::pair(scheme.left_eye, scheme.right_eye);
          },
          "The points of the left and of the right eye; two empty lists if unknown.")
      .def_prop_ro(
          "detector", [](const Landmarks& self) { return text_of(self.model().detector); },
          "The built-in detector whose boxes the model takes; \"\" if unknown.")
      .def_prop_ro(
          "place",
          [](const Landmarks& self) {
            const BoxPlace& place = self.model().place;
            return Place(place.scale, place.right, place.down);
          },
          "(scale, right, down): how boxes are moved before a fit. The middle moves by the fractions right\n"
          "and down of a side, then the sides are multiplied by scale.");
}

}  // namespace

void bind_landmarks(nb::module_& module) {
  nb::class_<Landmarks> shown(
      module, "Landmarks",
      "A model that marks points in the box of a face, or of another object. `Landmarker` fits it.\n\n"
      "Most models come from files (`load`). The constructor makes one from arrays, such as those of "
      "another\n"
      "model or of your own training. leaves: floats, or whole numbers with unit_bits and perhaps a basis; "
      "the\n"
      "properties of the same names say what the arrays hold.\n\n"
      ">>> landmarks = winnow.Landmarks.load('points.winnow')\n"
      ">>> landmarks.points, landmarks.trees, landmarks.leaves.shape\n"
      "(5, ShapeTrees(2 stages, 20 trees, 40 pixels), (2, 20, 8, 5, 2))\n"
      ">>> winnow.Landmarks(landmarks.mean, landmarks.trees, landmarks.leaves / 2, name='half')\n"
      "Landmarks(half, 5 points, 2 stages)");
  const BoxPlace usual;
  def_constructor(
      shown,
      +[](Landmarks* self, const AnyArray& mean, const ShapeTrees& trees, const AnyArray& leaves,
          const std::optional<std::vector<std::int32_t>>& unit_bits, const AnyArray& basis, bool turned,
          const std::optional<PointConfidence>& confidence, const std::string& detector, const Place& place,
          const std::string& name, const std::string& kind) {
        LandmarkModel model = model_of(mean, trees, leaves, unit_bits, basis);
        model.turned = turned;
        model.confidence = confidence;
        model.detector = detector;
        model.place = {std::get<0>(place), std::get<1>(place), std::get<2>(place)};
        model.card.name = name;
        model.card.kind = kind;
        new (self) Landmarks(std::move(model));
      },
      nb::arg("mean"), nb::arg("trees"), nb::arg("leaves"), nb::kw_only(), nb::arg("unit_bits") = nb::none(),
      nb::arg("basis").none() = nb::none(), nb::arg("turned") = false, nb::arg("confidence") = nb::none(),
      nb::arg("detector") = "", nb::arg("place") = nb::make_tuple(usual.scale, usual.right, usual.down),
      nb::arg("name") = "", nb::arg("kind") = "");
  bind_files(shown);
  bind_parts(shown);
  shown.def("__repr__", [](const Landmarks& self) {
    const std::int32_t stages = self.model().trees.stages;
    return text_of("Landmarks(" + self.name() + ", " + std::to_string(self.points()) +
                   (self.points() == 1 ? " point, " : " points, ") + std::to_string(stages) +
                   (stages == 1 ? " stage)" : " stages)"));
  });
  def_model_state(shown);
  def_with_card(shown,
                ">>> winnow.Landmarks.load('points.winnow').with_card(name='mine').name\n"
                "'mine'",
                card_inside<Landmarks>, with_card_inside<Landmarks>);
}

}  // namespace winnow::python
