// Binds `Landmarks`, `ShapeTrees` and `PointConfidence`: models of landmarks, from files and from arrays.
#include <winnow/landmarks.h>

#include <winnow/error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "constructor.h"
#include "model_methods.h"
#include "number_arrays.h"
#include "records.h"
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

// Whole numbers in the range of `Number`.
template <class Number>
std::vector<Number> wholes_of(nb::handle array, const std::string& what) {
  if (std::string_view("iu").find(kind_of(array)) == std::string_view::npos)
    refuse(what + " are whole numbers");
  if constexpr (std::is_same_v<Number, std::int16_t>) {
    if (nb::cast<std::string>(array.attr("dtype").attr("name")) == "int16")
      return packed<std::int16_t>(array, "int16");
  }
  std::vector<Number> numbers;
  if (kind_of(array) == 'u') {
    for (const std::uint64_t number : packed<std::uint64_t>(array, "uint64")) {
      if (number > static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
        refuse(what + " are numbers of 16 bits, and " + std::to_string(number) + " is out of range");
      numbers.push_back(static_cast<Number>(number));
    }
    return numbers;
  }
  for (const std::int64_t number : packed<std::int64_t>(array, "int64")) {
    if (number < std::numeric_limits<Number>::min() || number > std::numeric_limits<Number>::max())
      refuse(what + " are numbers of 16 bits, and " + std::to_string(number) + " is out of range");
    numbers.push_back(static_cast<Number>(number));
  }
  return numbers;
}

// The records of an array whose fields have these names.
nb::object records_of(nb::handle object, const std::string& what, std::initializer_list<const char*> fields,
                      std::size_t dimensions, const char* sides) {
  nb::object array = array_of(object, what, dimensions, sides);
  const nb::object names = array.attr("dtype").attr("names");
  std::string list;
  bool all = !names.is_none();
  for (const char* field : fields) {
    all = all && nb::cast<bool>(names.attr("__contains__")(field)) &&
          shape_of(nb::object(array[field])) == shape_of(array);
    list += (list.empty() ? "" : ", ") + std::string(field);
  }
  if (!all) refuse(what + " are a structured array with the fields " + list + ", a number each");
  return array;
}

ShapeTrees trees_of(nb::handle pixels, nb::handle splits) {
  const nb::object pixel_records = records_of(pixels, "pixels", {"point", "x", "y"}, 2, "(stages, pixels)");
  const nb::object split_records =
      records_of(splits, "splits", {"first", "second", "threshold"}, 3, "(stages, trees, splits)");
  const Lengths pixel_sides = shape_of(pixel_records), split_sides = shape_of(split_records);
  if (pixel_sides[0] != split_sides[0])
    refuse("there are pixels for " + std::to_string(pixel_sides[0]) + " stages, and splits for " +
           std::to_string(split_sides[0]));
  ShapeTrees trees;
  trees.depth = 1;
  while (trees.depth < 30 && trees.splits_per_tree() < split_sides[2]) ++trees.depth;
  if (trees.splits_per_tree() != split_sides[2])
    refuse("a tree has 1, 3, 7, 15 and so on splits, and not " + std::to_string(split_sides[2]));
  trees.stages = static_cast<std::int32_t>(pixel_sides[0]);
  trees.pixels = static_cast<std::int32_t>(pixel_sides[1]);
  trees.trees = static_cast<std::int32_t>(split_sides[1]);
  const auto point = wholes_of<std::uint16_t>(pixel_records["point"], "points of pixels");
  const std::vector<float> x = reals_of<float>(pixel_records["x"], "offsets of pixels"),
                           y = reals_of<float>(pixel_records["y"], "offsets of pixels");
  for (std::size_t i = 0; i < point.size(); ++i) trees.pixel_list.push_back({point[i], {x[i], y[i]}});
  const auto first = wholes_of<std::uint16_t>(split_records["first"], "pixels of splits"),
             second = wholes_of<std::uint16_t>(split_records["second"], "pixels of splits");
  const std::vector<float> threshold = reals_of<float>(split_records["threshold"], "thresholds");
  for (std::size_t i = 0; i < first.size(); ++i) trees.splits.push_back({first[i], second[i], threshold[i]});
  return trees;
}

// Numbers of the model as a read-only array.
template <class Number>
nb::object view_of(const Number* numbers, const Lengths& sides, nb::handle self) {
  return nb::cast(nb::ndarray<nb::numpy, const Number>(numbers, sides.size(), sides.data(), self));
}

std::size_t side(std::int32_t count) { return static_cast<std::size_t>(count); }

// The shape of the leaves: with a basis, a leaf has a number for each vector.
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

// Fills in leaves of whole numbers.
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

void bind_trees(nb::module_& module) {
  nb::class_<ShapeTrees> shown(
      module, "ShapeTrees",
      "The pixels that stages of landmarks read, and the splits of their trees.\n\n"
      "pixel_list: (stages, pixels) with the fields point, x and y. x and y are the offset from that point "
      "of "
      "the\nshape, in sides of the box. splits: (stages, trees, splits) with the fields first, second and\n"
      "threshold. A split goes left if pixel `first` less pixel `second` is above the threshold. The "
      "children\n"
      "of split i are 2 * i + 1 (left) and 2 * i + 2.\n\n"
      ">>> pixels = np.zeros((1, 2), [('point', 'u2'), ('x', 'f4'), ('y', 'f4')])\n"
      ">>> splits = np.zeros((1, 5, 7), [('first', 'u2'), ('second', 'u2'), ('threshold', 'f4')])\n"
      ">>> trees = winnow.ShapeTrees(pixels, splits)\n"
      ">>> trees.stages, trees.trees, trees.pixels, trees.depth\n"
      "(1, 5, 2, 3)");
  def_constructor(
      shown,
      +[](ShapeTrees* self, const AnyArray& pixel_list, const AnyArray& splits) {
        new (self) ShapeTrees(trees_of(pixel_list.object, splits.object));
      },
      nb::arg("pixel_list"), nb::arg("splits"));
  shown.def_ro("stages", &ShapeTrees::stages)
      .def_ro("trees", &ShapeTrees::trees, "The trees of a stage.")
      .def_ro("pixels", &ShapeTrees::pixels, "The pixels that a stage reads.")
      .def_ro("depth", &ShapeTrees::depth, "The splits on the way to a leaf.")
      .def_prop_ro(
          "pixel_list",
          [](nb::handle self) {
            const auto& trees = nb::cast<const ShapeTrees&>(self);
            const auto offset = [](std::size_t at) { return offsetof(ShapePixel, offset) + at; };
            const nb::object type = record_type({{"point", "u2", offsetof(ShapePixel, point)},
                                                 {"x", "f4", offset(offsetof(ShapePoint, x))},
                                                 {"y", "f4", offset(offsetof(ShapePoint, y))}},
                                                sizeof(ShapePixel));
            return records(std::span<const ShapePixel>(trees.pixel_list), type, self)
                .attr("reshape")(trees.stages, trees.pixels);
          },
          nb::sig("def pixel_list(self) -> numpy.typing.NDArray[numpy.void]"),
          "(stages, pixels), with the fields point, x and y.")
      .def_prop_ro(
          "splits",
          [](nb::handle self) {
            const auto& trees = nb::cast<const ShapeTrees&>(self);
            const nb::object type = record_type({{"first", "u2", offsetof(ShapeSplit, first)},
                                                 {"second", "u2", offsetof(ShapeSplit, second)},
                                                 {"threshold", "f4", offsetof(ShapeSplit, threshold)}},
                                                sizeof(ShapeSplit));
            return records(std::span<const ShapeSplit>(trees.splits), type, self)
                .attr("reshape")(trees.stages, trees.trees, trees.splits_per_tree());
          },
          nb::sig("def splits(self) -> numpy.typing.NDArray[numpy.void]"),
          "(stages, trees, splits), with the fields first, second and threshold.")
      .def(
          "__eq__",
          [](const ShapeTrees& a, nb::handle b) {
            const ShapeTrees* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a == *other;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const ShapeTrees& trees) {
        return "ShapeTrees(" + std::to_string(trees.stages) + (trees.stages == 1 ? " stage, " : " stages, ") +
               std::to_string(trees.trees) + (trees.trees == 1 ? " tree, " : " trees, ") +
               std::to_string(trees.pixels) + (trees.pixels == 1 ? " pixel)" : " pixels)");
      });
  shown.attr("__hash__") = nb::none();
}

void bind_confidence(nb::module_& module) {
  nb::class_<PointConfidence> shown(
      module, "PointConfidence",
      "How sure landmarks are of each point. One more stage of trees gives each point a sum. With presence, "
      "lists\nhave one more number behind those of the points: for the probability that the box shows what "
      "the model\nwas trained for.\n\n"
      "leaves: (trees, leaves, points), whole numbers of 16 bits in units of 2 ** -unit_bits. A point is "
      "right\n"
      "with the probability 1 / (1 + exp(-(slope * sum + shift))). Right means within `distance` of the\n"
      "distance between the pupils.\n\n"
      ">>> pixels = np.zeros((1, 2), [('point', 'u2'), ('x', 'f4'), ('y', 'f4')])\n"
      ">>> splits = np.zeros((1, 1, 1), [('first', 'u2'), ('second', 'u2'), ('threshold', 'f4')])\n"
      ">>> leaves = np.zeros((1, 2, 3), np.int16)\n"
      ">>> winnow.PointConfidence(winnow.ShapeTrees(pixels, splits), leaves, 10, [1] * 3, [0] * 3).distance\n"
      "0.05");
  def_constructor(
      shown,
      +[](PointConfidence* self, const ShapeTrees& trees, const AnyArray& leaves, int unit_bits,
          const AnyArray& slope, const AnyArray& shift, double distance) {
        if (trees.stages != 1) refuse("the confidence must have one stage");
        PointConfidence confidence;
        confidence.trees = trees;
        const nb::object slopes = array_of(slope.object, "slopes", 1, "(points,)");
        confidence.slope = reals_of<float>(slopes, "slopes");
        const std::size_t points = confidence.slope.size();
        const nb::object shifts = array_of(shift.object, "shifts", 1, "(points,)");
        check_shape(shifts, "shifts", {points}, "(points,)");
        confidence.shift = reals_of<float>(shifts, "shifts");
        const nb::object numbers = numpy("asarray")(leaves.object);
        check_shape(numbers, "leaves", {side(trees.trees), trees.leaves_per_tree(), points},
                    "(trees, leaves, points)");
        confidence.leaves = {
            static_cast<std::int32_t>(points), {unit_bits}, wholes_of<std::int16_t>(numbers, "leaves"), {}};
        confidence.distance = distance;
        new (self) PointConfidence(std::move(confidence));
      },
      nb::arg("trees"), nb::arg("leaves"), nb::arg("unit_bits"), nb::arg("slope"), nb::arg("shift"),
      nb::arg("distance") = PointConfidence().distance);
  shown
      .def_prop_ro(
          "trees", [](const PointConfidence& self) -> const ShapeTrees& { return self.trees; },
          nb::rv_policy::reference_internal, "One stage.")
      .def_prop_ro(
          "leaves",
          [](nb::handle self) {
            const auto& confidence = nb::cast<const PointConfidence&>(self);
            const ShapeTrees& trees = confidence.trees;
            return view_of(confidence.leaves.numbers.data(),
                           {side(trees.trees), trees.leaves_per_tree(), side(confidence.leaves.values)},
                           self);
          },
          nb::sig("def leaves(self) -> numpy.typing.NDArray[numpy.int16]"), "(trees, leaves, points)")
      .def_prop_ro(
          "unit_bits", [](const PointConfidence& self) { return self.leaves.unit_bits.at(0); },
          "Numbers of leaves are in units of 2 ** -unit_bits.")
      .def_prop_ro(
          "slope",
          [](nb::handle self) {
            const std::vector<float>& slope = nb::cast<const PointConfidence&>(self).slope;
            return view_of(slope.data(), {slope.size()}, self);
          },
          nb::sig("def slope(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def_prop_ro(
          "shift",
          [](nb::handle self) {
            const std::vector<float>& shift = nb::cast<const PointConfidence&>(self).shift;
            return view_of(shift.data(), {shift.size()}, self);
          },
          nb::sig("def shift(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def_ro("distance", &PointConfidence::distance,
              "How near a right point is, as a fraction of the distance between the pupils.")
      .def(
          "__eq__",
          [](const PointConfidence& a, nb::handle b) {
            const PointConfidence* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a == *other;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const PointConfidence& self) {
        return "PointConfidence(" + std::to_string(self.slope.size()) +
               (self.slope.size() == 1 ? " point, " : " points, ") + std::to_string(self.trees.trees) +
               (self.trees.trees == 1 ? " tree)" : " trees)");
      });
  shown.attr("__hash__") = nb::none();
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
          "The bytes of a file: 'winnow', or 'dlib' for leaves of floats without confidence or a place of "
          "boxes.\n\n"
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
          "Writes a file, in place of one that is there. Its ending, .winnow or .dat, gives the format, "
          "unless "
          "it is named.\n\n"
          ">>> winnow.Landmarks.load('points.winnow').save('points.dat')")
      .def("with_16_bits", &Landmarks::with_16_bits, nb::call_guard<nb::gil_scoped_release>(),
           "The same model with leaves of 16 bits, which has a smaller file and is faster. Points move a "
           "little.\n\n"
           ">>> winnow.Landmarks.load('points.winnow').with_16_bits().leaves.dtype\n"
           "dtype('int16')")
      .def("for_face_boxes", &Landmarks::for_face_boxes, nb::call_guard<nb::gil_scoped_release>(),
           "The same model for boxes of the detector `face`. dlib's file, and a model made of it, gets the\n"
           "place that suits models of dlib's boxes. Models that Winnow trained stay as they are.\n\n"
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
          "The shape that each fit begins with, (points, 2): (0, 0) is the middle of the box's first pixel, "
          "(1, 1) of its last.")
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
          "For each stage: whole numbers of leaves are in units of 2 ** -unit_bits. None for floats.")
      .def_prop_ro(
          "basis", [](nb::handle self) { return basis_of(self); },
          nb::sig("def basis(self) -> numpy.typing.NDArray[numpy.int16] | None"),
          "The vectors that leaves are combinations of, (stages, vectors, points, 2), in units of 2 ** -14. "
          "None\nif leaves hold coordinates.")
      .def_prop_ro(
          "turned", [](const Landmarks& self) { return self.model().turned; },
          "Whether what a stage adds turns with the shape; only with whole numbers.")
      .def_prop_ro(
          "confidence",
          [](const Landmarks& self) {
            const std::optional<PointConfidence>& confidence = self.model().confidence;
            return confidence ? &*confidence : nullptr;
          },
          nb::rv_policy::reference_internal, nb::sig("def confidence(self) -> PointConfidence | None"),
          "How the model rates its points; None if it does not.")
      .def_prop_ro(
          "has_presence", [](const Landmarks& self) { return self.model().has_presence(); },
          "Whether the model knows how likely a box shows what it was trained for: `Shape.presence`.")
      .def_prop_ro(
          "detector", [](const Landmarks& self) { return text_of(self.model().detector); },
          "The built-in detector whose boxes the model takes; \"\" if unknown.")
      .def_prop_ro(
          "place",
          [](const Landmarks& self) {
            const BoxPlace& place = self.model().place;
            return Place(place.scale, place.right, place.down);
          },
          "(scale, right, down): how boxes are moved before a fit. The middle moves by fractions of a side, "
          "then\nthe sides are scaled.");
}

}  // namespace

void bind_landmarks(nb::module_& module) {
  bind_trees(module);
  bind_confidence(module);
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
