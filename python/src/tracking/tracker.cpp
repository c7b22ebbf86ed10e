// Binds `Tracker` and `Track`.
#include <nanobind/stl/tuple.h>
#include <winnow/tracker.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays/picture_argument.h"
#include "bytes.h"
#include "constructor.h"
#include "machine_arguments.h"
#include "typed.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
namespace {

using FourNumbers = std::tuple<double, double, double, double>;

RealBox box_of(const FourNumbers& four) {
  return {std::get<0>(four), std::get<1>(four), std::get<2>(four), std::get<3>(four)};
}

// A tracker that several Python threads may share: one thread calls at a time, and the others wait.
class SharedTracker {
 public:
  SharedTracker(TrackOptions options, const MachineOptions& machine) : tracker_(options, machine) {}

  int add(PictureArgument& frame, const RealBox& box, int video) {
    const nb::gil_scoped_release free;
    const GrayView gray = frame.host().gray;
    const std::lock_guard lock(busy_);
    return tracker_.add(gray, box, video);
  }
  void set(int id, PictureArgument& frame, const RealBox& box) {
    const nb::gil_scoped_release free;
    const GrayView gray = frame.host().gray;
    const std::lock_guard lock(busy_);
    tracker_.set(id, gray, box);
  }
  void remove(int id) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    tracker_.remove(id);
  }
  void restart(int video) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    tracker_.restart(video);
  }
  // The tracks of one frame, or a list of them if the next frames of several videos were given.
  nb::object next(nb::handle frames, Channels channels) {
    const PictureRules rules{channels, false};
    if (PyList_Check(frames.ptr()) || PyTuple_Check(frames.ptr()))
      return nb::cast(next_of_each(frames, rules));
    PictureArgument frame(frames, rules, true);
    if (frame.many().is_valid()) return nb::cast(next_of_each(frame.many(), rules));
    frame.refuse_device();
    return nb::cast(next_of_one(frame));
  }
  Track last(int id) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return tracker_.last(id);
  }
  // Without `ids` all objects.
  std::vector<std::byte> to_bytes(const std::optional<std::vector<int>>& ids) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return ids ? tracker_.to_bytes(*ids) : tracker_.to_bytes();
  }
  void save(const std::string& path, const std::optional<std::vector<int>>& ids) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    if (ids)
      tracker_.save(path, *ids);
    else
      tracker_.save(path);
  }
  std::vector<int> add_saved(std::span<const std::byte> bytes, int video) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return tracker_.add_saved(bytes, video);
  }
  std::vector<int> add_saved(std::span<const std::byte> bytes, PictureArgument& frame, int video) {
    const nb::gil_scoped_release free;
    const GrayView gray = frame.host().gray;
    const std::lock_guard lock(busy_);
    return tracker_.add_saved(bytes, gray, video);
  }
  std::vector<int> load(const std::string& path, int video) {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return tracker_.load(path, video);
  }
  BackendKind backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return tracker_.backend();
  }
  BackendKind last_backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return tracker_.last_backend();
  }
  std::string note() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return tracker_.note();
  }
  int threads() const { return tracker_.threads(); }

 private:
  std::vector<Track> next_of_one(PictureArgument& frame) {
    std::vector<Track> tracks;
    const nb::gil_scoped_release free;
    const GrayView gray = frame.host().gray;
    const std::lock_guard lock(busy_);
    tracker_.next(gray, tracks);
    return tracks;
  }

  // None stands for a video without a frame.
  std::vector<std::vector<Track>> next_of_each(nb::handle frames, const PictureRules& rules) {
    std::deque<std::optional<PictureArgument>> arguments;
    for (const nb::handle frame : frames) {
      std::optional<PictureArgument>& argument = arguments.emplace_back();
      if (frame.is_none()) continue;
      for_picture(arguments.size() - 1, [&] {
        argument.emplace(frame, rules);
        argument->refuse_device();
      });
    }
    std::vector<std::vector<Track>> tracks(arguments.size());
    const nb::gil_scoped_release free;
    std::vector<GrayView> views;
    for (std::optional<PictureArgument>& argument : arguments)
      views.push_back(argument ? argument->host().gray : GrayView());
    const std::lock_guard lock(busy_);
    tracker_.next(views, tracks);
    return tracks;
  }

  Tracker tracker_;
  std::mutex busy_;
};

