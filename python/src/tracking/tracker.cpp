// Binds `Tracker` and `Track`.
#include <nanobind/stl/tuple.h>
#include <winnow/tracker.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays/picture_argument.h"
#include "constructor.h"
#include "machine_arguments.h"
#include "typed.h"
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

  int add(PictureArgument& frame, const RealBox& box) {
    const nb::gil_scoped_release free;
    const GrayView gray = frame.host().gray;
    const std::lock_guard lock(busy_);
    return tracker_.add(gray, box);
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
  std::vector<Track> next(PictureArgument& frame) {
    std::vector<Track> tracks;
    const nb::gil_scoped_release free;
    const GrayView gray = frame.host().gray;
    const std::lock_guard lock(busy_);
    tracker_.next(gray, tracks);
    return tracks;
  }
  const Tracker& tracker() const { return tracker_; }

 private:
  Tracker tracker_;
  std::mutex busy_;
};

PictureArgument frame_of(nb::handle object, const std::optional<ChannelsWord>& channels) {
  PictureArgument picture(object, {parse_channels(channels), false});
  picture.refuse_device();
  return picture;
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
          "x, y, width and height in pixels. If the object is lost, the last box in which it was not.")
      .def_ro(
          "confidence", &Track::confidence,
          "The probability, 0 to 1, that the place where the object is seen is right. Below 0.5 the object\n"
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
      "every backend, for every number of threads. Devices do not follow objects yet. Threads may share a\n"
      "tracker, and then wait for each other.\n\n"
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
  shown
      .def(
          "add",
          [](SharedTracker& self, const AnyPicture& frame, const FourNumbers& box,
             const std::optional<ChannelsWord>& channels) {
            PictureArgument picture = frame_of(frame.object, channels);
            return self.add(picture, box_of(box));
          },
          nb::arg("frame").none(), nb::arg("box"), nb::kw_only(), nb::arg("channels") = nb::none(),
          "Marks an object, and gives its number.\n\n"
          "Frames are pictures as `Detector.detect` takes them, in host memory. `frame` is the newest frame "
          "that\n"
          "`next` took; before the first `next`, it is the first frame. `box` is x, y, width and height in\n"
          "pixels, with at least 8 x 8 pixels inside of the frame.\n\n"
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
      .def(
          "next",
          [](SharedTracker& self, const AnyPicture& frame, const std::optional<ChannelsWord>& channels) {
            PictureArgument picture = frame_of(frame.object, channels);
            return self.next(picture);
          },
          nb::arg("frame").none(), nb::kw_only(), nb::arg("channels") = nb::none(),
          "Takes the next frame, and gives a `Track` for each object, in the order of their numbers.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> tracker = winnow.Tracker(backend='cpu')\n"
          ">>> face = tracker.add(gray, (164, 101, 204, 204))\n"
          ">>> tracker.next(np.roll(gray, 5, axis=1))\n"
          "[Track(1, found)]")
      .def_prop_ro(
          "backend",
          [](const SharedTracker& self) { return BackendWord{backend_name(self.tracker().backend())}; },
          "The backend that follows.")
      .def_prop_ro(
          "threads", [](const SharedTracker& self) { return self.tracker().threads(); },
          "The number of threads.")
      .def("__repr__", [](const SharedTracker& self) {
        const int threads = self.tracker().threads();
        return std::string("Tracker(") + backend_name(self.tracker().backend()) + ", " +
               std::to_string(threads) + (threads == 1 ? " thread)" : " threads)");
      });
}

}  // namespace winnow::python
