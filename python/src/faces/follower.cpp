// Binds `Follower` and `Followed`.
#include <winnow/follower.h>

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

// A follower that several Python threads may share: one thread gives a frame at a time, and the others wait.
class SharedFollower {
 public:
  SharedFollower(DetectorModel model, Landmarks landmarks, const FollowOptions& options,
                 const MachineOptions& machine)
      : reads_color_(model.reads_color() && !options.search.gray),
        follower_(std::move(model), std::move(landmarks), options, machine) {}

  std::vector<Followed> next(nb::handle frame, Channels channels) {
    PictureArgument picture(frame, {channels, reads_color_});
    picture.refuse_device();
    std::vector<Followed> faces;
    const nb::gil_scoped_release free;
    const PictureView& view = picture.host();
    const std::lock_guard lock(busy_);
    follower_.next(view, faces);
    return faces;
  }

  void restart() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    follower_.restart();
  }

  const Follower& follower() const { return follower_; }

 private:
  bool reads_color_;
  Follower follower_;
  std::mutex busy_;
};

void bind_followed(nb::module_& module) {
  nb::class_<Followed> shown(module, "Followed",
                             "A face of a video's frame. `Follower.next` gives it, and `ScanEvent.faces`.");
  shown
      .def_ro(
          "id", &Followed::id,
          "The face's number, from 1 on, in the order in which faces are first found. It is no person's:\n"
          "one who returns after more than `gap` frames gets another.")
      .def_prop_ro(
          "state", [](const Followed& face) { return FaceStateWord{state_name(face.state)}; },
          "'found' by a search in this frame, 'tracked' to this frame by flow, or 'lost': the box and the\n"
          "points are then those of the frame before.")
      .def_prop_ro(
          "box", [](const Followed& face) { return face.box; }, "x, y, width and height in pixels.")
      .def_ro("score", &Followed::score, "The score of the search that found the face last.")
      .def_ro("shape", &Followed::shape, "Its points. Confidence is that of the search that found it last.")
      .def(
          "__eq__",
          [](const Followed& a, nb::handle b) {
            const Followed* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a == *other;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const Followed& face) {
        return "Followed(" + std::to_string(face.id) + ", " + state_name(face.state) + ")";
      });
  shown.attr("__hash__") = nb::none();
}

}  // namespace

void bind_follower(nb::module_& module) {
  bind_followed(module);
  nb::class_<SharedFollower> shown(
      module, "Follower",
      "Follows faces through a video: each keeps its number, and its points move with it.\n\n"
      "Faces are searched for in every frame whose number is a multiple of detect_every, and as soon as one "
      "is\nlost. In between, flow carries the points. A lost face that returns within gap frames keeps its "
      "number.\nsmooth, 0 to 1, steadies points and boxes. min_confidence and the keywords of a search are "
      "those of `scan`\nwith landmarks; a face begins with a presence of 1/2, or of min_confidence. Faces "
      "are "
      "the same on every\nbackend, for every number of threads. Threads may share a follower, and then wait "
      "for each other.\n\n"
      ">>> follower = winnow.Follower('face', 'face-5', backend='cpu', threads=2)\n"
      ">>> follower\n"
      "Follower(cpu, 2 threads)");
  const FollowOptions usual;
  def_constructor(
      shown,
      +[](SharedFollower* self, const AnyModel& model, const AnyLandmarks& landmarks, int detect_every,
          int gap, double smooth,
          std::optional<double> min_confidence WINNOW_SEARCH_KEYWORDS(WINNOW_PARAMETER),
          WINNOW_MACHINE_PARAMETERS) {
        Search search;
        WINNOW_SEARCH_KEYWORDS(WINNOW_FIELD)
        DetectorModel loaded = parse_model(model.object);
        Landmarks points = parse_landmarks(landmarks.object);
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        FollowOptions options;
        options.detect_every = detect_every;
        options.gap = gap;
        options.smooth = smooth;
        options.search = std::move(search.options);
        options.min_confidence = min_confidence;
        const nb::gil_scoped_release free;
        new (self) SharedFollower(std::move(loaded), std::move(points), options, machine);
      },
      nb::arg("model"), nb::arg("landmarks"), nb::kw_only(), nb::arg("detect_every") = usual.detect_every,
      nb::arg("gap") = usual.gap, nb::arg("smooth") = usual.smooth,
      nb::arg("min_confidence") = nb::none() WINNOW_SEARCH_KEYWORDS(WINNOW_ARGUMENT),
      WINNOW_MACHINE_ARGUMENTS);
  shown
      .def(
          "next",
          [](SharedFollower& self, const AnyPicture& frame, const std::optional<ChannelsWord>& channels) {
            return self.next(frame.object, parse_channels(channels));
          },
          nb::arg("frame").none(), nb::kw_only(), nb::arg("channels") = nb::none(),
          "Takes the next frame of the video. Gives its faces in the order of their numbers.\n\n"
          "Frames are pictures as `Detector.detect` takes them, in host memory. A frame of another size is\n"
          "searched, and faces that are not found there are lost.\n\n"
          ">>> follower = winnow.Follower('face', 'face-5', backend='cpu')\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> follower.next(gray)\n"
          "[Followed(1, found)]\n"
          ">>> (face,) = follower.next(np.roll(gray, 3, axis=1))\n"
          ">>> face.id, face.shape\n"
          "(1, Shape(5 points))")
      .def("restart", &SharedFollower::restart,
           "Begins another video: forgets all faces, and counts from 1 again.\n\n"
           ">>> follower = winnow.Follower('face', 'face-5', backend='cpu')\n"
           ">>> follower.next('photo.jpg')\n"
           "[Followed(1, found)]\n"
           ">>> follower.restart()\n"
           ">>> follower.next('photo.jpg')\n"
           "[Followed(1, found)]")
      .def_prop_ro(
          "backend",
          [](const SharedFollower& self) { return BackendWord{backend_name(self.follower().backend())}; },
          "Which backend `auto` chose.")
      .def_prop_ro("threads", [](const SharedFollower& self) { return self.follower().threads(); })
      .def("__repr__", [](const SharedFollower& self) {
        return std::string("Follower(") + backend_name(self.follower().backend()) + ", " +
               std::to_string(self.follower().threads()) +
               (self.follower().threads() == 1 ? " thread)" : " threads)");
      });
}

}  // namespace winnow::python
