// Binds `Detector` and the functions that merge boxes.
#include <winnow/detector.h>

#include <utility>

#include "constructor.h"
#include "detecting/detection.h"
#include "detecting/search_arguments.h"
#include "detecting/shared_detector.h"
#include "machine_arguments.h"
#include "models/model_argument.h"
#include "typed.h"

namespace winnow::python {
namespace {

// A form of `detect` for the type stubs, by the types of pictures and answer. At run time any form takes all
// pictures.
template <class Pictures, class Answer>
Answer detect(SharedDetector& self, const Pictures& pictures, WINNOW_SEARCH_PARAMETERS) {
  const Search search = search_of(WINNOW_SEARCH_VALUES);
  return {self.search(pictures.object, search.channels, search.options)};
}

}  // namespace

void bind_detector(nb::module_& module) {
  nb::class_<SharedDetector> shown(
      module, "Detector",
      "Finds objects in pictures. The answer is the same on every backend, for every number of threads and "
      "devices. Threads may share a detector, and then wait for each other; for speed give each its own.\n\n"
      ">>> detector = winnow.Detector('face', backend='cpu', threads=2)\n"
      ">>> detector\n"
      "Detector(face, cpu, 2 threads)");
  def_constructor(
      shown,
      +[](SharedDetector* self, const AnyModel& model, WINNOW_MACHINE_PARAMETERS) {
        DetectorModel loaded = parse_model(model.object);
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const nb::gil_scoped_release free;
        new (self) SharedDetector(std::move(loaded), machine);
      },
      nb::arg("model"), nb::kw_only(), WINNOW_MACHINE_ARGUMENTS);
  shown.def("detect", &detect<PlainPicture, OneAnswer>, nb::arg("picture"), WINNOW_SEARCH_ARGUMENTS)
      .def("detect", &detect<ManyPictures, ManyAnswers>, nb::arg("pictures"), WINNOW_SEARCH_ARGUMENTS)
      .def(
          "detect", &detect<AnyPicture, OneAnswer>, nb::arg("picture").none(), WINNOW_SEARCH_ARGUMENTS,
          "Finds the objects in a picture, or in each of many pictures.\n\n"
          "A picture is a path, a `Picture`, a Pillow image, the bytes of a file, or an array of uint8 with "
          "any\n"
          "strides: (height, width) of grey, or (height, width, 3) of colour with channels='rgb' or\n"
          "channels='bgr'. Grey arrays may lie on a device (DLPack or __cuda_array_interface__) if the "
          "backend\n"
          "is cuda. Many pictures are a list, a tuple or any iterator of them, or an array (n, height, "
          "width) or\n"
          "(n, height, width, 3). The answer is then a list. An iterator is read part by part.\n\n"
          "Keywords that are None take the model's value (`search_defaults`). scale_factor: from one level "
          "to\n"
          "the next. enlarge: 1 to 4; also search the picture enlarged up to so much, for small objects.\n"
          "min_neighbors: an object of n windows is kept if n is larger. raw: give the windows that pass, "
          "not\n"
          "merged; min_neighbors=0 does the same with merge='groups'. min_size, max_size: of windows, "
          "(width,\n"
          "height) in pixels; if no size of a cascade's lies between them, the nearest is searched, as "
          "OpenCV\n"
          "does. min_score: objects with a lower score are dropped, for HOG models windows. min_support: "
          "with\n"
          "merge='support', objects with less support are dropped. step: pixels between windows, along rows\n"
          "and columns, for HOG models. gray: leave colour unread. merge: 'groups', 'meanshift' or "
          "'support'.\n"
          "border: mirror the picture beyond its edges by this fraction of its longer side, to find objects\n"
          "that fill it. For SVMs: padding lets windows begin so many pixels outside; locations are the\n"
          "corners of the windows to judge instead of a search, and an empty list is a search; add raw=True\n"
          "to get each of them back. max_levels limits the sizes. clip: cut boxes to the picture. region: "
          "(x,\n"
          "y, width, height) of the section of the picture to search; boxes still count from the picture's\n"
          "corner.\n\n"
          ">>> detector = winnow.Detector('face', backend='cpu')\n"
          ">>> detector.detect('photo.jpg', min_size=(40, 40))\n"
          "Detections(1 object in 512x512, cpu)\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> detector.detect([gray, gray[:200, :200]])\n"
          "[Detections(1 object in 512x512, cpu), Detections(0 objects in 200x200, cpu)]")
      .def(
          "enqueue",
          [](SharedDetector& self, const AnyPicture& picture, WINNOW_SEARCH_PARAMETERS) {
            const Search search = search_of(WINNOW_SEARCH_VALUES);
            self.enqueue(picture.object, search.channels, search.options);
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
          "backend",
          [](const SharedDetector& self) { return BackendWord{backend_name(self.detector().backend())}; },
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
      [](const AnyDetections& objects, int min_neighbors, double eps) -> RecordArray {
        const std::vector<Detection> candidates = parse_detections(objects.object);
        std::vector<Detection> groups;
        {
          const nb::gil_scoped_release free;
          groups = group_boxes(candidates, min_neighbors, eps);
        }
        return {detection_records(groups)};
      },
      nb::arg("objects"), nb::arg("min_neighbors"), nb::arg("eps") = 0.2,
      "Merges similar boxes as OpenCV's groupRectangles does; groups of min_neighbors or fewer are "
      "dropped.\n\n"
      ">>> winnow.group_boxes([(10, 10, 20, 20), (11, 11, 20, 20)], 1)['neighbors']\n"
      "array([2], dtype=int32)");

  module.def(
      "mean_shift_boxes",
      [](const AnyDetections& objects, int min_neighbors, bool weigh_by_score) -> RecordArray {
        const std::vector<Detection> candidates = parse_detections(objects.object);
        std::vector<Detection> merged;
        {
          const nb::gil_scoped_release free;
          merged = mean_shift_boxes(candidates, min_neighbors,
                                    weigh_by_score ? WeightRule::kScore : WeightRule::kEqual);
        }
        return {detection_records(merged)};
      },
      nb::arg("objects"), nb::arg("min_neighbors"), nb::kw_only(), nb::arg("weigh_by_score") = false,
      "Merges boxes by mean shift, as merge='meanshift' does: the boxes at one peak of their density become "
      "an\n"
      "object. Objects of min_neighbors boxes or fewer are dropped. weigh_by_score: boxes weigh their score, "
      "as for\n"
      "HOG models, and those of 0 or less nothing.\n\n"
      ">>> winnow.mean_shift_boxes([(10, 10, 40, 80), (14, 10, 40, 80)], 1)['x']\n"
      "array([12], dtype=int32)");

  module.def(
      "support_boxes",
      [](const AnyDetections& objects, int min_neighbors, double floor) -> RecordArray {
        const std::vector<Detection> candidates = parse_detections(objects.object);
        std::vector<Detection> merged;
        {
          const nb::gil_scoped_release free;
          merged = support_boxes(candidates, min_neighbors, floor);
        }
        return {detection_records(merged)};
      },
      nb::arg("objects"), nb::arg("min_neighbors"), nb::kw_only(), nb::arg("floor") = 0.0,
      "Merges boxes by support, as merge='support' does: the box that most others nearly coincide with "
      "takes\n"
      "all that lie on it. A box weighs its score less floor, or 1 if floor is -inf. An object's score is "
      "its\n"
      "support. Objects of min_neighbors boxes or fewer are dropped.\n\n"
      ">>> boxes = [(10, 10, 40, 80), (11, 10, 40, 80), (12, 10, 40, 80), (10, 40, 20, 40)]\n"
      ">>> winnow.support_boxes(boxes, 1, floor=float('-inf'))['x']\n"
      "array([11], dtype=int32)");
}

}  // namespace winnow::python
