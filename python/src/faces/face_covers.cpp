// Binds `FaceCovers` and `FaceCover`.
#include <winnow/face_covers.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "arrays/picture_argument.h"
#include "constructor.h"
#include "machine_arguments.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

// Covers that several Python threads may share: one thread works at a time, and the others wait.
class SharedCovers {
 public:
  SharedCovers(const CoverOptions& options, const MachineOptions& machine) : covers_(options, machine) {}

  // None stands for an empty frame.
  void add(nb::handle frame, Channels channels, const std::vector<Followed>& faces) {
    std::optional<PictureArgument> picture;
    if (!frame.is_none()) {
      picture.emplace(frame, PictureRules{channels, false});
      picture->refuse_device();
    }
    const nb::gil_scoped_release free;
    const GrayView gray = picture ? picture->host().gray : GrayView();
    const std::lock_guard lock(busy_);
    covers_.add(gray, faces);
  }

  void finish() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    covers_.finish();
  }

  // `Cover`: a `Box` or a `FaceCover`.
  template <class Cover>
  std::optional<std::vector<Cover>> next() {
    std::vector<Cover> given;
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    if (!covers_.next(given)) return std::nullopt;
    return given;
  }

  void restart() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    covers_.restart();
  }

  const FaceCovers& covers() const { return covers_; }
  BackendKind backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return covers_.backend();
  }
  std::string note() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return covers_.note();
  }

 private:
  FaceCovers covers_;
  std::mutex busy_;
};

void bind_cover(nb::module_& module) {
  nb::class_<FaceCover> shown(
      module, "FaceCover", "A box that hides a face in a frame, and why. `FaceCovers.next_covers` gives it.");
  shown
      .def_prop_ro(
          "box", [](const FaceCover& cover) { return cover.box; }, "x, y, width and height in pixels.")
      .def_ro("path", &FaceCover::path,
              "The same number for all covers of one face. Rises from 1 in a video, and is no face's id.")
      .def_ro("searches", &FaceCover::searches,
              "How many searches found the face, as far as known when the cover is given.")
      .def_prop_ro(
          "reason", [](const FaceCover& cover) { return CoverReasonWord{reason_name(cover.reason)}; },
          "'found': a search found the face in this frame. 'carried': flow carried it there. 'joined': it\n"
          "was there before and afterwards. 'lingering': it was there a few frames before or afterwards.")
      .def(
          "__eq__",
          [](const FaceCover& a, nb::handle b) {
            const FaceCover* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a == *other;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const FaceCover& cover) {
        return "FaceCover(" + std::to_string(cover.path) + ", " + reason_name(cover.reason) + ")";
      });
  shown.attr("__hash__") = nb::none();
}

}  // namespace

