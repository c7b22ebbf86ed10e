// Binds `Follower` and `Followed`.
#include <winnow/follower.h>

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

// A follower that several Python threads may share: one thread gives frames at a time, and the others wait.
class SharedFollower {
 public:
  SharedFollower(DetectorModel model, Landmarks landmarks, const FollowOptions& options,
                 const MachineOptions& machine)
      : reads_color_(model.reads_color() && !options.search.gray),
        follower_(std::move(model), std::move(landmarks), options, machine) {}

  // The faces of one frame, or a list of them if the next frames of several videos were given.
  nb::object next(nb::handle frames, Channels channels) {
    const PictureRules rules{channels, reads_color_};
    if (PyList_Check(frames.ptr()) || PyTuple_Check(frames.ptr()))
      return nb::cast(next_of_each(frames, rules));
    PictureArgument frame(frames, rules, true);
    if (frame.many().is_valid()) return nb::cast(next_of_each(frame.many(), rules));
    frame.refuse_device();
    return nb::cast(next_of_one(frame));
  }

  void restart(int video) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    follower_.restart(video);
  }

  const Follower& follower() const { return follower_; }
  BackendKind backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return follower_.backend();
  }
  BackendKind last_backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return follower_.last_backend();
  }
  std::string note() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return follower_.note();
  }

 private:
  std::vector<Followed> next_of_one(PictureArgument& frame) {
    std::vector<Followed> faces;
    const nb::gil_scoped_release free;
    const PictureView& view = frame.host();
    const std::lock_guard lock(busy_);
    follower_.next(view, faces);
    return faces;
  }

  // None stands for an empty frame.
  std::vector<std::vector<Followed>> next_of_each(nb::handle frames, const PictureRules& rules) {
    std::deque<std::optional<PictureArgument>> arguments;
    for (const nb::handle frame : frames) {
      std::optional<PictureArgument>& argument = arguments.emplace_back();
      if (frame.is_none()) continue;
      for_picture(arguments.size() - 1, [&] {
        argument.emplace(frame, rules);
        argument->refuse_device();
      });
    }
    std::vector<std::vector<Followed>> faces(arguments.size());
    const nb::gil_scoped_release free;
    std::vector<PictureView> views;
    for (std::optional<PictureArgument>& argument : arguments)
      views.push_back(argument ? argument->host() : PictureView());
    const std::lock_guard lock(busy_);
    follower_.next(views, faces);
    return faces;
  }

  bool reads_color_;
  Follower follower_;
  std::mutex busy_;
};

// A form of `next` for the type stubs: its types tell what a call gives for one frame and for several. At run
// time each form takes frames of every kind.
template <class Frames, class Answer>
Answer next(SharedFollower& self, const Frames& frames, const std::optional<ChannelsWord>& channels) {
  return {self.next(frames.object, parse_channels(channels))};
}

void bind_followed(nb::module_& module) {
  nb::class_<Followed> shown(module, "Followed",
                             "A face of a video's frame. `Follower.next` gives it, and `ScanEvent.faces`.");
  shown
      .def_ro(
          "id", &Followed::id,
          "The face's number, from 1 on, in the order in which faces are first found. A person who returns\n"
          "after more than `gap` frames gets another number.")
      .def_prop_ro(
          "state", [](const Followed& face) { return FaceStateWord{state_name(face.state)}; },
          "'found': a search found the face in this frame. 'tracked': flow carried it to this frame, or\n"
          "lost it just now. 'lost': it was there in the frame before, and box and points are those of that\n"
          "frame.")
      .def_prop_ro(
          "box", [](const Followed& face) { return face.box; }, "x, y, width and height in pixels.")
      .def_ro("score", &Followed::score, "The score of the search that found the face last.")
      .def_ro("neighbors", &Followed::neighbors, "The windows that this search merged into the face.")
      .def_ro(
          "shape", &Followed::shape,
          "The face's points. Confidence and presence are of this frame's fit. If there is none, they are\n"
          "of the last fit: in a frame in which flow lost the face or the face is lost, and between\n"
          "searches with between='carry'.")
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
      "Faces are searched for in every frame whose number is a multiple of detect_every, and after\n"
      "flow lost one. With until_found, every frame is searched while no face is there; None means\n"
      "False. In between, flow carries each face's box, and the points are fitted anew in it.\n"
      "Keywords of following:\n\n"
      "- `between`: where points lie in a frame that follows another one. 'steady': between the\n"
      "  places to which flow carried them and the fitted places, so that a still face hardly\n"
      "  trembles. 'fit': at the fitted places, which tremble like those of single pictures.\n"
      "  'carry': where flow carried them, until the next search; they slip by and by.\n"
      "- `gap`: a lost face that returns within this number of frames keeps its number.\n"
      "- `smooth`: 0 to 1, smooths points and boxes over time.\n"
      "- `begin`: 0 to 1, the presence with which a face begins. With 0.1 or less, every object that\n"
      "  the search keeps begins a face: for hiding faces.\n"
      "- `min_confidence`: takes the place of begin.\n\n"
      "After an error all videos begin anew. A device that fails in two calls in a row is given up:\n"
      "this call and all further ones raise an `Error` with the code 'backend'. Make a new follower\n"
      "then. With backend 'auto' the processor goes on instead, and `note` says why.\n\n"
      "min_confidence and the keywords of a search are those of `scan` with landmarks. Faces are the\n"
      "same on every backend, for every number of threads. Threads may share a follower, and then\n"
      "wait for each other.\n\n"
      ">>> follower = winnow.Follower('face', 'face-5', backend='cpu', threads=2)\n"
      ">>> follower\n"
      "Follower(cpu, 2 threads)");
  const FollowOptions usual;
  def_constructor(
      shown,
      +[](SharedFollower* self, const AnyModel& model, const AnyLandmarks& landmarks, int detect_every,
          const BetweenWord& between, std::optional<bool> until_found, int gap, double smooth, double begin,
          std::optional<double> min_confidence WINNOW_SEARCH_KEYWORDS(WINNOW_PARAMETER),
          WINNOW_MACHINE_PARAMETERS) {
        Search search;
        WINNOW_SEARCH_KEYWORDS(WINNOW_FIELD)
        DetectorModel loaded = parse_model(model.object);
        Landmarks points = parse_landmarks(landmarks.object);
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        FollowOptions options;
        options.detect_every = detect_every;
        options.between = parse_between(between.text);
        options.until_found = until_found;
        options.gap = gap;
        options.smooth = smooth;
        options.begin = begin;
        options.search = std::move(search.options);
        options.min_confidence = min_confidence;
        const nb::gil_scoped_release free;
        new (self) SharedFollower(std::move(loaded), std::move(points), options, machine);
      },
      nb::arg("model"), nb::arg("landmarks"), nb::kw_only(), nb::arg("detect_every") = usual.detect_every,
      nb::arg("between") = between_name(usual.between), nb::arg("until_found") = nb::none(),
      nb::arg("gap") = usual.gap, nb::arg("smooth") = usual.smooth, nb::arg("begin") = usual.begin,
      nb::arg("min_confidence") = nb::none() WINNOW_SEARCH_KEYWORDS(WINNOW_ARGUMENT),
      WINNOW_MACHINE_ARGUMENTS);