PictureArgument frame_of(nb::handle object, const std::optional<ChannelsWord>& channels) {
  PictureArgument picture(object, {parse_channels(channels), false});
  picture.refuse_device();
  return picture;
}

// A form of `next` for the type stubs: its types tell what a call gives for one frame and for several. At run
// time each form takes frames of every kind.
template <class Frames, class Answer>
Answer next(SharedTracker& self, const Frames& frames, const std::optional<ChannelsWord>& channels) {
  return {self.next(frames.object, parse_channels(channels))};
}

void bind_track(nb::module_& module) {
  nb::class_<Track> shown(module, "Track", "An object in one frame. `Tracker.next` gives it.");
  shown.def_ro("id", &Track::id, "The object's number, as `Tracker.add` gave it.")
      .def_prop_ro(
          "state", [](const Track& track) { return FaceStateWord{state_name(track.state)}; },
          "'found': the search of the frame found the object where it is. 'tracked': flow alone carried it\n"
          "there. 'lost': it is not seen, or not surely.")
      .def_prop_ro(
          "box",
          [](const Track& track) {
            return FourNumbers{track.box.x, track.box.y, track.box.width, track.box.height};
          },
          "x, y, width and height in pixels. If the object is lost, the last box in which it was not. Empty "
          "if\n"
          "a saved object was not found yet.")
      .def_ro(
          "confidence", &Track::confidence,
          "The probability, 0 to 1, that the place where the object is seen is right. Below 0.65 the object\n"
          "counts as lost.")
      .def(
          "__eq__",
          [](const Track& a, nb::handle b) {
            const Track* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a == *other;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const Track& track) {
        return "Track(" + std::to_string(track.id) + ", " + state_name(track.state) + ")";
      });
  shown.attr("__hash__") = nb::none();
}

void bind_saving(nb::class_<SharedTracker>& shown) {
  shown
      .def(
          "to_bytes",
          [](SharedTracker& self, const std::optional<std::vector<int>>& ids) {
            return python_bytes(self.to_bytes(ids));
          },
          nb::arg("ids") = nb::none(),
          "What was learnt of all objects, or of those of `ids` in that order, and where they are.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> tracker = winnow.Tracker(backend='cpu')\n"
          ">>> face = tracker.add(gray, (164, 101, 204, 204))\n"
          ">>> tracker.to_bytes([face])[:4]\n"
          "b'WNTO'")
      .def(
          "save",
          [](SharedTracker& self, const Path& path, const std::optional<std::vector<int>>& ids) {
            self.save(path.text, ids);
          },
          nb::arg("path"), nb::arg("ids") = nb::none(),
          "Writes the bytes of `to_bytes` into a file.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> tracker = winnow.Tracker(backend='cpu')\n"
          ">>> face = tracker.add(gray, (164, 101, 204, 204))\n"
          ">>> tracker.save('face.objects')\n"
          ">>> winnow.Tracker(backend='cpu').load('face.objects')\n"
          "[1]")
      .def(
          "add_saved",
          [](SharedTracker& self, const nb::bytes& bytes, const AnyPicture& frame, int video,
             const std::optional<ChannelsWord>& channels) {
            if (frame.object.is_none()) return self.add_saved(span_of(bytes), video);
            PictureArgument picture = frame_of(frame.object, channels);
            return self.add_saved(span_of(bytes), picture, video);
          },
          nb::arg("bytes"), nb::arg("frame") = nb::none(), nb::arg("video") = 0, nb::kw_only(),
          nb::arg("channels") = nb::none(),
          "Adds saved objects, and gives their numbers, in the order in which they were saved.\n\n"
          "They are lost, with an empty box, until the search finds them. With `frame` they go on where "
          "they\n"
          "were: it is the frame in which they were saved, and the newest frame here, as for `add`. Their\n"
          "tracks are then the same as if they had not been saved.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> tracker = winnow.Tracker(backend='cpu')\n"
          ">>> face = tracker.add(gray, (164, 101, 204, 204))\n"
          ">>> tracker.add_saved(tracker.to_bytes(), gray)\n"
          "[2]\n"
          ">>> tracker.last(2).box\n"
          "(164.0, 101.0, 204.0, 204.0)")
      .def(
          "load",
          [](SharedTracker& self, const Path& path, int video) { return self.load(path.text, video); },
          nb::arg("path"), nb::arg("video") = 0,
          "Adds the objects of a file, as `add_saved` does without a frame.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> tracker = winnow.Tracker(backend='cpu')\n"
          ">>> face = tracker.add(gray, (164, 101, 204, 204))\n"
          ">>> tracker.save('face.objects')\n"
          ">>> other = winnow.Tracker(backend='cpu')\n"
          ">>> other.load('face.objects'), other.next(gray)\n"
          "([1], [Track(1, found)])");
}

}  // namespace

