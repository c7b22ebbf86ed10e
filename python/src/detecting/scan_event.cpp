// Binds `ScanEvent`.
#include "detecting/scan_event.h"

#include <any>
#include <utility>
#include <vector>

#include "paths.h"
#include "typed.h"
#include "words.h"

namespace winnow::python {
namespace {

const char* kind_name(ScanEvent::Kind kind) {
  switch (kind) {
    case ScanEvent::Kind::kFrame:
      return "frame";
    case ScanEvent::Kind::kProblem:
      return "problem";
    case ScanEvent::Kind::kEnd:
      break;
  }
  return "end";
}

int traverse_event(PyObject* self, visitproc visit, void* arg) {
  return traverse<Event>(self, visit, arg, [&](Event& event) {
    return visit_all(visit, arg, {&event.picture, &event.found, &event.shapes, &event.faces, &event.state});
  });
}
int clear_event(PyObject* self) {
  auto& event = *nb::inst_ptr<Event>(self);
  event.picture = event.found = event.shapes = event.faces = event.state = nb::none();
  return 0;
}
PyType_Slot event_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_event)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear_event)},
                             {0, nullptr}};

std::string describe(const Event& event) {
  const std::string what = std::string(kind_name(event.kind)) + " of " + event.source;
  if (event.problem) return "ScanEvent(" + what + ": " + *event.problem + ")";
  if (event.kind != ScanEvent::Kind::kFrame) return "ScanEvent(" + what + ")";
  const std::size_t count = nb::len(event.found);
  return "ScanEvent(" + what + ", " + std::to_string(count) + (count == 1 ? " object)" : " objects)");
}

}  // namespace

Event seen_event(ScanEvent& event, nb::object state) {
  Event seen{event.kind,    event.from->path, event.input,     event.index, event.time,
             event.seconds, event.unread,     nb::none(),      nb::none(),  nb::none(),
             nb::none(),    std::nullopt,     std::move(state)};
  if (event.kind == ScanEvent::Kind::kFrame) {
    seen.picture = nb::cast(std::move(event.picture));
    seen.found = nb::cast(std::move(event.found));
    auto* const shapes = std::any_cast<std::vector<Shape>>(&event.answer);
    if (shapes != nullptr) seen.shapes = nb::cast(std::move(*shapes));
    auto* const faces = std::any_cast<std::vector<Followed>>(&event.answer);
    if (faces != nullptr) {
      std::vector<Shape> there;
      for (const Followed& face : *faces)
        if (face.state != FaceState::kLost) there.push_back(face.shape);
      seen.shapes = nb::cast(std::move(there));
      seen.faces = nb::cast(std::move(*faces));
    }
  }
  if (event.kind == ScanEvent::Kind::kProblem) seen.problem = event.problem;
  return seen;
}

void bind_scan_event(nb::module_& module) {
  nb::class_<Event>(module, "ScanEvent", nb::type_slots(event_slots),
                    "An event of a scan: a frame with its answer, a problem, or the end of an input.")
      .def_prop_ro(
          "kind", [](const Event& event) { return EventWord{kind_name(event.kind)}; },
          "'frame', 'problem' or 'end'.")
      .def_prop_ro(
          "source", [](const Event& event) { return text_of(event.source); }, "The input's path.")
      .def_ro("input", &Event::input, "The input's number in `Scan.inputs`, from 0.")
      .def_ro("frame", &Event::frame,
              "The frame's number in its input, from 0. Frames that `every` leaves out count, too.")
      .def_ro("time", &Event::time, "The time of a video's frame in its video, in seconds; else None.")
      .def_ro("seconds", &Event::seconds,
              "The seconds that the search took for one frame, a mean over its batch. For a frame of a\n"
              "video with landmarks, the seconds of this frame alone.")
      .def_ro("unread", &Event::unread,
              "The further pictures of the frame's file, which are not read: those of an animation or of a\n"
              "file with several pages. 0 for most files.")
      .def_prop_ro(
          "picture", [](const Event& event) { return event.picture; },
          nb::sig("def picture(self) -> Picture[numpy.typing.NDArray[numpy.uint8] | None]"),
          "The frame's `Picture`. A problem and an end have None.")
      .def_prop_ro(
          "found", [](const Event& event) { return event.found; }, nb::sig("def found(self) -> Detections"),
          "The frame's `Detections`. A problem and an end have None.")
      .def_prop_ro(
          "shapes", [](const Event& event) { return event.shapes; },
          nb::sig("def shapes(self) -> list[Shape]"),
          "A `Shape` for each object of `found`, if the scan has landmarks; else None.")
      .def_prop_ro(
          "faces", [](const Event& event) { return event.faces; },
          nb::sig("def faces(self) -> list[Followed]"),
          "For a frame of a video, camera or stream, if the scan has landmarks: its faces with their\n"
          "numbers, also those that are lost in it; else None. `found` and `shapes` have the faces that are\n"
          "there.")
      .def_prop_ro(
          "problem",
          [](const Event& event) -> nb::object {
            return event.problem ? nb::object(text_of(*event.problem)) : nb::none();
          },
          nb::sig("def problem(self) -> str | None"),
          "What went wrong, in one sentence that names the input. None for a frame or an end.")
      .def_prop_ro(
          "state", [](const Event& event) { return event.state; }, nb::sig("def state(self) -> typing.Any"),
          "What make_state gave for this input; None without make_state, and before the input's first\n"
          "frame.")
      .def("__repr__", [](const Event& event) { return text_of(describe(event)); });
}

}  // namespace winnow::python
