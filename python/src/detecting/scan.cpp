// Binds `Scan` and its events, with states that Python makes.
#include <winnow/scan.h>

#include <any>
#include <atomic>
#include <chrono>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "detecting/search_arguments.h"
#include "machine_arguments.h"
#include "models/model_argument.h"
#include "paths.h"
#include "typed.h"

namespace winnow::python {
namespace {

// The fields of a `ScanEvent` that Python sees.
struct Event {
  ScanEvent::Kind kind;
  std::string source;
  std::size_t input;
  std::int64_t frame;
  std::optional<double> time;
  double seconds;
  nb::object picture, found, shapes, faces;  // None for all events but frames
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

// The Python objects of a scan: the maker of states, and the present state. Used under Python's lock.
struct Held {
  nb::object make, state;
};

// Stands for the state that `make_state` gave for the present input. The caller's loop in Python uses that
// state itself, so `next` only passes frames to the state that follows faces, if there is one.
class HeldState final : public ScanState {
 public:
  HeldState(std::shared_ptr<Held> held, std::unique_ptr<ScanState> follows)
      : held_(std::move(held)), follows_(std::move(follows)) {}
  ~HeldState() override {
    const nb::gil_scoped_acquire lock;
    nb::object state = std::move(held_->state);  // the object's destructor may read `held_->state`
    held_->state.reset();
  }
  void next(ScanEvent& frame) override {
    if (follows_ != nullptr) follows_->next(frame);
  }
  std::string note() const override { return follows_ != nullptr ? follows_->note() : std::string(); }

 private:
  std::shared_ptr<Held> held_;
  std::unique_ptr<ScanState> follows_;
};

// `follow` makes the state that follows faces, and is empty if no faces are followed.
MakeScanState state_maker(const std::shared_ptr<Held>& held, MakeScanState follow) {
  if (held->make.is_none()) return follow;
  return [held, follow = std::move(follow)](const Input& input, const ScanEvent& first) {
    std::unique_ptr<ScanState> follows = follow ? follow(input, first) : nullptr;
    const nb::gil_scoped_acquire lock;
    held->state = held->make(text_of(input.path));
    return std::make_unique<HeldState>(held, std::move(follows));
  };
}

class SharedScan {
 public:
  SharedScan(std::vector<Input> inputs, std::unique_ptr<ScanWork> work, ScanOptions options,
             std::shared_ptr<Held> held)
      : held_(std::move(held)),
        inputs_(inputs),
        scan_(std::move(inputs), std::move(work), std::move(options)) {}

  Event next() {
    if (owner_ == std::this_thread::get_id())
      throw Error(ErrorCode::kUsage, "a scan is taken from inside of its own make_state or state");
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    const Owning owning(owner_);
    ScanEvent event;
    // The wait is cut into pieces of 100 ms, so that Ctrl-C works while the scan waits for an input.
    do {
      const nb::gil_scoped_acquire python;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } while (!scan_.wait(std::chrono::milliseconds(100)));
    const bool more = scan_.next(event);
    const nb::gil_scoped_acquire python;
    if (!more) throw nb::stop_iteration();
    return seen(event);
  }

  std::string describe() {
    ScanProgress progress;
    {
      const nb::gil_scoped_release free;
      const std::lock_guard lock(busy_);
      progress = scan_.progress();
    }
    return "Scan(" + std::to_string(progress.inputs_done) + " of " + std::to_string(progress.inputs) +
           (progress.inputs == 1 ? " input, " : " inputs, ") + std::to_string(progress.frames) +
           (progress.frames == 1 ? " frame)" : " frames)");
  }

  std::string note() {
    if (owner_ == std::this_thread::get_id()) return scan_.progress().note;
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return scan_.progress().note;
  }

  const std::vector<Input>& inputs() const { return inputs_; }
  Held& held() { return *held_; }

 private:
  // Names the thread that takes an event, until it has taken the event.
  class Owning {
   public:
    explicit Owning(std::atomic<std::thread::id>& owner) : owner_(owner) {
      owner_ = std::this_thread::get_id();
    }
    ~Owning() { owner_ = std::thread::id(); }

   private:
    std::atomic<std::thread::id>& owner_;
  };

