// Checks options and pictures for `Detector`, and passes them to the search.
#include <winnow/detector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include <winnow/error.h>

#include "backend/auto_engine.h"
#include "backend/backend.h"
#include "base/simd.h"
#include "base/threads.h"
#include "image/border.h"
#include "session/picture_search.h"
#include "session/pipeline_change.h"
#include "session/region.h"
#include "session/search_per_thread.h"

namespace winnow {
namespace {

// More levels than this come from a scale factor so close to 1 that a search would take far too long.
constexpr double kMaxLevels = 4096;
constexpr int kMaxSide = 1 << 16;
constexpr double kMaxEnlarge = 4;
constexpr std::size_t kMostLocations = std::size_t{1} << 20;
std::string size_words(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

// `part`: the size of the searched region.
void check_locations(Size part, Size window, const DetectOptions& options) {
  if (options.locations.empty()) return;
  if (options.locations.size() > kMostLocations)
    throw Error(ErrorCode::kLimit, "there must not be more than 1048576 locations");
  if (*options.border > 0)
    throw Error(ErrorCode::kUsage, "locations and a border exclude each other: choose padding, or no border");
  const Size padding = options.padding;
  const PixelPoint corner = corner_of(options.region);
  for (std::size_t i = 0; i < options.locations.size(); ++i) {
    const PixelPoint at = options.locations[i];
    const auto within = [](int place, int first, int pad, int side, int length) {
      const std::int64_t inside = std::int64_t{place} - first;
      return inside >= -pad && inside <= std::int64_t{side} + pad - length;
    };
    if (within(at.x, corner.x, padding.width, part.width, window.width) &&
        within(at.y, corner.y, padding.height, part.height, window.height))
      continue;
    throw Error(ErrorCode::kUsage,
                "location " + std::to_string(i) + ", (" + std::to_string(at.x) + ", " + std::to_string(at.y) +
                    "), leaves no room for a window of " + size_words(window) +
                    (has_region(options) ? " in the region (" : " in the picture (") + size_words(part) +
                    ") with its padding; leave the location out, or raise the padding");
  }
}

void check_region(Size picture, const DetectOptions& options) {
  if (!has_region(options)) return;
  const Box& region = options.region;
  check_region_sides(region);
  const Box inside = clip(region, picture);
  if (inside.width < 1 || inside.height < 1)
    throw Error(ErrorCode::kUsage,
                "the region of interest lies outside the picture, which is " + size_words(picture));
}

// In the functions below, every field of `options` has a value.
void check(const PictureView& view, const DetectOptions& options, const DetectorModel& model) {
  const PlanRules& rules = model.plan_rules();
  const Size window = model.window();
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::kUsage, why); };
  const double scale_factor = *options.scale_factor, enlarge = *options.enlarge, border = *options.border;
  if (!(scale_factor > 1) || !std::isfinite(scale_factor))
    refuse("the scale factor must be a number above 1");
  if (!(enlarge >= 1 && enlarge <= kMaxEnlarge)) refuse("enlarge must be a number from 1 to 4");
  if (options.min_size.width < 0 || options.min_size.height < 0 || options.max_size.width < 0 ||
      options.max_size.height < 0) {
    refuse("sizes must not be negative");
  }
  if (std::isnan(*options.min_score) || std::isnan(*options.min_support))
    refuse("the minimum score and the minimum support must be numbers");
  const auto both = [](Size size, auto holds) { return holds(size.width) && holds(size.height); };
  const auto is_side = [](int side) { return side >= 0 && side <= kMaxSide; };
  if (!both(options.step, is_side)) refuse("the step must be from 0 to 65536 pixels");
  if (options.step != Size{} && rules.step != StepRule::kFixed)
    refuse("this model has no step to choose: a cascade's windows lie 1 or 2 pixels apart");
  if (!both(options.step, [&](int side) { return side % rules.step_unit == 0; }))
    refuse("this model's step must be a multiple of " + std::to_string(rules.step_unit) + " pixels");
  if (!both(options.padding, is_side)) refuse("the padding must be from 0 to 65536 pixels");
  if (options.max_levels < 0 || options.max_levels > kMaxLevels) refuse("max_levels must be from 0 to 4096");
  if (!rules.any_place && (options.padding != Size{} || !options.locations.empty() || options.max_levels > 0))
    refuse("padding, locations and max_levels are for linear SVMs; this model is none");
  const GrayView whole = view.gray;
  if (whole.width < 0 || whole.height < 0) refuse("a picture's sides must not be negative");
  if (!whole.empty() && whole.data == nullptr) refuse("a picture without pixels");
  check_region(whole.size(), options);
  const GrayView picture = searched_part(view, options).gray;
  check_locations(picture.size(), window, options);
  if (!(border >= 0 && border <= 1)) refuse("the border must be a number from 0 to 1");
  if (view.color.data != nullptr && view.color.size() != whole.size())
    refuse("a picture's grey and colour views must have the same size");
  if (picture.width > kMaxSide || picture.height > kMaxSide) {
    throw Error(ErrorCode::kLimit, "a picture's sides must not exceed 65536 pixels");
  }
  const Size bordered = bordered_size(picture.size(), border_margin(picture.size(), border));
  const int longer = std::max(bordered.width, bordered.height);
  if (longer > kMaxSide) {
    throw Error(ErrorCode::kLimit,
                "a picture's sides must not exceed 65536 pixels with the border, which makes " +
                    std::to_string(longer) + "; choose a smaller border");
  }
  const int padded =
      std::max(bordered.width + 2 * options.padding.width, bordered.height + 2 * options.padding.height);
  if (padded > kMaxSide)
    throw Error(ErrorCode::kLimit, "a picture's sides must not exceed 65536 pixels with the padding");
  if (padded * enlarge > kMaxSide)
    throw Error(ErrorCode::kLimit,
                "a picture's sides must not exceed 65536 pixels when it is enlarged; enlarge it less");
  const double side = rules.scale == ScaleRule::kOpenCvList ? std::max(longer, 1) : 1;
  if (std::log(side * enlarge) / std::log(scale_factor) > kMaxLevels) {
    throw Error(ErrorCode::kLimit,
                "the scale factor is so close to 1 that there would be more than 4096 levels");
  }
}

PictureView view_of(const DevicePicture& picture) {
  return GrayView{picture.data, picture.width, picture.height, picture.stride};
}

void check(const DevicePicture& picture, const DetectOptions& options, const DetectorModel& model) {
  check(view_of(picture), options, model);
  if (picture.device < 0) throw Error(ErrorCode::kUsage, "a device's number must not be negative");
  if (*options.border > 0) {
    throw Error(
        ErrorCode::kUsage,
        "a picture on a device cannot get a border; set the border to 0, or copy the picture to the host");
  }
  if (picture.stride < picture.width)
    throw Error(ErrorCode::kUsage, "the rows of a picture on a device must not overlap");
}

}  // namespace