void bind_tracker(nb::module_& module) {
  bind_track(module);
  nb::class_<SharedTracker> shown(
      module, "Tracker",
      "Follows any objects through a video, once you mark each with a box.\n\n"
      "In each frame flow moves an object's box, and the whole frame is searched for the object, whose "
      "looks\n"
      "the tracker learns on the way. An object that was lost is found when it is back. Tracks are the same "
      "on\n"
      "every backend, for every number of threads. Threads may share a tracker, and then wait for each "
      "other.\n\n"
      "- `seed`: of all random numbers.\n\n"
      ">>> winnow.Tracker(backend='cpu', threads=2)\n"
      "Tracker(cpu, 2 threads)");
  def_constructor(
      shown,
      +[](SharedTracker* self, std::uint64_t seed, WINNOW_MACHINE_PARAMETERS) {
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const nb::gil_scoped_release free;
        new (self) SharedTracker({seed}, machine);
      },
      nb::kw_only(), nb::arg("seed") = TrackOptions().seed, WINNOW_MACHINE_ARGUMENTS);
#define WINNOW_NEXT_ARGUMENTS nb::kw_only(), nb::arg("channels") = nb::none()
  shown
      .def(
          "add",
          [](SharedTracker& self, const AnyPicture& frame, const FourNumbers& box, int video,
             const std::optional<ChannelsWord>& channels) {
            PictureArgument picture = frame_of(frame.object, channels);
            return self.add(picture, box_of(box), video);
          },
          nb::arg("frame").none(), nb::arg("box"), nb::arg("video") = 0, nb::kw_only(),
          nb::arg("channels") = nb::none(),
          "Marks an object in a video, and gives its number.\n\n"
          "Frames are pictures as `Detector.detect` takes them, in host memory. `frame` is the newest frame "
          "of\n"
          "the video that `next` took; before the first `next`, it is the first frame. `box` is x, y, width\n"
          "and height in pixels, with at least 8 x 8 pixels inside of the frame. Objects of two videos "
          "never\n"
          "have the same number.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> winnow.Tracker(backend='cpu').add(gray, (164, 101, 204, 204))\n"
          "1")
      .def(
          "set",
          [](SharedTracker& self, int id, const AnyPicture& frame, const FourNumbers& box,
             const std::optional<ChannelsWord>& channels) {
            PictureArgument picture = frame_of(frame.object, channels);
            self.set(id, picture, box_of(box));
          },
          nb::arg("id"), nb::arg("frame").none(), nb::arg("box"), nb::kw_only(),
          nb::arg("channels") = nb::none(),
          "Corrects where an object is in the newest frame. The tracker learns this box as it learnt the "
          "first.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> tracker = winnow.Tracker(backend='cpu')\n"
          ">>> face = tracker.add(gray, (164, 101, 100, 100))\n"
          ">>> tracker.set(face, gray, (164, 101, 204, 204))")
      .def("remove", &SharedTracker::remove, nb::arg("id"),
           "Ends an object.\n\n"
           ">>> gray = winnow.read_picture('photo.jpg').gray\n"
           ">>> tracker = winnow.Tracker(backend='cpu')\n"
           ">>> tracker.remove(tracker.add(gray, (164, 101, 204, 204)))\n"
           ">>> tracker.next(gray)\n"
           "[]")
      .def("restart", &SharedTracker::restart, nb::arg("video") = 0,
           "Begins another video with this number: forgets the objects of the last one.\n\n"
           ">>> gray = winnow.read_picture('photo.jpg').gray\n"
           ">>> tracker = winnow.Tracker(backend='cpu')\n"
           ">>> face = tracker.add(gray, (164, 101, 204, 204))\n"
           ">>> tracker.restart()\n"
           ">>> tracker.next(gray)\n"
           "[]")
      .def("next", &next<PlainPicture, OneTracks>, nb::arg("frame"), WINNOW_NEXT_ARGUMENTS)
      .def("next", &next<ManyPictures, ManyTracks>, nb::arg("frames"), WINNOW_NEXT_ARGUMENTS)
      .def("next", &next<AnyPicture, OneTracks>, nb::arg("frame").none(), WINNOW_NEXT_ARGUMENTS,
           "Takes the next frame of a video, or of each of several videos. Gives a `Track` for each\n"
           "object, in the order of their numbers.\n\n"
           "One frame belongs to video 0. Of several frames, frame i is the next one of video i,\n"
           "and the answer is a list of lists. Videos with higher numbers wait, and so does a video\n"
           "whose frame is None. All objects share the threads.\n\n"
           ">>> gray = winnow.read_picture('photo.jpg').gray\n"
           ">>> tracker = winnow.Tracker(backend='cpu')\n"
           ">>> face = tracker.add(gray, (164, 101, 204, 204))\n"
           ">>> tracker.next(np.roll(gray, 5, axis=1))\n"
           "[Track(1, found)]\n"
           ">>> other = tracker.add(gray[:400], (164, 101, 204, 204), video=1)\n"
           ">>> tracker.next([gray, gray[:400]])\n"
           "[[Track(1, found)], [Track(2, found)]]\n"
           ">>> tracker.next([None, gray[:400]])\n"
           "[[], [Track(2, found)]]")
      .def("last", &SharedTracker::last, nb::arg("id"),
           "The `Track` that `next` gave for the object last. After `add` and `set`: the part of the box "
           "inside of\n"
           "the frame.\n\n"
           ">>> gray = winnow.read_picture('photo.jpg').gray\n"
           ">>> tracker = winnow.Tracker(backend='cpu')\n"
           ">>> tracker.last(tracker.add(gray, (164, 101, 204, 204))).box\n"
           "(164.0, 101.0, 204.0, 204.0)")
      .def_prop_ro(
          "backend", [](SharedTracker& self) { return BackendWord{backend_name(self.backend())}; },
          "'auto' if several backends may be used, else the backend.")
      .def_prop_ro(
          "last_backend", [](SharedTracker& self) { return BackendWord{backend_name(self.last_backend())}; },
          "The backend that took the last frame.")
      .def_prop_ro(
          "note", [](SharedTracker& self) { return self.note(); },
          "With 'auto': why no device helps, if one was to help and could not start or failed; else \"\".")
      .def_prop_ro(
          "threads", [](const SharedTracker& self) { return self.threads(); }, "The number of threads.")
      .def("__repr__", [](SharedTracker& self) {
        const int threads = self.threads();
        return std::string("Tracker(") + backend_name(self.backend()) + ", " + std::to_string(threads) +
               (threads == 1 ? " thread)" : " threads)");
      });
  bind_saving(shown);
}

}  // namespace winnow::python
