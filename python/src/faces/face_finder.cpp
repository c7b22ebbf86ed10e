// Binds `FaceFinder` and `FoundFaces`.
#include <winnow/face_finder.h>

#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "arrays/picture_argument.h"
#include "constructor.h"
#include "detecting/search_arguments.h"
#include "machine_arguments.h"
#include "models/model_argument.h"
#include "typed.h"

namespace winnow::python {
namespace {

// A finder that several Python threads may share: one thread searches at a time, and the others wait.
class SharedFinder {
 public:
  SharedFinder(DetectorModel model, Landmarks landmarks, const MachineOptions& machine)
      : finder_(std::move(model), std::move(landmarks), machine) {}

  // `FoundFaces` of one picture, or a list of them if several were given.
  nb::object find(nb::handle pictures, const Search& search, std::optional<double> min_confidence) {
    const PictureRules rules{search.channels, !search.options.gray && finder_.model().reads_color()};
    if (PyList_Check(pictures.ptr()) || PyTuple_Check(pictures.ptr()))
      return nb::cast(find_all(pictures, rules, search.options, min_confidence));
    PictureArgument picture(pictures, rules, true);
    if (picture.many().is_valid())
      return nb::cast(find_all(picture.many(), rules, search.options, min_confidence));
    picture.refuse_device();
    std::deque<PictureArgument> part;
    part.push_back(std::move(picture));
    std::vector<FoundFaces> results;
    find_part(part, search.options, min_confidence, results);
    return nb::cast(std::move(results.front()));
  }

  const FaceFinder& finder() const { return finder_; }
  BackendKind backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return finder_.backend();
  }
  std::string note() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return finder_.note();
  }

 private:
  // Pictures are taken and searched in parts. Ctrl-C then waits only for one part, and only the pictures of
  // one part are in memory.
  std::vector<FoundFaces> find_all(nb::handle pictures, const PictureRules& rules,
                                   const DetectOptions& options, std::optional<double> min_confidence) {
    constexpr std::int64_t kEnoughPixels = 1 << 24;
    std::vector<FoundFaces> results;
    std::deque<PictureArgument> part;
    std::int64_t pixels = 0;
    for (const nb::handle picture : pictures) {
      PictureArgument& argument = for_picture(results.size() + part.size(), [&]() -> PictureArgument& {
        PictureArgument& taken = part.emplace_back(picture, rules);
        taken.refuse_device();
        return taken;
      });
      if (argument.in_file()) {
        const nb::gil_scoped_release free;
        argument.host();
      }
      const Size size = argument.size();
      pixels += static_cast<std::int64_t>(size.width) * size.height;
      if (pixels < kEnoughPixels) continue;
      find_part(part, options, min_confidence, results);
      pixels = 0;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    if (!part.empty()) find_part(part, options, min_confidence, results);
    return results;
  }

  // Leaves `part` empty.
  void find_part(std::deque<PictureArgument>& part, const DetectOptions& options,
                 std::optional<double> min_confidence, std::vector<FoundFaces>& results) {
    {
      const nb::gil_scoped_release free;
      std::vector<PictureView> views;
      for (PictureArgument& argument : part) views.push_back(argument.host());
      const std::lock_guard lock(busy_);
      finder_.find(views, options, found_, shapes_, min_confidence);
      for (std::size_t i = 0; i < views.size(); ++i)
        results.push_back({std::exchange(found_[i], {}), std::exchange(shapes_[i], {})});
    }
    part.clear();
  }

  FaceFinder finder_;
  std::mutex busy_;
  std::vector<Detections> found_;
  std::vector<std::vector<Shape>> shapes_;
};

// A form of `find` for the type stubs: its types tell what a call gives for one picture and for many. At run
// time each form takes pictures of every kind.
template <class Pictures, class Answer>
Answer find(SharedFinder& self, const Pictures& pictures, const std::optional<double>& min_confidence,
            WINNOW_SEARCH_PARAMETERS) {
  return {self.find(pictures.object, search_of(WINNOW_SEARCH_VALUES), min_confidence)};
}

void bind_found_faces(nb::module_& module) {
  nb::class_<FoundFaces>(module, "FoundFaces", "The faces of a picture. `FaceFinder.find` gives it.")
      .def_prop_ro(
          "found", [](const FoundFaces& faces) { return faces.found; },
          "The faces' boxes and scores, as `Detections`.")
      .def_prop_ro(
          "shapes", [](const FoundFaces& faces) { return faces.shapes; },
          "A `Shape` for each face of `found`.")
      .def("__len__", [](const FoundFaces& faces) { return faces.shapes.size(); })
      .def("__repr__", [](const FoundFaces& faces) {
        return "FoundFaces(" + std::to_string(faces.shapes.size()) +
               (faces.shapes.size() == 1 ? " face)" : " faces)");
      });
}

}  // namespace

