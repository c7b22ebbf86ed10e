#include <winnow/scan.h>

#include <mutex>
#include <utility>

#include "machine_arguments.h"
#include "model_argument.h"
#include "paths.h"
#include "search_arguments.h"
#include "typed.h"

namespace winnow::python {
namespace {

// What Python sees of a `ScanEvent`.
struct Event {
  ScanEvent::Kind kind;
  std::string source;
  std::size_t input;
  std::int64_t frame;
  std::optional<double> time;
  double seconds;
  nb::object picture, found;  // None unless it is a frame
  std::optional<std::string> problem;
  nb::object state;
};

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

// An object of the caller's making, which its loop works on. Made and destroyed under Python's lock.
class HeldState final : public ScanState {
 public:
  explicit HeldState(nb::object object) : object_(std::move(object)) {}
  ~HeldState() override {
    const nb::gil_scoped_acquire lock;
    object_.reset();
  }
  void next(ScanEvent&) override {}
  const nb::object& object() const { return object_; }

 private:
  nb::object object_;
};

MakeScanState state_maker(nb::object make) {
  if (!make.is_valid() || make.is_none()) return {};
  // Functions are copied and destroyed without Python's lock.
  const std::shared_ptr<nb::object> held(new nb::object(std::move(make)), [](nb::object* object) {
    const nb::gil_scoped_acquire lock;
    delete object;
  });
  return [held](const Input& input, const ScanEvent&) {
    const nb::gil_scoped_acquire lock;
    return std::make_unique<HeldState>((*held)(text_of(input.path)));
  };
}

class SharedScan {
 public:
  SharedScan(std::vector<Input> inputs, std::unique_ptr<ScanWork> work, ScanOptions options)
      : scan_(std::move(inputs), std::move(work), std::move(options)) {}
  ~SharedScan() = default;

  Event next() {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    ScanEvent event;
    bool more = false;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(busy_);
      more = scan_.next(event);
    }
    if (!more) throw nb::stop_iteration();
    Event seen{event.kind,   scan_.inputs()[event.input].path,
               event.input,  event.index,
               event.time,   event.seconds,
               nb::none(),   nb::none(),
               std::nullopt, nb::none()};
    if (event.kind == ScanEvent::Kind::kFrame) {
      seen.picture = nb::cast(std::move(event.picture));
      seen.found = nb::cast(std::move(event.found));
    }
    if (event.kind == ScanEvent::Kind::kProblem) seen.problem = event.problem;
    if (event.state != nullptr) seen.state = static_cast<const HeldState*>(event.state)->object();
    return seen;
  }

  const Scan& scan() const { return scan_; }

 private:
  Scan scan_;
  std::mutex busy_;
};

std::string describe(const Event& event) {
  const std::string what = std::string(kind_name(event.kind)) + " of " + event.source;
  if (event.problem) return "ScanEvent(" + what + ": " + *event.problem + ")";
  if (event.kind != ScanEvent::Kind::kFrame) return "ScanEvent(" + what + ")";
  const std::size_t count = nb::len(event.found);
  return "ScanEvent(" + what + ", " + std::to_string(count) + (count == 1 ? " object)" : " objects)");
}

void bind_event(nb::module_& module) {
  nb::class_<Event>(module, "ScanEvent",
                    "What a scan gives: a frame with its answer, a problem, or the end of an input.")
      .def_prop_ro(
          "kind", [](const Event& event) { return EventWord{kind_name(event.kind)}; },
          "'frame', 'problem' or 'end'.")
      .def_prop_ro(
          "source", [](const Event& event) { return text_of(event.source); }, "The input's path.")
      .def_ro("input", &Event::input, "The input's number.")
      .def_ro("frame", &Event::frame, "The frame's number in its input; frames left out count, too.")
      .def_ro("time", &Event::time, "Of a video's frame, in seconds; else None.")
      .def_ro("seconds", &Event::seconds, "What the search took for one frame, a mean over its batch.")
      .def_prop_ro(
          "picture", [](const Event& event) { return event.picture; },
          nb::sig("def picture(self) -> Picture[numpy.typing.NDArray[numpy.uint8] | None]"),
          "The frame's `Picture`. A problem and an end have None.")
      .def_prop_ro(
          "found", [](const Event& event) { return event.found; }, nb::sig("def found(self) -> Detections"),
          "The frame's `Detections`. A problem and an end have None.")
      .def_prop_ro(
          "problem",
          [](const Event& event) -> nb::object {
            return event.problem ? nb::object(text_of(*event.problem)) : nb::none();
          },
          nb::sig("def problem(self) -> str | None"), "One sentence that names the input; else None.")
      .def_prop_ro(
          "state", [](const Event& event) { return event.state; }, nb::sig("def state(self) -> typing.Any"),
          "What make_state gave for this input; else None.")
      .def("__repr__", [](const Event& event) { return text_of(describe(event)); });
}

}  // namespace