// What a detector has for one backend.
struct DetectorEngine {
  const BackendTable* table;
  int threads;
  PictureSearch search;  // all threads search one picture
  SearchPerThread per_thread;

  DetectorEngine(const DetectorModel& model, const BackendTable& backend, const MachineOptions& machine,
                 const ShapeMarks* marks)
      : DetectorEngine(model, backend, backend.threads(machine.threads),
                       marks != nullptr
                           ? make_marking_pipeline(backend, model, place(backend, machine), *marks)
                           : make_pipeline(backend, model, place(backend, machine))) {}
  DetectorEngine(const DetectorModel& model, const BackendTable& backend, const MachineOptions& machine,
                 const PipelineChange& change)
      : DetectorEngine(model, backend, backend.threads(machine.threads),
                       change.make(backend, make_pipeline(backend, model, place(backend, machine)))) {}

  // `shapes` is empty or has an element for each picture.
  void detect(std::span<const PictureView> pictures, const DetectOptions& options,
              std::span<Detections> results, std::span<PictureShapes> shapes) {
    const std::size_t first = per_thread.search(pictures, options, results);
    search.search(pictures.subspan(first), options, results.subspan(first), {},
                  shapes.empty() ? shapes : shapes.subspan(first));
  }

 private:
  DetectorEngine(const DetectorModel& model, const BackendTable& backend, int host_threads,
                 std::unique_ptr<Pipeline> pipeline)
      : table(&backend),
        threads(host_threads),
        search(model, backend.name, std::move(pipeline)),
        per_thread(model, backend.name, threads, search.pipeline()) {}
  static StepPlace place(const BackendTable& backend, const MachineOptions& machine) {
    return {backend.threads(machine.threads), machine.devices};
  }
};

