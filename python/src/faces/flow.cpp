// Binds `Flow` and `FlowPoints`.
#include <winnow/flow.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "arrays/number_arrays.h"
#include "arrays/picture_argument.h"
#include "constructor.h"
#include "machine_arguments.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

// The results of a call, one for each point. In Python, measures that were not asked for are None.
struct FlowPoints {
  std::vector<FlowPoint> list;
  bool has_back = false, has_ncc = false;
  bool operator==(const FlowPoints&) const = default;

  template <class Number>
  nb::object numbers(Number FlowPoint::*member) const {
    std::vector<Number> values;
    for (const FlowPoint& point : list) values.push_back(point.*member);
    return owned_numbers(std::move(values), {list.size()});
  }

  // One byte for each point: std::vector<bool> packs its values in bits, and NumPy's arrays do not.
  nb::object found() const {
    std::vector<std::uint8_t> values;
    for (const FlowPoint& point : list) values.push_back(point.found);
    return owned_numbers(std::move(values), {list.size()}).attr("view")("bool");
  }
};

// A flow that several Python threads may share: one thread carries points at a time, and the others wait.
class SharedFlow {
 public:
  explicit SharedFlow(const MachineOptions& machine) : flow_(machine) {}

  FlowPoints track(PictureArgument& before, PictureArgument& after, const std::vector<LandmarkPoint>& points,
                   const FlowOptions& options) {
    FlowPoints found{{}, options.back, options.ncc};
    const nb::gil_scoped_release free;
    const GrayView first = before.host().gray, second = after.host().gray;
    const std::lock_guard lock(busy_);
    flow_.track(first, second, points, options, found.list);
    return found;
  }

  std::optional<FlowPoints> next(PictureArgument& frame, const std::vector<LandmarkPoint>& points,
                                 const FlowOptions& options) {
    FlowPoints found{{}, options.back, options.ncc};
    const nb::gil_scoped_release free;
    const GrayView gray = frame.host().gray;
    const std::lock_guard lock(busy_);
    if (!flow_.next(gray, points, options, found.list)) return std::nullopt;
    return found;
  }

  void forget() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    flow_.forget();
  }

  const Flow& flow() const { return flow_; }
  BackendKind backend() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return flow_.backend();
  }
  std::string note() {
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    return flow_.note();
  }

 private:
  Flow flow_;
  std::mutex busy_;
};

#define WINNOW_FLOW_PARAMETERS                                                                           \
  int levels, const std::pair<int, int>&window, int iterations, double eps, double min_eigen, bool back, \
      bool ncc, const std::optional<std::pair<int, int>>&ncc_window,                                     \
      const std::optional<ChannelsWord>&channels
#define WINNOW_FLOW_OPTIONS                                                                           \
  FlowOptions {                                                                                       \
    levels, {window.first, window.second}, iterations, eps, min_eigen, back, ncc, size_of(ncc_window) \
  }

Size size_of(const std::optional<std::pair<int, int>>& window) {
  return window ? Size{window->first, window->second} : Size{};
}

PictureArgument host_picture(nb::handle object, const std::optional<ChannelsWord>& channels) {
  PictureArgument picture(object, {parse_channels(channels), false});
  picture.refuse_device();
  return picture;
}

void bind_flow_points(nb::module_& module) {
  nb::class_<FlowPoints> shown(
      module, "FlowPoints",
      "Where the points of a call went, in the order of these points. `Flow` gives it. Arrays are\n"
      "copies, which you may change.");
  shown
      .def_prop_ro(
          "points", [](const FlowPoints& found) { return points_array(found.list); },
          "Places in the second picture, (points, 2): x and y. The middle of the first pixel is (0, 0). For "
          "a "
          "point\nthat was not found, the place where the search ended.")
      .def_prop_ro(
          "found", [](const FlowPoints& found) { return BoolArray{found.found()}; },
          "For each point, whether the point was found, (points,).")
      .def_prop_ro(
          "error", [](const FlowPoints& found) { return FloatArray{found.numbers(&FlowPoint::error)}; },
          "For each point the mean difference of the windows before and after, in grey levels.")
      .def_prop_ro(
          "back_distance",
          [](const FlowPoints& found) -> std::optional<FloatArray> {
            if (!found.has_back) return std::nullopt;
            return FloatArray{found.numbers(&FlowPoint::back_distance)};
          },
          "For each point the distance from where it began to where it is carried back; None without "
          "`back`.\n"
          "Infinite for a point that was not found on the way back.")
      .def_prop_ro(
          "ncc",
          [](const FlowPoints& found) -> std::optional<FloatArray> {
            if (!found.has_ncc) return std::nullopt;
            return FloatArray{found.numbers(&FlowPoint::ncc)};
          },
          "For each point the correlation of the windows before and after, -1 to 1; None without `ncc`.")
      .def("__len__", [](const FlowPoints& found) { return found.list.size(); })
      .def(
          "__eq__",
          [](const FlowPoints& a, nb::handle b) {
            const FlowPoints* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a == *other;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const FlowPoints& found) {
        const auto count = std::count_if(found.list.begin(), found.list.end(),
                                         [](const FlowPoint& point) { return point.found; });
        return "FlowPoints(" + std::to_string(count) + " of " + std::to_string(found.list.size()) + " found)";
      });
  shown.attr("__hash__") = nb::none();
}

}  // namespace

