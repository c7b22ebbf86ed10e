#include "detecting/detection.h"

#include <winnow/error.h>

#include <cstddef>
#include <cstring>
#include <utility>

#include "arrays/records.h"
#include "values.h"

namespace winnow::python {
namespace {

// NumPy's type of a record that holds a `Detection`. It is made once, and never freed.
nb::handle detection_type() {
  static const nb::handle type = [] {
    const auto side = [](std::size_t offset) { return offsetof(Detection, box) + offset; };
    return record_type({{"x", "i4", side(offsetof(Box, x))},
                        {"y", "i4", side(offsetof(Box, y))},
                        {"width", "i4", side(offsetof(Box, width))},
                        {"height", "i4", side(offsetof(Box, height))},
                        {"score", "f8", offsetof(Detection, score)},
                        {"neighbors", "i4", offsetof(Detection, neighbors)}},
                       sizeof(Detection))
        .release();
  }();
  return type;
}

// Whether `object` is a list or tuple of Python's `Detection`.
bool is_list_of_detections(nb::handle object) {
  if (!PyList_Check(object.ptr()) && !PyTuple_Check(object.ptr())) return false;
  return nb::len(object) > 0 && nb::isinstance(nb::object(object[0]), detection_class());
}

std::string describe(const Counters& counters) {
  const std::vector<std::int64_t>& reached = counters.reached;
  return "Counters(windows=" + std::to_string(counters.windows) +
         ", skipped=" + std::to_string(counters.skipped) + ", flat=" + std::to_string(counters.flat) +
         (reached.empty() ? std::string() : ", passed=" + std::to_string(reached.back())) +
         ", weak=" + std::to_string(counters.weak) + ")";
}

}  // namespace

nb::handle detection_class() {
  static const nb::handle found =
      nb::object(nb::module_::import_("winnow._detection").attr("Detection")).release();
  return found;
}

nb::object detection_records(std::span<const Detection> objects) {
  // A copy whose padding is zero, so that equal answers have equal bytes.
  constexpr std::size_t kUsed = offsetof(Detection, neighbors) + sizeof(int);
  auto* const kept = new std::vector<std::uint8_t>(objects.size() * sizeof(Detection));
  const nb::capsule owner(kept,
                          [](void* at) noexcept { delete static_cast<std::vector<std::uint8_t>*>(at); });
  for (std::size_t i = 0; i < objects.size(); ++i)
    std::memcpy(kept->data() + i * sizeof(Detection), &objects[i], kUsed);
  static std::uint8_t none = 0;
  const nb::object flat = nb::cast(
      nb::ndarray<nb::numpy, std::uint8_t>(kept->empty() ? &none : kept->data(), {kept->size()}, owner));
  return flat.attr("view")(detection_type());
}

std::vector<Detection> parse_detections(nb::handle object) {
  const Detections* found = nullptr;
  if (nb::try_cast(object, found) && found != nullptr) return found->objects;
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object array = is_list_of_detections(object)
                         ? numpy.attr("array")(nb::list(object), nb::arg("dtype") = detection_type())
                         : numpy.attr("asarray")(object);
  if (array.attr("dtype").attr("names").is_none()) {
    // Boxes without scores. An empty list has no second dimension.
    if (nb::cast<std::size_t>(array.attr("size")) == 0) return {};
    if (nb::cast<int>(array.attr("ndim")) != 2 || nb::cast<int>(array.attr("shape")[1]) != 4)
      throw Error(ErrorCode::kUsage,
                  "boxes are an array (n, 4) of x, y, width and height, or records of objects");
    if (nb::cast<std::string>(array.attr("dtype").attr("kind")).find_first_of("iu") != 0)
      throw Error(ErrorCode::kUsage, "boxes are whole numbers");
    std::vector<Detection> boxes;
    for (const nb::handle row : array.attr("tolist")()) {
      Box box;
      if (!nb::try_cast(row, box)) throw Error(ErrorCode::kUsage, "a box has a number of more than 32 bits");
      boxes.push_back({box, 0, 1});
    }
    return boxes;
  }
  const nb::object names = detection_type().attr("names");
  const nb::set fields(nb::object(array.attr("dtype").attr("names")));
  if (nb::cast<int>(array.attr("ndim")) != 1 || !nb::cast<bool>(fields.attr("issuperset")(names)))
    throw Error(
        ErrorCode::kUsage,
        "records of objects are an array (n,) with the fields x, y, width, height, score and neighbors");
  // NumPy assigns the fields of records by their order, so this order is made first.
  array = numpy.attr("ascontiguousarray")(array[nb::list(names)].attr("astype")(detection_type()));
  const nb::object bytes = array.attr("tobytes")();
  const auto count = nb::len(array);
  std::vector<Detection> objects(count);
  if (count > 0) std::memcpy(objects.data(), PyBytes_AsString(bytes.ptr()), count * sizeof(Detection));
  return objects;
}

std::vector<Box> parse_boxes(nb::handle object) {
  std::vector<Box> boxes;
  for (const Detection& each : parse_detections(object)) boxes.push_back(each.box);
  return boxes;
}

void bind_detection(nb::module_& module) {
  nb::class_<Counters> counters(
      module, "Counters",
      "Counters of the search of one picture, the same on every backend. For a cascade, "
      "windows = skipped + flat + reached[0].");
  counters.def_ro("windows", &Counters::windows, "Windows on the grids of all levels.")
      .def_ro("skipped", &Counters::skipped,
              "Windows not visited, because the first stage rejected the window before in the row.")
      .def_ro("flat", &Counters::flat, "Windows rejected before any stage, for lack of contrast.")
      .def_ro("reached", &Counters::reached,
              "For each stage, the number of windows that entered the stage. The last number counts the\n"
              "windows that passed all stages.")
      .def_ro("weak", &Counters::weak,
              "Weak classifiers in all stages that a window entered, summed over all windows.")
      .def(
          "__eq__",
          [](const Counters& a, nb::handle b) {
            const Counters* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a.same_answer(*other);
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const Counters& shown) { return describe(shown); });
  counters.attr("__hash__") = nb::none();
}

}  // namespace winnow::python
