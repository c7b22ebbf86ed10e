#include <winnow/detector.h>

#include <cmath>
#include <thread>
#include <utility>

#include <winnow/error.h>

#include "backend/backend.h"
#include "base/simd.h"

namespace winnow {
namespace {

// More levels than this come from a scale factor so close to 1 that the answer would not arrive.
constexpr double kMaxLevels = 4096;
constexpr int kMaxSide = 1 << 16;
// Of boxes to group, so that sums of corners, sides and what eps adds to them stay in an int.
constexpr int kMaxCoordinate = 1 << 28;
constexpr double kMaxEps = 4;

void check(GrayView picture, const DetectOptions& options) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::kUsage, why); };
  if (!(options.scale_factor > 1) || !std::isfinite(options.scale_factor)) {
    refuse("the scale factor must be a number above 1");
  }
  if (options.min_size.width < 0 || options.min_size.height < 0 || options.max_size.width < 0 ||
      options.max_size.height < 0) {
    refuse("sizes must not be negative");
  }
  if (std::isnan(options.min_score)) refuse("the minimum score must be a number");
  if (picture.width < 0 || picture.height < 0) refuse("a picture's sides must not be negative");
  if (!picture.empty() && picture.data == nullptr) refuse("a picture without pixels");
  if (picture.width > kMaxSide || picture.height > kMaxSide) {
    throw Error(ErrorCode::kLimit, "a picture's sides must not exceed 65536 pixels");
  }
  const double side = std::max({picture.width, picture.height, 1});
  if (std::log(side) / std::log(options.scale_factor) > kMaxLevels) {
    throw Error(ErrorCode::kLimit,
                "the scale factor is so close to 1 that there would be more than 4096 levels");
  }
}

}  // namespace

struct Detector::State {
  Cascade cascade;
  const BackendTable* table;
  int threads;
  std::unique_ptr<Sieve> sieve;
  PlanRequest planned;
  LevelPlan plan;
  SieveResult sifted;
  std::vector<Candidate> candidates, objects;
  GroupScratch scratch;

  void candidates_from(const std::vector<Survivor>& survivors);
};

Detector::Detector(Cascade cascade, const DetectorOptions& options) {
  if (options.threads < 0) throw Error(ErrorCode::kUsage, "the number of threads must not be negative");
  const BackendTable& table = find_backend(options.backend);
  const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int threads = table.kind == BackendKind::kReference ? 1 : options.threads > 0 ? options.threads : all;
  simd_target();  // reads WINNOW_SIMD before the first dispatch
  auto sieve = table.make_sieve(cascade, {threads, options.device});
  state_ = std::make_unique<State>(
      State{std::move(cascade), &table, threads, std::move(sieve), {}, {}, {}, {}, {}, {}});
}

Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

const Cascade& Detector::cascade() const { return state_->cascade; }
BackendKind Detector::backend() const { return state_->table->kind; }
int Detector::threads() const { return state_->threads; }
std::string Detector::simd() const { return state_->sieve->simd(); }

void Detector::State::candidates_from(const std::vector<Survivor>& survivors) {
  candidates.clear();
  std::size_t level = 0;
  for (const Survivor& survivor : survivors) {
    while (level + 1 < plan.levels.size() && plan.levels[level + 1].first_window <= survivor.window) ++level;
    const Level& here = plan.levels[level];
    const std::int64_t inside = survivor.window - here.first_window;
    const int x = static_cast<int>(inside % here.cols) * here.step,
              y = static_cast<int>(inside / here.cols) * here.step;
    candidates.push_back({window_box(here, x, y), survivor.score, 1});
  }
}

void Detector::detect(GrayView picture, const DetectOptions& options, Detections& result) {
  check(picture, options);
  State& s = *state_;
  const PlanRequest request{picture.size(), s.cascade.window(), options.scale_factor, options.min_size,
                            options.max_size};
  if (!(request == s.planned)) {
    plan_levels(request, s.plan);
    s.planned = request;
  }
  s.sieve->run(picture, s.plan, s.sifted);
  s.candidates_from(s.sifted.survivors);
  constexpr double kEps = 0.2;  // what OpenCV's detectMultiScale uses
  s.table->group(s.candidates, options.raw ? 0 : options.min_neighbors, kEps, s.scratch, s.objects);

  result.backend = s.table->name;
  result.picture = picture.size();
  result.counters.windows = s.sifted.windows;
  result.counters.skipped = s.sifted.skipped;
  result.counters.flat = s.sifted.flat;
  result.counters.weak = s.sifted.weak;
  result.counters.reached.assign(s.sifted.reached.begin(), s.sifted.reached.end());
  result.objects.clear();
  for (const Candidate& object : s.objects) {
    const Box inside = clip(object.box, picture.size());
    if (inside.width <= 0 || inside.height <= 0 || object.score < options.min_score) continue;
    result.objects.push_back({inside, object.score, object.count});
  }
}

Detections Detector::detect(GrayView picture, const DetectOptions& options) {
  Detections result;
  detect(picture, options, result);
  return result;
}

void Detector::detect(std::span<const GrayView> pictures, const DetectOptions& options,
                      std::vector<Detections>& results) {
  results.resize(pictures.size());
  for (std::size_t i = 0; i < pictures.size(); ++i) detect(pictures[i], options, results[i]);
}

std::vector<Detection> group_boxes(std::span<const Detection> candidates, int min_neighbors, double eps) {
  if (!(eps >= 0 && eps <= kMaxEps)) throw Error(ErrorCode::kUsage, "eps must be a number from 0 to 4");
  for (const Detection& c : candidates) {
    const Box& b = c.box;
    if (b.width < 0 || b.height < 0) throw Error(ErrorCode::kUsage, "a box to group has a negative side");
    const auto far = [](int value) { return value < -kMaxCoordinate || value > kMaxCoordinate; };
    if (far(b.x) || far(b.y) || far(b.width) || far(b.height))
      throw Error(ErrorCode::kUsage, "a box to group has a side or corner beyond 2^28");
  }
  std::vector<Candidate> in, out;
  in.reserve(candidates.size());
  for (const Detection& c : candidates) in.push_back({c.box, c.score, c.neighbors});
  GroupScratch scratch;
  group_cpu(in, min_neighbors, eps, scratch, out);
  std::vector<Detection> objects;
  objects.reserve(out.size());
  for (const Candidate& o : out) objects.push_back({o.box, o.score, o.count});
  return objects;
}

}  // namespace winnow