void bind_face_finder(nb::module_& module) {
  bind_found_faces(module);
  nb::class_<SharedFinder> shown(
      module, "FaceFinder",
      "Finds faces in pictures and marks their points, as `winnow faces` does. On a device this is one "
      "submission.\nFaces are the same on every backend, for every number of threads and devices. Threads "
      "may "
      "share a finder, and\nthen wait for each other.\n\n"
      ">>> finder = winnow.FaceFinder('face', 'face-5', backend='cpu', threads=2)\n"
      ">>> finder\n"
      "FaceFinder(face, face-5, cpu, 2 threads)");
  def_constructor(
      shown,
      +[](SharedFinder* self, const AnyModel& model, const AnyLandmarks& landmarks,
          WINNOW_MACHINE_PARAMETERS) {
        DetectorModel loaded = parse_model(model.object);
        Landmarks points = parse_landmarks(landmarks.object);
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const nb::gil_scoped_release free;
        new (self) SharedFinder(std::move(loaded), std::move(points), machine);
      },
      nb::arg("model"), nb::arg("landmarks"), nb::kw_only(), WINNOW_MACHINE_ARGUMENTS);
#define WINNOW_FIND_ARGUMENTS                            \
  nb::kw_only(), nb::arg("min_confidence") = nb::none(), \
                 nb::arg("channels") = nb::none() WINNOW_SEARCH_KEYWORDS(WINNOW_ARGUMENT)
  shown.def("find", &find<PlainPicture, OneFaces>, nb::arg("picture"), WINNOW_FIND_ARGUMENTS)
      .def("find", &find<ManyPictures, ManyFaces>, nb::arg("pictures"), WINNOW_FIND_ARGUMENTS)
      .def("find", &find<AnyPicture, OneFaces>, nb::arg("picture").none(), WINNOW_FIND_ARGUMENTS,
           "Finds and marks the faces in a picture, or in each of many pictures.\n\n"
           "Pictures are those of `Detector.detect`, in host memory. Faces with a confidence below\n"
           "min_confidence are dropped. min_confidence and the keywords of a search are those of `scan`\n"
           "with landmarks.\n\n"
           ">>> finder = winnow.FaceFinder('face', 'face-5', backend='cpu')\n"
           ">>> faces = finder.find('photo.jpg')\n"
           ">>> faces, faces.found, faces.shapes\n"
           "(FoundFaces(1 face), Detections(1 object in 512x512, cpu), [Shape(5 points)])\n"
           ">>> gray = winnow.read_picture('photo.jpg').gray\n"
           ">>> finder.find([gray, gray[:200, :200]])\n"
           "[FoundFaces(1 face), FoundFaces(0 faces)]")
      .def_prop_ro("model", [](const SharedFinder& self) { return self.finder().model(); })
      .def_prop_ro("landmarks", [](const SharedFinder& self) { return self.finder().landmarks(); })
      .def_prop_ro(
          "backend", [](SharedFinder& self) { return BackendWord{backend_name(self.backend())}; },
          "'auto' if several backends may be used, else the backend.")
      .def_prop_ro(
          "note", [](SharedFinder& self) { return self.note(); },
          "With 'auto': why no device helps, if one was to help and could not start or failed; else \"\".")
      .def_prop_ro("threads", [](const SharedFinder& self) { return self.finder().threads(); })
      .def("__repr__", [](SharedFinder& self) {
        const FaceFinder& finder = self.finder();
        return text_of("FaceFinder(" + finder.model().name() + ", " + finder.landmarks().name() + ", " +
                       backend_name(self.backend()) + ", " + std::to_string(finder.threads()) +
                       (finder.threads() == 1 ? " thread)" : " threads)"));
      });
}

}  // namespace winnow::python