void bind_scan(nb::module_& module) {
  bind_event(module);
  nb::class_<SharedScan>(module, "Scan", "An iterator of `ScanEvent`s; `scan` makes it.")
      .def(
          "__iter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[ScanEvent]"))
      .def("__next__", &SharedScan::next)
      .def_prop_ro(
          "inputs",
          [](const SharedScan& self) {
            nb::list paths;
            for (const Input& input : self.scan().inputs()) paths.append(text_of(input.path));
            return paths;
          },
          nb::sig("def inputs(self) -> list[str]"), "The paths of the inputs, in their order.")
      .def("__repr__", [](const SharedScan& self) {
        const ScanProgress& progress = self.scan().progress();
        return "Scan(" + std::to_string(progress.inputs_done) + " of " + std::to_string(progress.inputs) +
               (progress.inputs == 1 ? " input, " : " inputs, ") + std::to_string(progress.frames) +
               (progress.frames == 1 ? " frame)" : " frames)");
      });
  module.def(
      "scan",
      [](const Paths& inputs, const AnyModel& model WINNOW_SEARCH_KEYWORDS(WINNOW_PARAMETER), bool recursive,
         int every, bool color, std::optional<int> batch, std::int64_t max_pixels,
         const StateMaker& make_state, WINNOW_MACHINE_PARAMETERS) {
        Search search;
        WINNOW_SEARCH_KEYWORDS(WINNOW_FIELD)
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const InputRequest request{paths_of(inputs.object), {}, recursive};
        DetectorModel loaded = parse_model(model.object);
        ScanOptions options;
        options.color = color;
        options.every = every;
        options.max_pixels = max_pixels;
        options.batch = batch;
        options.make_state = state_maker(make_state.object);
        const nb::gil_scoped_release free;
        return std::make_unique<SharedScan>(expand_inputs(request),
                                            make_detect_work(std::move(loaded), search.options, machine),
                                            std::move(options));
      },
      nb::arg("inputs"), nb::arg("model"), nb::kw_only() WINNOW_SEARCH_KEYWORDS(WINNOW_ARGUMENT),
      nb::arg("recursive") = false, nb::arg("every") = 1, nb::arg("color") = false,
      nb::arg("batch") = nb::none(), nb::arg("max_pixels") = ReadOptions().max_pixels,
      nb::arg("make_state").none() = nb::none(), WINNOW_MACHINE_ARGUMENTS,
      "Searches files, folders, patterns, videos and cameras, and gives every frame with its answer.\n\n"
      "Inputs are read ahead in threads and searched in batches; events come in the inputs' order. A file\n"
      "that cannot be read is an event of the kind 'problem', and the others go on. The keywords of a "
      "search\n"
      "are those of `Detector.detect`. recursive: also search folders inside folders. every: take only each\n"
      "Nth frame of videos, cameras and streams. color: read colour also if the model does not want it.\n"
      "batch: frames a call; None takes those that are read by then. max_pixels: larger pictures are\n"
      "problems. make_state is called with an input's path at its first frame; each event of that input\n"
      "then has as `state` what it gave, such as a tracker.\n\n"
      ">>> for event in winnow.scan('photo.jpg', 'face'):\n"
      "...     if event.kind == 'frame':\n"
      "...         print(event.source, event.found.boxes.tolist())\n"
      "photo.jpg [[164, 101, 204, 204]]");
}

}  // namespace winnow::python
