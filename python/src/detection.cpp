#include "detection.h"

#include <winnow/error.h>

#include <cstddef>
#include <cstring>
#include <utility>

#include "records.h"
#include "values.h"

namespace winnow::python {
namespace {

constexpr const char* kObjectArray = "numpy.typing.NDArray[numpy.void]";

// The records of `Detection`. Made once, and never freed.
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

const Detections& detections(nb::handle self) { return nb::cast<const Detections&>(self); }

nb::object column(nb::handle self, const char* name) {
  const nb::object objects = detection_records(detections(self).objects);
  return nb::object(objects[name]);
}

std::string describe(const Detections& found) {
  return "Detections(" + std::to_string(found.objects.size()) +
         (found.objects.size() == 1 ? " object" : " objects") + " in " + std::to_string(found.picture.width) +
         "x" + std::to_string(found.picture.height) + ", " + found.backend + ")";
}

std::string describe(const Counters& counters) {
  const std::vector<std::int64_t>& reached = counters.reached;
  return "Counters(windows=" + std::to_string(counters.windows) +
         ", skipped=" + std::to_string(counters.skipped) + ", flat=" + std::to_string(counters.flat) +
         (reached.empty() ? std::string() : ", passed=" + std::to_string(reached.back())) +
         ", weak=" + std::to_string(counters.weak) + ")";
}

}  // namespace

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
  nb::object array = numpy.attr("asarray")(object);
  if (array.attr("dtype").attr("names").is_none()) {
    // Boxes alone. An empty list has no second dimension.
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
  array = numpy.attr("ascontiguousarray")(array.attr("astype")(detection_type()));
  const nb::object bytes = array.attr("tobytes")();
  const auto count = nb::len(array);
  std::vector<Detection> objects(count);
  if (count > 0) std::memcpy(objects.data(), PyBytes_AsString(bytes.ptr()), count * sizeof(Detection));
  return objects;
}

void bind_detection(nb::module_& module) {
  nb::class_<Counters>(module, "Counters",
                       "Counters of the search of one picture, the same on every backend. For a cascade, "
                       "windows = skipped + flat + reached[0].")
      .def_ro("windows", &Counters::windows, "Windows on the grids of all levels.")
      .def_ro("skipped", &Counters::skipped,
              "Windows not visited, since the first stage rejected the one before.")
      .def_ro("flat", &Counters::flat, "Windows rejected before any stage, for lack of contrast.")
      .def_ro("reached", &Counters::reached,
              "Windows that entered each stage; at the end those that passed all.")
      .def_ro("weak", &Counters::weak, "Weak classifiers of all stages that windows entered.")
      .def(
          "__eq__",
          [](const Counters& a, nb::handle b) {
            const Counters* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a.same_answer(*other);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const Counters& counters) { return describe(counters); });

  nb::class_<Detections>(module, "Detections",
                         "What was found in one picture.\n\n"
                         ">>> found = winnow.Detector('face').detect(winnow.read_picture('photo.jpg'))\n"
                         ">>> len(found)\n"
                         "1\n"
                         ">>> found.boxes.tolist()\n"
                         "[[164, 101, 204, 204]]")
      .def("__len__", [](const Detections& found) { return found.objects.size(); })
      .def_prop_ro(
          "objects", [](nb::handle self) { return detection_records(detections(self).objects); },
          nb::sig((std::string("def objects(self) -> ") + kObjectArray).c_str()),
          "A structured array with the fields x, y, width, height, score and neighbors: a copy of your own.")
      .def_prop_ro(
          "boxes",
          [](nb::handle self) {
            const std::vector<Detection>& objects = detections(self).objects;
            static const int none = 0;
            constexpr auto kRecord = static_cast<std::int64_t>(sizeof(Detection) / sizeof(int));
            return nb::cast(nb::ndarray<nb::numpy, const int>(objects.empty() ? &none : &objects[0].box.x,
                                                              {objects.size(), 4}, self, {kRecord, 1}));
          },
          nb::sig("def boxes(self) -> numpy.typing.NDArray[numpy.int32]"),
          "The boxes as (n, 4): x, y, width, height; read-only.")
      .def_prop_ro(
          "scores", [](nb::handle self) { return column(self, "score"); },
          nb::sig("def scores(self) -> numpy.typing.NDArray[numpy.float64]"),
          "The scores. The larger, the surer; their zero and unit belong to the model.")
      .def_prop_ro(
          "neighbors", [](nb::handle self) { return column(self, "neighbors"); },
          nb::sig("def neighbors(self) -> numpy.typing.NDArray[numpy.int32]"),
          "How many windows were merged into each object.")
      .def_prop_ro(
          "counters", [](const Detections& found) -> const Counters& { return found.counters; },
          nb::rv_policy::reference_internal)
      .def_prop_ro("backend", [](const Detections& found) { return found.backend; })
      .def_prop_ro(
          "picture", [](const Detections& found) { return found.picture; }, "The picture's (width, height).")
      .def("__repr__", [](const Detections& found) { return describe(found); });
}

}  // namespace winnow::python