void bind_face_covers(nb::module_& module) {
  bind_cover(module);
  nb::class_<SharedCovers> shown(
      module, "FaceCovers",
      "Says what must be covered in each frame of a video, so that a face that is found in some\n"
      "frames shows in none of the frames around them. `Follower` finds the faces, and `blur_box`\n"
      "blurs a box.\n\n"
      "- `gap`: the most frames between two ends of a face that are covered, 0 to 100,000.\n"
      "- `linger`: frames that are covered before a beginning and after an end that have no other\n"
      "  end, 0 to 1,000.\n"
      "- `margin`: covers are wider than the face by this fraction of its box's sides, at each side,\n"
      "  0 to 1.\n"
      "- `sure`: a face is sure once so many searches within 60 frames found it, 1 to 1,000. Others\n"
      "  are often false alarms: with `whole`, they are covered at most `linger` frames around a\n"
      "  search.\n"
      "- `whole`: False gives the boxes of a frame as soon as `gap` more frames were added, and\n"
      "  carries a face back that far. True gives boxes after `finish`, and carries a face back as\n"
      "  far as `memory` reaches.\n"
      "- `memory`: the most bytes of grey frames that are kept for the way back.\n\n"
      "Boxes are the same on every backend, for every number of threads. Threads may share covers,\n"
      "and then wait for each other.\n\n"
      ">>> covers = winnow.FaceCovers(whole=True, backend='cpu', threads=2)\n"
      ">>> covers\n"
      "FaceCovers(cpu, 2 threads)");
  const CoverOptions usual;
  def_constructor(
      shown,
      +[](SharedCovers* self, int gap, int linger, double margin, int sure, bool whole, std::int64_t memory,
          WINNOW_MACHINE_PARAMETERS) {
        const CoverOptions options{gap, linger, margin, sure, whole, memory};
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const nb::gil_scoped_release free;
        new (self) SharedCovers(options, machine);
      },
      nb::kw_only(), nb::arg("gap") = usual.gap, nb::arg("linger") = usual.linger,
      nb::arg("margin") = usual.margin, nb::arg("sure") = usual.sure, nb::arg("whole") = usual.whole,
      nb::arg("memory") = usual.memory, WINNOW_MACHINE_ARGUMENTS);
  shown
      .def(
          "add",
          [](SharedCovers& self, const AnyPicture& frame, const std::vector<Followed>& faces,
             const std::optional<ChannelsWord>& channels) {
            self.add(frame.object, parse_channels(channels), faces);
          },
          nb::arg("frame").none(), nb::arg("faces"), nb::kw_only(), nb::arg("channels") = nb::none(),
          "Takes the next frame of the video, and the faces that `Follower.next` gave for it.\n\n"
          "Frames are pictures as `Detector.detect` takes them, in host memory. None is an empty\n"
          "frame. A frame after `finish` is refused.\n\n"
          ">>> follower = winnow.Follower('face', 'face-5', backend='cpu')\n"
          ">>> covers = winnow.FaceCovers(gap=1, backend='cpu')\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> for shift in range(3):\n"
          "...     frame = np.roll(gray, shift, axis=1)\n"
          "...     covers.add(frame, follower.next(frame))\n"
          "...     print(covers.next() is not None)\n"
          "False\n"
          "True\n"
          "True")
      .def("finish", &SharedCovers::finish,
           "Ends the video: the boxes of all frames are known then.\n\n"
           ">>> covers = winnow.FaceCovers(backend='cpu')\n"
           ">>> covers.add('photo.jpg', [])\n"
           ">>> covers.finish()\n"
           ">>> covers.next()\n"
           "[]")
      .def("next", &SharedCovers::next<Box>,
           "Gives the boxes of the next frame, from the first frame on: tuples x, y, width,\n"
           "height, which lie inside the frame. None if they are not known yet, and after the last\n"
           "frame.\n\n"
           ">>> follower = winnow.Follower('face', 'face-5', backend='cpu')\n"
           ">>> covers = winnow.FaceCovers(margin=0, backend='cpu')\n"
           ">>> (face,) = follower.next('photo.jpg')\n"
           ">>> covers.add('photo.jpg', [face])\n"
           ">>> covers.next() is None\n"
           "True\n"
           ">>> covers.finish()\n"
           ">>> (box,) = covers.next()\n"
           ">>> box[0] <= face.box[0], box[2] >= face.box[2]\n"
           "(True, True)\n"
           ">>> covers.next() is None\n"
           "True")
      .def("next_covers", &SharedCovers::next<FaceCover>,
           "Like `next`, with the reason for each box, as the lines of `winnow faces --blur` have it.\n"
           "A frame is given once, by either of the two. Boxes rise, and one may come more than once.\n\n"
           ">>> follower = winnow.Follower('face', 'face-5', backend='cpu')\n"
           ">>> covers = winnow.FaceCovers(backend='cpu')\n"
           ">>> covers.add('photo.jpg', follower.next('photo.jpg'))\n"
           ">>> covers.finish()\n"
           ">>> (cover,) = covers.next_covers()\n"
           ">>> cover.path, cover.searches, cover.reason\n"
           "(1, 1, 'found')")
      .def("restart", &SharedCovers::restart,
           "Begins another video: forgets all frames and faces.\n\n"
           ">>> covers = winnow.FaceCovers(backend='cpu')\n"
           ">>> covers.add('photo.jpg', [])\n"
           ">>> covers.finish()\n"
           ">>> covers.restart()\n"
           ">>> covers.next() is None\n"
           "True")
      .def_prop_ro(
          "backend", [](SharedCovers& self) { return BackendWord{backend_name(self.backend())}; },
          "'auto' if several backends may be used, else the backend.")
      .def_prop_ro(
          "note", [](SharedCovers& self) { return self.note(); },
          "With 'auto': why no device helps, if one was to help and could not start or failed; else \"\".")
      .def_prop_ro("threads", [](const SharedCovers& self) { return self.covers().threads(); })
      .def("__repr__", [](SharedCovers& self) {
        return std::string("FaceCovers(") + backend_name(self.backend()) + ", " +
               std::to_string(self.covers().threads()) +
               (self.covers().threads() == 1 ? " thread)" : " threads)");
      });
}

}  // namespace winnow::python
