#include <winnow/detector.h>

#include <limits>
#include <utility>

#include "detection.h"
#include "machine_arguments.h"
#include "model_argument.h"
#include "shared_detector.h"
#include "values.h"

namespace winnow::python {
namespace {

constexpr double kAnyScore = -std::numeric_limits<double>::infinity();

DetectOptions options_of(double scale_factor, int min_neighbors, Size min_size, Size max_size, bool raw,
                         double min_score, Sides step, bool gray, const std::string& merge, double border,
                         Sides padding, std::vector<PixelPoint> locations, int max_levels, bool clip) {
  return {scale_factor, min_neighbors, min_size,           max_size, raw,          min_score,
          step.size,    gray,          parse_merge(merge), border,   padding.size, std::move(locations),
          max_levels,   clip};
}

#define WINNOW_SEARCH_PARAMETERS                                                                    \
  const std::optional<std::string>&channels, double scale_factor, int min_neighbors, Size min_size, \
      Size max_size, bool raw, double min_score, Sides step, bool gray, const std::string &merge,   \
      double border, Sides padding, std::vector<PixelPoint> locations, int max_levels, bool clip
#define WINNOW_SEARCH_OPTIONS                                                                                \
  parse_channels(channels),                                                                                  \
      options_of(scale_factor, min_neighbors, min_size, max_size, raw, min_score, step, gray, merge, border, \
                 padding, std::move(locations), max_levels, clip)
#define WINNOW_SEARCH_ARGUMENTS                                                                            \
  nb::kw_only(), nb::arg("channels") = nb::none(), nb::arg("scale_factor") = DetectOptions().scale_factor, \
                 nb::arg("min_neighbors") = DetectOptions().min_neighbors, nb::arg("min_size") = Size(),   \
                 nb::arg("max_size") = Size(), nb::arg("raw") = false, nb::arg("min_score") = kAnyScore,   \
                 nb::arg("step") = Sides(), nb::arg("gray") = false,                                       \
                 nb::arg("merge") = merge_name(DetectOptions().merge),                                     \
                 nb::arg("border") = DetectOptions().border, nb::arg("padding") = Sides(),                 \
                 nb::arg("locations") = std::vector<PixelPoint>(),                                         \
                 nb::arg("max_levels") = DetectOptions().max_levels, nb::arg("clip") = DetectOptions().clip

template <class List>
std::vector<Detections> detect_all(SharedDetector& self, const List& pictures, WINNOW_SEARCH_PARAMETERS) {
  return self.detect_all(pictures, WINNOW_SEARCH_OPTIONS);
}

}  // namespace

void bind_detector(nb::module_& module) {
  nb::class_<SharedDetector>(
      module, "Detector",
      "Finds objects in pictures. The answer is the same on every backend, for every number of threads and "
      "devices. Threads may share a detector, and then wait for each other; for speed give each its own.\n\n"
      ">>> detector = winnow.Detector('face', backend='cpu', threads=2)\n"
      ">>> detector\n"
      "Detector(face, cpu, 2 threads)")
      .def(
          "__init__",
          [](SharedDetector* self, nb::handle model, WINNOW_MACHINE_PARAMETERS) {
            DetectorModel loaded = parse_model(model);
            const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
            const nb::gil_scoped_release free;
            new (self) SharedDetector(std::move(loaded), machine);
          },
          nb::arg("model"), nb::kw_only(), WINNOW_MACHINE_ARGUMENTS,
          nb::sig("def __init__(self, model: str | os.PathLike[str] | DetectorModel | Cascade | HogSvm, *, "
                  "backend: str = "
                  "'auto', threads: int = 0, devices: collections.abc.Sequence[int] = (0,)) -> None"))
      .def("detect", &detect_all<nb::list>, nb::arg("pictures"), WINNOW_SEARCH_ARGUMENTS)
      .def("detect", &detect_all<nb::tuple>, nb::arg("pictures"), WINNOW_SEARCH_ARGUMENTS)
      .def(
          "detect",
          [](SharedDetector& self, nb::handle picture, WINNOW_SEARCH_PARAMETERS) {
            return self.detect(picture, WINNOW_SEARCH_OPTIONS);
          },
          nb::arg("picture").none(), WINNOW_SEARCH_ARGUMENTS,
          "Finds the objects in a picture, or in each picture of a list or tuple.\n\n"
          "A picture is a `Picture`, or an array of uint8 with any strides: (height, width) of grey, or\n"
          "(height, width, 3) of colour, with channels='rgb' or channels='bgr'. Grey pictures may lie on a\n"
          "device (DLPack or __cuda_array_interface__) if the backend is cuda.\n\n"
          "scale_factor: from one level to the next. min_neighbors: an object of n windows is kept if n is "
          "larger.\n"
          "raw: give the windows that pass, not merged; min_neighbors=0 does the same with merge='groups'.\n"
          "min_size, max_size: of objects, (width, height) in pixels. min_score: objects with a lower score "
          "are\n"
          "dropped. step: pixels between windows, for HOG models. gray: leave colour unread. merge: "
          "'groups', "
          "or\n"
          "'meanshift'. border: mirror the picture beyond its edges by this part of its longer side, to find "
          "objects\n"
          "that fill it.\n\n"
          ">>> detector = winnow.Detector('face', backend='cpu')\n"
          ">>> picture = winnow.read_picture('photo.jpg')\n"
          ">>> detector.detect(picture.gray, min_size=(40, 40))\n"
          "Detections(1 object in 512x512, cpu)\n"
          ">>> detector.detect([picture.gray, picture.gray[:200, :200]])\n"
          "[Detections(1 object in 512x512, cpu), Detections(0 objects in 200x200, cpu)]")
      .def(
          "enqueue",
          [](SharedDetector& self, nb::handle picture, WINNOW_SEARCH_PARAMETERS) {
            self.enqueue(picture, WINNOW_SEARCH_OPTIONS);
          },
          nb::arg("picture").none(), WINNOW_SEARCH_ARGUMENTS,
          "Starts the search of one picture; `collect` gives the answers in order. A picture on a device or "
          "in\n"
          "pinned memory must stay as it is until then.\n\n"
          ">>> detector = winnow.Detector('face', backend='cpu')\n"
          ">>> detector.enqueue(winnow.read_picture('photo.jpg'))\n"
          ">>> detector.pending, len(detector.collect())\n"
          "(1, 1)")
      .def("collect", &SharedDetector::collect,
           "Waits for the oldest search that `enqueue` started.\n\n"
           ">>> detector = winnow.Detector('face', backend='cpu')\n"
           ">>> detector.enqueue(winnow.read_picture('photo.jpg'))\n"
           ">>> detector.collect()\n"
           "Detections(1 object in 512x512, cpu)")
      .def_prop_ro("pending", &SharedDetector::pending,
                   "Searches that `enqueue` started and `collect` has not given.")
      .def_prop_ro_static("most_pending", [](nb::handle) { return Detector::most_pending(); })
      .def_prop_ro("model", [](const SharedDetector& self) { return self.detector().model(); })
      .def_prop_ro(
          "backend", [](const SharedDetector& self) { return backend_name(self.detector().backend()); },
          "Which backend `auto` chose.")
      .def_prop_ro("threads", [](const SharedDetector& self) { return self.detector().threads(); })
      .def_prop_ro(
          "simd", [](const SharedDetector& self) { return self.detector().simd(); },
          "The SIMD target of the backend `cpu`, else \"\".")
      .def("__repr__", [](const SharedDetector& self) {
        const Detector& detector = self.detector();
        return text_of("Detector(" + detector.model().name() + ", " + backend_name(detector.backend()) +
                       ", " + std::to_string(detector.threads()) +
                       (detector.threads() == 1 ? " thread)" : " threads)"));
      });

  module.def(
      "group_boxes",
      [](nb::handle objects, int min_neighbors, double eps) {
        const std::vector<Detection> candidates = parse_detections(objects);
        std::vector<Detection> groups;
        {
          const nb::gil_scoped_release free;
          groups = group_boxes(candidates, min_neighbors, eps);
        }
        return detection_records(groups);
      },
      nb::arg("objects"), nb::arg("min_neighbors"), nb::arg("eps") = 0.2,
      nb::sig("def group_boxes(objects: object, min_neighbors: int, eps: float = 0.2) -> "
              "numpy.typing.NDArray[numpy.void]"),
      "Merges similar boxes as OpenCV's groupRectangles does; groups of min_neighbors or fewer are "
      "dropped.\n\n"
      ">>> winnow.group_boxes([(10, 10, 20, 20), (11, 11, 20, 20)], 1)['neighbors']\n"
      "array([2], dtype=int32)");

  module.def(
      "mean_shift_boxes",
      [](nb::handle objects, int min_neighbors, bool weigh_by_score) {
        const std::vector<Detection> candidates = parse_detections(objects);
        std::vector<Detection> merged;
        {
          const nb::gil_scoped_release free;
          merged = mean_shift_boxes(candidates, min_neighbors,
                                    weigh_by_score ? WeightRule::kScore : WeightRule::kOne);
        }
        return detection_records(merged);
      },
      nb::arg("objects"), nb::arg("min_neighbors"), nb::kw_only(), nb::arg("weigh_by_score") = false,
      nb::sig("def mean_shift_boxes(objects: object, min_neighbors: int, *, weigh_by_score: bool = False) -> "
              "numpy.typing.NDArray[numpy.void]"),
      "Merges boxes by mean shift, as merge='meanshift' does: the boxes at one peak of their density become "
      "an\n"
      "object. Objects of min_neighbors boxes or fewer are dropped. weigh_by_score: boxes weigh their score, "
      "as for\n"
      "HOG models, and those of 0 or less nothing.\n\n"
      ">>> winnow.mean_shift_boxes([(10, 10, 40, 80), (14, 10, 40, 80)], 1)['x']\n"
      "array([12], dtype=int32)");
}

}  // namespace winnow::python