void bind_flow(nb::module_& module) {
  bind_flow_points(module);
  nb::class_<SharedFlow> shown(
      module, "Flow",
      "Carries points from one picture to the next, by pyramidal Lucas-Kanade with OpenCV's arithmetic. "
      "Results are\nthe same on every backend, for every number of threads. Threads may share a flow, and "
      "then wait for each other.\n\n"
      ">>> flow = winnow.Flow(backend='cpu', threads=2)\n"
      ">>> flow\n"
      "Flow(cpu, 2 threads)");
  def_constructor(
      shown,
      +[](SharedFlow* self, WINNOW_MACHINE_PARAMETERS) {
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const nb::gil_scoped_release free;
        new (self) SharedFlow(machine);
      },
      nb::kw_only(), WINNOW_MACHINE_ARGUMENTS);
  const FlowOptions defaults;
  const nb::object usual_window = nb::make_tuple(defaults.window.width, defaults.window.height);
#define WINNOW_FLOW_ARGUMENTS                                                                                \
  nb::kw_only(), nb::arg("levels") = defaults.levels, nb::arg("window") = usual_window,                      \
                 nb::arg("iterations") = defaults.iterations, nb::arg("eps") = defaults.eps,                 \
                 nb::arg("min_eigen") = defaults.min_eigen, nb::arg("back") = false, nb::arg("ncc") = false, \
                 nb::arg("ncc_window") = nb::none(), nb::arg("channels") = nb::none()
  shown
      .def(
          "track",
          [](SharedFlow& self, const AnyPicture& before, const AnyPicture& after, const AnyArray& points,
             WINNOW_FLOW_PARAMETERS) {
            PictureArgument first = host_picture(before.object, channels),
                            second = host_picture(after.object, channels);
            return self.track(first, second, points_from<LandmarkPoint>(points.object), WINNOW_FLOW_OPTIONS);
          },
          nb::arg("before").none(), nb::arg("after").none(), nb::arg("points"), WINNOW_FLOW_ARGUMENTS,
          "Carries points of one picture to another of the same size. Forgets the frame that `next` kept.\n\n"
          "Pictures are those of `Detector.detect`, in host memory. Points are an array (points, 2): x and "
          "y, with the\n"
          "middle of the first pixel at (0, 0).\n\n"
          "- `levels`: the most levels of the pyramid, 1 to 16.\n"
          "- `window`: width and height of the pixels that are compared, odd numbers from 3 to 31.\n"
          "- `iterations`, `eps`: a level ends after this many steps, or with a step of `eps` pixels or\n"
          "  less.\n"
          "- `min_eigen`: the least texture that a window needs.\n"
          "- `back`: also carry each found point back. A point with a large `back_distance` is probably\n"
          "  wrong.\n"
          "- `ncc`: also correlate the windows before and after.\n"
          "- `ncc_window`: width and height of the windows that are correlated; None: those of `window`.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> moved = np.roll(gray, (2, -3), axis=(0, 1))\n"
          ">>> found = winnow.Flow(backend='cpu').track(gray, moved, [(220, 200), (300, 210)], back=True)\n"
          ">>> found, found.points.round(1).tolist(), bool(found.back_distance.max() < 0.1)\n"
          "(FlowPoints(2 of 2 found), [[217.0, 202.0], [297.0, 212.0]], True)")
      .def(
          "next",
          [](SharedFlow& self, const AnyPicture& frame, const AnyArray& points, WINNOW_FLOW_PARAMETERS) {
            PictureArgument picture = host_picture(frame.object, channels);
            return self.next(picture, points_from<LandmarkPoint>(points.object), WINNOW_FLOW_OPTIONS);
          },
          nb::arg("frame").none(), nb::arg("points"), WINNOW_FLOW_ARGUMENTS,
          "Takes the next frame of a video, and carries points of the frame before to it. None if there is "
          "no "
          "frame\nbefore of the same size. The options are those of `track`.\n\n"
          ">>> gray = winnow.read_picture('photo.jpg').gray\n"
          ">>> flow = winnow.Flow(backend='cpu')\n"
          ">>> flow.next(gray, []) is None\n"
          "True\n"
          ">>> flow.next(np.roll(gray, 4, axis=1), [(220, 200)]).points.round(1).tolist()\n"
          "[[224.0, 200.0]]")
      .def("forget", &SharedFlow::forget,
           "Forgets the frame before, as at a cut.\n\n"
           ">>> flow = winnow.Flow(backend='cpu')\n"
           ">>> flow.next('photo.jpg', [])\n"
           ">>> flow.forget()\n"
           ">>> flow.next('photo.jpg', []) is None\n"
           "True")
      .def_prop_ro(
          "backend", [](SharedFlow& self) { return BackendWord{backend_name(self.backend())}; },
          "'auto' if several backends may be used, else the backend.")
      .def_prop_ro(
          "note", [](SharedFlow& self) { return self.note(); },
          "With 'auto': why no device helps, if one was to help and could not start or failed; else \"\".")
      .def_prop_ro("threads", [](const SharedFlow& self) { return self.flow().threads(); })
      .def("__repr__", [](SharedFlow& self) {
        return std::string("Flow(") + backend_name(self.backend()) + ", " +
               std::to_string(self.flow().threads()) +
               (self.flow().threads() == 1 ? " thread)" : " threads)");
      });
}

}  // namespace winnow::python
