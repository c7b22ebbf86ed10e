// Binds `ShapeTrees` and `PointConfidence`: what models of landmarks consist of, from arrays.
#include <winnow/landmarks.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays/number_arrays.h"
#include "arrays/records.h"
#include "constructor.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

// Converts the object to a structured array with these fields. kUsage if a field is missing, or has more
// than one number in each record. `what` and `sides` are for the errors of `array_of`.
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
      .def_ro("trees", &ShapeTrees::trees, "The number of trees of a stage.")
      .def_ro("pixels", &ShapeTrees::pixels, "The number of pixels that a stage reads.")
      .def_ro("depth", &ShapeTrees::depth, "The number of splits on the way to a leaf.")
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
      "How sure landmarks are of each point. One more stage of trees gives each point a sum. With\n"
      "presence, leaves, slope and shift have one more number behind those of the points: it gives the\n"
      "probability that the box shows what the model was trained for.\n\n"
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
          nb::rv_policy::reference_internal, "The trees of the confidence, which have one stage.")
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
          "The numbers in leaves count units of 2 ** -unit_bits.")
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

}  // namespace

void bind_shape_trees(nb::module_& module) {
  bind_trees(module);
  bind_confidence(module);
}

}  // namespace winnow::python
