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

// A form of `detect` for the type stubs: its types tell what a call gives for one picture and for many. At
// run time each form takes pictures of every kind.
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
          "Keywords that are None take the model's value (`search_defaults`).\n\n"
          "- `scale_factor`: the ratio of the sizes of neighbouring levels.\n"
          "- `enlarge`, 1 to 4: the picture is also searched enlarged, up to this factor, for small\n"
          "  objects.\n"
          "- `min_neighbors`: an object that was merged of n windows is kept if n > min_neighbors.\n"
          "- `raw`: give the windows that pass, without merging. min_neighbors=0 does the same with\n"
          "  merge='groups'.\n"
          "- `min_size`, `max_size`: (width, height) in pixels of the smallest and the largest object. If a\n"
          "  cascade has no level between both sizes, the level nearest to min_size is searched, as in\n"
          "  OpenCV.\n"
          "- `min_score`: objects with a lower score are dropped. With HOG models, each window needs this\n"
          "  score before merging, too.\n"
          "- `min_support`: with merge='support', objects with a lower support are dropped.\n"
          "- `step`: pixels between neighbouring windows, along x and y, for HOG models.\n"
          "- `gray`: ignore the picture's colour.\n"
          "- `merge`: 'groups', 'meanshift' or 'support'.\n"
          "- `border`, 0 to 1: mirror the picture beyond its edges by this fraction of its longer side, to\n"
          "  find objects at the edges.\n"
          "- `padding`, for SVMs: windows may begin up to this many pixels outside of each level.\n"
          "- `locations`, for SVMs: the top left corners of the windows to judge instead of a search. An\n"
          "  empty list is a search. With raw=True the answer has every window that passes.\n"
          "- `max_levels`, for SVMs: the most levels that are searched; 0 means 64.\n"
          "- `clip`: cut boxes to the picture.\n"
          "- `region`: (x, y, width, height) of the part of the picture to search. Boxes still count from\n"
          "  the picture's corner.\n\n"
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
          "backend", [](SharedDetector& self) { return BackendWord{backend_name(self.backend())}; },
          "'auto' if several backends may be used, else the backend.")
      .def_prop_ro(
          "note", [](SharedDetector& self) { return self.note(); },
          "With 'auto': why no device helps, if one was to help and could not start or failed; else \"\".")
      .def_prop_ro("threads", [](const SharedDetector& self) { return self.detector().threads(); })
      .def_prop_ro(
          "simd", [](const SharedDetector& self) { return self.detector().simd(); },
          "The SIMD target of the backend `cpu`, else \"\".")
      .def("__repr__", [](SharedDetector& self) {
        const Detector& detector = self.detector();
        return text_of("Detector(" + detector.model().name() + ", " + backend_name(self.backend()) + ", " +
                       std::to_string(detector.threads()) +
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
      "Merges boxes by mean shift, as merge='meanshift' does: the boxes at one peak of their density\n"
      "become an object. Objects of min_neighbors boxes or fewer are dropped. weigh_by_score: a box\n"
      "weighs its score, as for HOG models, and nothing if its score is 0 or less.\n\n"
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