#define WINNOW_NEXT_ARGUMENTS nb::kw_only(), nb::arg("channels") = nb::none()
  shown.def("next", &next<PlainPicture, OneFollowed>, nb::arg("frame"), WINNOW_NEXT_ARGUMENTS)
      .def("next", &next<ManyPictures, ManyFollowed>, nb::arg("frames"), WINNOW_NEXT_ARGUMENTS)
      .def("next", &next<AnyPicture, OneFollowed>, nb::arg("frame").none(), WINNOW_NEXT_ARGUMENTS,
           "Takes the next frame of a video, or of each of several videos. Gives its faces in the\n"
           "order of their numbers.\n\n"
           "Frames are pictures as `Detector.detect` takes them, in host memory. A frame of\n"
           "another size is searched, and faces that are not found there are lost.\n\n"
           "One frame belongs to video 0. Of several frames, frame i is the next one of video i,\n"
           "and the answer is a list of lists. Videos with higher numbers wait. None among several\n"
           "frames is an empty frame: the video's faces are lost in it. A device takes the frames\n"
           "of all videos together.\n\n"
           ">>> follower = winnow.Follower('face', 'face-5', backend='cpu')\n"
           ">>> gray = winnow.read_picture('photo.jpg').gray\n"
           ">>> follower.next(gray)\n"
           "[Followed(1, found)]\n"
           ">>> (face,) = follower.next(np.roll(gray, 3, axis=1))\n"
           ">>> face.id, face.shape\n"
           "(1, Shape(5 points))\n"
           ">>> follower.restart()\n"
           ">>> follower.next([gray, gray[:200, :200], gray])\n"
           "[[Followed(1, found)], [], [Followed(1, found)]]\n"
           ">>> follower.next([gray, None])\n"
           "[[Followed(1, found)], []]")
      .def("restart", &SharedFollower::restart, nb::arg("video") = 0,
           "Begins another video with this number: forgets the faces of the last one, and counts\n"
           "from 1 again.\n\n"
           ">>> follower = winnow.Follower('face', 'face-5', backend='cpu')\n"
           ">>> follower.next('photo.jpg')\n"
           "[Followed(1, found)]\n"
           ">>> follower.restart()\n"
           ">>> follower.next('photo.jpg')\n"
           "[Followed(1, found)]")
      .def_prop_ro(
          "backend", [](SharedFollower& self) { return BackendWord{backend_name(self.backend())}; },
          "'auto' if several backends may be used, else the backend.")
      .def_prop_ro(
          "last_backend", [](SharedFollower& self) { return BackendWord{backend_name(self.last_backend())}; },
          "The backend that took the last frame.")
      .def_prop_ro(
          "note", [](SharedFollower& self) { return self.note(); },
          "With 'auto': why no device helps, if one was to help and could not start or failed; else \"\".")
      .def_prop_ro("threads", [](const SharedFollower& self) { return self.follower().threads(); })
      .def("__repr__", [](SharedFollower& self) {
        return std::string("Follower(") + backend_name(self.backend()) + ", " +
               std::to_string(self.follower().threads()) +
               (self.follower().threads() == 1 ? " thread)" : " threads)");
      });
}

}  // namespace winnow::python