struct Detector::State {
  DetectorModel model;
  AutoEngine<DetectorEngine> engines;
  bool by_device = false;  // whether the searches that are pending are the device's
  std::vector<PictureView> views;
  DetectOptions options;  // the options of the newest call, with a value in every field

  // Completes the options of a call with the model's defaults. The default border is 0 where no border is
  // possible: for pictures on a device, and with locations.
  const DetectOptions& complete(const DetectOptions& given, bool on_device) {
    options = given;
    if (!options.border && (on_device || !options.locations.empty())) options.border = 0;
    options = complete_options(std::move(options), model.search_defaults());
    return options;
  }

  // The search that has the pending pictures.
  PictureSearch& started() {
    DetectorEngine* device = by_device ? engines.awake() : nullptr;
    return (device != nullptr ? *device : engines.first()).search;
  }
  void check_none_pending() { started().check_none_pending(); }

  // Searches pictures in parts, so that a device that wakes meanwhile takes the rest.
  void detect(std::span<const PictureView> pictures, std::span<Detections> results,
              std::span<PictureShapes> shapes) {
    for (std::size_t first = 0, count = 0; first < pictures.size(); first += count) {
      const std::size_t left = pictures.size() - first;
      const bool parts = engines.is_waking() || (first == 0 && engines.may_have_device() && !engines.awake());
      count = parts ? std::min(left, 2 * static_cast<std::size_t>(engines.first().threads)) : left;
      engines.run(count, left - count, [&](DetectorEngine& engine) {
        engine.detect(pictures.subspan(first, count), options, results.subspan(first, count),
                      shapes.empty() ? shapes : shapes.subspan(first, count));
      });
    }
  }

  // The search that starts pictures. With `auto`, the device starts now, and if it cannot, the processor
  // searches pictures in host memory.
  PictureSearch& starting(bool there) {
    if (started().pending() > 0) return started();
    by_device = false;
    if (!engines.may_have_device()) return engines.first().search;
    try {
      PictureSearch& search = engines.wake_now().search;
      by_device = true;
      return search;
    } catch (const Error&) {
      if (there) throw;
    }
    return engines.first().search;
  }

  void collect(Detections& result) {
    PictureSearch& search = started();
    try {
      search.collect(result);
    } catch (const Error& error) {
      const std::string why = error.sentence();
      if (by_device && error.code() == ErrorCode::kDevice && search.pending() == 0) engines.leave(why);
      throw;
    }
  }
};

namespace {

void check_machine(const MachineOptions& machine) {
  check_threads(machine.threads);
  check_devices(machine.devices);
  simd_target();  // reads WINNOW_SIMD before the first dispatch
}

AutoEngine<DetectorEngine> make_engines(const DetectorModel& model, const MachineOptions& machine,
                                        const ShapeMarks* marks) {
  const AutoBackends backends = backends_for(machine.backend, model.kind());
  std::optional<ShapeMarks> own;
  if (marks != nullptr) own = *marks;
  return AutoEngine<DetectorEngine>(
      std::make_unique<DetectorEngine>(model, find_backend(backends.first, model.kind()), machine, marks),
      backends.start, machine.devices, [model, kind = backends.later, machine, own] {
        return std::make_unique<DetectorEngine>(model, find_backend(kind), machine, own ? &*own : nullptr);
      });
}

}  // namespace

Detector::Detector(DetectorModel model, const MachineOptions& machine)
    : Detector(std::move(model), machine, nullptr) {}

Detector::Detector(DetectorModel model, const MachineOptions& machine, const PipelineChange& change) {
  check_machine(machine);
  const BackendTable& table = find_backend(backends_for(machine.backend, model.kind()).first, model.kind());
  AutoEngine<DetectorEngine> engine(std::make_unique<DetectorEngine>(model, table, machine, change));
  state_ = std::make_unique<State>(State{std::move(model), std::move(engine), false, {}, {}});
}

Detector::Detector(DetectorModel model, const MachineOptions& machine, const ShapeMarks* marks) {
  check_machine(machine);
  auto engines = make_engines(model, machine, marks);
  state_ = std::make_unique<State>(State{std::move(model), std::move(engines), false, {}, {}});
}

Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

