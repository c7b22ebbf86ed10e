// Binds `Scan`, with states that Python makes.
#include <winnow/scan.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "detecting/scan_event.h"
#include "detecting/search_arguments.h"
#include "machine_arguments.h"
#include "models/model_argument.h"
#include "paths.h"
#include "typed.h"

namespace winnow::python {
namespace {

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
  SharedScan(const InputRequest& request, std::unique_ptr<ScanWork> work, ScanOptions options,
             std::shared_ptr<Held> held)
      : held_(std::move(held)),
        inputs_(expand_inputs(request, &left_out_)),
        scan_(inputs_, std::move(work), std::move(options)) {}

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
    const bool has_state = event.state != nullptr && held_->state.is_valid();
    return seen_event(event, has_state ? held_->state : nb::none());
  }

  // Waits for a thread that takes an event, but not inside of `make_state`, which runs on that thread.
  ScanProgress progress() {
    if (owner_ == std::this_thread::get_id()) return scan_.progress();
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return scan_.progress();
  }

  std::string describe() {
    const ScanProgress now = progress();
    return "Scan(" + std::to_string(now.inputs_done) + " of " + std::to_string(now.inputs) +
           (now.inputs == 1 ? " input, " : " inputs, ") + std::to_string(now.frames) +
           (now.frames == 1 ? " frame)" : " frames)");
  }

  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<std::string>& left_out() const { return left_out_; }
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

  std::shared_ptr<Held> held_;
  std::vector<std::string> left_out_;
  const std::vector<Input> inputs_;
  Scan scan_;
  std::mutex busy_;
  std::atomic<std::thread::id> owner_{};
};

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
PyType_Slot scan_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_scan)},
                            {Py_tp_clear, reinterpret_cast<void*>(clear_scan)},
                            {0, nullptr}};

}  // namespace

void bind_scan(nb::module_& module) {
  bind_scan_event(module);
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
          "left_out",
          [](const SharedScan& self) {
            nb::list paths;
            for (const std::string& path : self.left_out()) paths.append(text_of(path));
            return paths;
          },
          nb::sig("def left_out(self) -> list[str]"),
          "The paths of files in folders that are neither pictures nor videos, and are no inputs.")
      .def_prop_ro(
          "inputs_done", [](SharedScan& self) { return self.progress().inputs_done; },
          "How many inputs have ended, up to the event that was taken last.")
      .def_prop_ro(
          "frames", [](SharedScan& self) { return self.progress().frames; },
          "How many frames were answered, up to the event that was taken last.")
      .def_prop_ro(
          "problems", [](SharedScan& self) { return self.progress().problems; },
          "How many events were problems, up to the event that was taken last.")
      .def_prop_ro(
          "note", [](SharedScan& self) { return self.progress().note; },
          "With backend 'auto': why no device helps, if one was to help and could not start or failed; "
          "else \"\".")
      .def("__repr__", &SharedScan::describe);
  module.def(
      "scan",
      [](const Paths& inputs, const AnyModel& model WINNOW_SEARCH_KEYWORDS(WINNOW_PARAMETER),
         const AnyLandmarks& landmarks, std::optional<double> min_confidence, std::optional<int> detect_every,
         const std::optional<BetweenWord>& between, std::optional<bool> until_found, std::optional<int> gap,
         std::optional<double> smooth, std::optional<double> begin, bool recursive, bool addresses, int every,
         bool color, std::optional<int> batch, std::int64_t max_pixels, const StateMaker& make_state,
         WINNOW_MACHINE_PARAMETERS) {
        Search search;
        WINNOW_SEARCH_KEYWORDS(WINNOW_FIELD)
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        InputRequest request;
        request.names = paths_of(inputs.object);
        request.recursive = recursive;
        request.addresses = addresses;
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
        return std::make_unique<SharedScan>(request, std::move(parts.work), std::move(options), held);
      },
      nb::arg("inputs"), nb::arg("model"), nb::kw_only() WINNOW_SEARCH_KEYWORDS(WINNOW_ARGUMENT),
      nb::arg("landmarks").none() = nb::none(), nb::arg("min_confidence") = nb::none(),
      nb::arg("detect_every") = nb::none(), nb::arg("between") = nb::none(),
      nb::arg("until_found") = nb::none(), nb::arg("gap") = nb::none(), nb::arg("smooth") = nb::none(),
      nb::arg("begin") = nb::none(), nb::arg("recursive") = false, nb::arg("addresses") = false,
      nb::arg("every") = 1, nb::arg("color") = false, nb::arg("batch") = nb::none(),
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
      "- `addresses`: inputs may also be addresses (rtsp://, http://, https://) and numbers of cameras\n"
      "  ('0' is /dev/video0). A file of that name wins.\n"
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