  Event seen(ScanEvent& event) {
    Event seen{event.kind, event.from->path, event.input, event.index, event.time,   event.seconds,
               nb::none(), nb::none(),       nb::none(),  nb::none(),  std::nullopt, nb::none()};
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
    if (event.state != nullptr && held_->state.is_valid()) seen.state = held_->state;
    return seen;
  }

  std::shared_ptr<Held> held_;
  const std::vector<Input> inputs_;
  Scan scan_;
  std::mutex busy_;
  std::atomic<std::thread::id> owner_{};
};

// Shows Python's collector the objects that events and scans hold. So the collector also frees a tracker
// that keeps events which hold the tracker.
int visit_all(visitproc visit, void* arg, std::initializer_list<const nb::object*> objects) {
  for (const nb::object* object : objects) {
    if (object->is_valid()) Py_VISIT(object->ptr());
  }
  return 0;
}
template <class Shown, class Visit>
int traverse(PyObject* self, visitproc visit, void* arg, Visit each) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? each(*nb::inst_ptr<Shown>(self)) : 0;
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
int traverse_scan(PyObject* self, visitproc visit, void* arg) {
  return traverse<SharedScan>(self, visit, arg, [&](SharedScan& scan) {
    return visit_all(visit, arg, {&scan.held().make, &scan.held().state});
  });
}
int clear_scan(PyObject* self) {
  Held& held = nb::inst_ptr<SharedScan>(self)->held();
  held.make = held.state = nb::none();
  return 0;
}
PyType_Slot event_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_event)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear_event)},
                             {0, nullptr}};
PyType_Slot scan_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_scan)},
                            {Py_tp_clear, reinterpret_cast<void*>(clear_scan)},
                            {0, nullptr}};

std::string describe(const Event& event) {
  const std::string what = std::string(kind_name(event.kind)) + " of " + event.source;
  if (event.problem) return "ScanEvent(" + what + ": " + *event.problem + ")";
  if (event.kind != ScanEvent::Kind::kFrame) return "ScanEvent(" + what + ")";
  const std::size_t count = nb::len(event.found);
  return "ScanEvent(" + what + ", " + std::to_string(count) + (count == 1 ? " object)" : " objects)");
}

void bind_event(nb::module_& module) {
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
          "For a frame of a video, camera or stream, if the scan has landmarks: its faces with their "
          "numbers, "
          "also\nthose that are lost in it; else None. `found` and `shapes` have the faces that are there.")
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

}  // namespace