const DetectorModel& Detector::model() const { return state_->model; }
const Cascade& Detector::cascade() const {
  const Cascade* cascade = state_->model.cascade();
  if (cascade == nullptr)
    throw Error(ErrorCode::kUsage, "this detector's model is no cascade but of kind " + state_->model.kind());
  return *cascade;
}
BackendKind Detector::backend() const {
  return state_->engines.may_have_device() ? BackendKind::kAuto : state_->engines.first().table->kind;
}
std::string Detector::note() const { return state_->engines.note(); }
int Detector::threads() const { return state_->engines.first().threads; }
std::string Detector::simd() const { return state_->engines.first().search.pipeline().simd(); }

int Detector::pictures_at_once() const {
  const DetectorEngine* device = state_->engines.awake();
  const DetectorEngine& engine = device != nullptr ? *device : state_->engines.first();
  return engine.table->pictures_at_once(engine.threads);
}

void Detector::detect(const PictureView& picture, const DetectOptions& given, Detections& result) {
  const DetectOptions& options = state_->complete(given, false);
  check(picture, options, state_->model);
  state_->check_none_pending();
  state_->engines.run(1, 0, [&](DetectorEngine& engine) {
    engine.search.search({&picture, 1}, options, {&result, 1});
  });
}

Detections Detector::detect(const PictureView& picture, const DetectOptions& options) {
  Detections result;
  detect(picture, options, result);
  return result;
}

void Detector::detect(std::span<const PictureView> pictures, const DetectOptions& given,
                      std::vector<Detections>& results) {
  detect_marked(pictures, given, results, {});
}

void Detector::detect_marked(std::span<const PictureView> pictures, const DetectOptions& given,
                             std::vector<Detections>& results, std::span<PictureShapes> shapes) {
  const DetectOptions& options = state_->complete(given, false);
  for (const PictureView& picture : pictures) check(picture, options, state_->model);
  state_->check_none_pending();
  results.resize(pictures.size());
  state_->detect(pictures, results, shapes);
}

bool Detector::follows(const DetectOptions& given) {
  return state_->engines.first().search.follows(state_->complete(given, false));
}

void Detector::check_frame(const PictureView& frame, const DetectOptions& given) {
  check(frame, state_->complete(given, false), state_->model);
}

void Detector::follow(std::span<FollowJob> jobs, const DetectOptions& given, const FlowRules& rules) {
  const DetectOptions& options = state_->complete(given, false);
  for (const FollowJob& job : jobs) check(job.frame, options, state_->model);
  state_->engines.first().search.follow(jobs, options, rules);
}

void Detector::forget(int video) { state_->engines.first().search.forget(video); }

void Detector::detect(std::span<const GrayView> pictures, const DetectOptions& options,
                      std::vector<Detections>& results) {
  state_->views.assign(pictures.begin(), pictures.end());
  detect(state_->views, options, results);
}

// Consecutive pictures with the same device and stream are searched together.
void Detector::detect(std::span<const DevicePicture> pictures, const DetectOptions& given,
                      std::vector<Detections>& results) {
  const DetectOptions& options = state_->complete(given, true);
  for (const DevicePicture& picture : pictures) check(picture, options, state_->model);
  state_->check_none_pending();
  results.resize(pictures.size());
  PictureSearch& search = state_->starting(true);
  for (std::size_t first = 0, last = 0; first < pictures.size(); first = last) {
    const PictureSource source{pictures[first].device, pictures[first].stream};
    state_->views.clear();
    for (; last < pictures.size() && PictureSource{pictures[last].device, pictures[last].stream} == source;
         ++last)
      state_->views.push_back(view_of(pictures[last]));
    search.search(state_->views, options, std::span(results).subspan(first, last - first), source);
  }
}

void Detector::enqueue(const PictureView& picture, const DetectOptions& given) {
  const DetectOptions& options = state_->complete(given, false);
  check(picture, options, state_->model);
  state_->starting(false).enqueue(picture, options, {});
}
void Detector::enqueue(const DevicePicture& picture, const DetectOptions& given) {
  const DetectOptions& options = state_->complete(given, true);
  check(picture, options, state_->model);
  state_->starting(true).enqueue(view_of(picture), options, {picture.device, picture.stream});
}
void Detector::collect(Detections& result) { state_->collect(result); }
Detections Detector::collect() {
  Detections result;
  collect(result);
  return result;
}
int Detector::pending() const { return state_->started().pending(); }
int Detector::most_pending() { return Pipeline::kMostPending; }

}  // namespace winnow