void bind_scan(nb::module_& module) {
  bind_event(module);
  nb::class_<SharedScan>(module, "Scan", nb::type_slots(scan_slots),
                         "An iterator of `ScanEvent`s; `scan` makes it.")
      .def(
          "__iter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[ScanEvent]"))
      .def("__next__", &SharedScan::next)
      .def_prop_ro(
          "inputs",
          [](const SharedScan& self) {
            nb::list paths;
            for (const Input& input : self.inputs()) paths.append(text_of(input.path));
            return paths;
          },
          nb::sig("def inputs(self) -> list[str]"), "The paths of the inputs, in their order.")
      .def_prop_ro(
          "note", &SharedScan::note,
          "With backend 'auto': why no device helps, if one was to help and could not start or failed; "
          "else \"\".")
      .def("__repr__", &SharedScan::describe);
  module.def(
      "scan",
      [](const Paths& inputs, const AnyModel& model WINNOW_SEARCH_KEYWORDS(WINNOW_PARAMETER),
         const AnyLandmarks& landmarks, std::optional<double> min_confidence, std::optional<int> detect_every,
         const std::optional<BetweenWord>& between, std::optional<bool> until_found, std::optional<int> gap,
         std::optional<double> smooth, std::optional<double> begin, bool recursive, int every, bool color,
         std::optional<int> batch, std::int64_t max_pixels, const StateMaker& make_state,
         WINNOW_MACHINE_PARAMETERS) {
        Search search;
        WINNOW_SEARCH_KEYWORDS(WINNOW_FIELD)
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const InputRequest request{paths_of(inputs.object), {}, recursive};
        DetectorModel loaded = parse_model(model.object);
        std::optional<Landmarks> points;
        if (!landmarks.object.is_none()) points = parse_landmarks(landmarks.object);
        if (min_confidence && !points)
          throw Error(ErrorCode::kUsage, "min_confidence is for landmarks, and the scan has none");
        if ((detect_every || between || until_found || gap || smooth || begin) && !points)
          throw Error(ErrorCode::kUsage,
                      "detect_every, between, until_found, gap, smooth and begin are for landmarks, and the "
                      "scan has none");
        FollowOptions follow;
        follow.detect_every = detect_every.value_or(follow.detect_every);
        if (between) follow.between = parse_between(between->text);
        follow.until_found = until_found;
        follow.gap = gap.value_or(follow.gap);
        follow.smooth = smooth.value_or(follow.smooth);
        follow.begin = begin.value_or(follow.begin);
        follow.search = search.options;
        follow.min_confidence = min_confidence;
        ScanOptions options;
        options.color = color;
        options.every = every;
        options.max_pixels = max_pixels;
        options.batch = batch;
        if (!make_state.object.is_none() && PyCallable_Check(make_state.object.ptr()) == 0)
          throw nb::type_error("make_state is a function that takes a path, or None");
        if (max_pixels < 1) throw Error(ErrorCode::kUsage, "max_pixels must be 1 or more");
        const auto held = std::make_shared<Held>(Held{make_state.object, {}});
        const nb::gil_scoped_release free;
        FollowScan parts;
        if (points) {
          parts = make_follow_scan(std::move(loaded), std::move(*points), follow, machine);
        } else {
          parts.work = make_detect_work(std::move(loaded), search.options, machine);
        }
        options.make_state = state_maker(held, std::move(parts.make_state));
        return std::make_unique<SharedScan>(expand_inputs(request), std::move(parts.work), std::move(options),
                                            held);
      },
      nb::arg("inputs"), nb::arg("model"), nb::kw_only() WINNOW_SEARCH_KEYWORDS(WINNOW_ARGUMENT),
      nb::arg("landmarks").none() = nb::none(), nb::arg("min_confidence") = nb::none(),
      nb::arg("detect_every") = nb::none(), nb::arg("between") = nb::none(),
      nb::arg("until_found") = nb::none(), nb::arg("gap") = nb::none(), nb::arg("smooth") = nb::none(),
      nb::arg("begin") = nb::none(), nb::arg("recursive") = false, nb::arg("every") = 1,
      nb::arg("color") = false, nb::arg("batch") = nb::none(),
      nb::arg("max_pixels") = ReadOptions().max_pixels, nb::arg("make_state").none() = nb::none(),
      WINNOW_MACHINE_ARGUMENTS,
      "Searches files, folders, patterns, videos and cameras, and gives every frame with its answer.\n\n"
      "Inputs are read ahead in threads and searched in batches; events come in the inputs' order. A\n"
      "file that cannot be read is an event of the kind 'problem', and the others go on. The keywords\n"
      "of a search are those of `Detector.detect`. landmarks: mark points in each box, as `winnow\n"
      "faces` does; `shapes` of an event has them. With landmarks that know presence, the search is\n"
      "looser, as in `winnow faces`, and faces with a confidence below min_confidence are dropped.\n"
      "Faces of videos, cameras and streams are then followed: `faces` of an event has their numbers,\n"
      "and detect_every, between, until_found, gap, smooth and begin are those of `Follower`. An\n"
      "until_found of None means True for cameras and streams, and False for video files.\n\n"
      "- `recursive`: also search folders inside folders.\n"
      "- `every`: take only each Nth frame of videos, cameras and streams.\n"
      "- `color`: read colour even if the model does not use it.\n"
      "- `batch`: the number of frames that are searched together; None takes those that are read by\n"
      "  then.\n"
      "- `max_pixels`: a picture of more pixels is a problem.\n"
      "- `make_state`: a function that makes a state for an input, such as a tracker. It is called with\n"
      "  the input's path at the input's first frame. This event and each later event of the input has\n"
      "  the result as `state`. An exception in the function ends the scan.\n\n"
      ">>> for event in winnow.scan('photo.jpg', 'face'):\n"
      "...     if event.kind == 'frame':\n"
      "...         print(event.source, event.found.boxes.tolist())\n"
      "photo.jpg [[164, 101, 204, 204]]");
}

}  // namespace winnow::python
