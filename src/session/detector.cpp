#include <winnow/detector.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <winnow/error.h>

#include "backend/backend.h"
#include "base/simd.h"
#include "base/threads.h"
#include "session/finder.h"
#include "session/searcher.h"
#include "session/searchers_alone.h"

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

std::unique_ptr<Finder> make_finder(const Cascade& cascade, const BackendTable& table, int threads,
                                    std::span<const int> devices) {
#ifdef WINNOW_HAVE_CUDA
  if (table.kind == BackendKind::kCuda) return make_finder_cuda(cascade, devices);
#endif
  return make_finder_host(table, table.make_sieve(cascade, {threads, devices.front()}));
}

}  // namespace

struct Detector::State {
  Cascade cascade;
  const BackendTable* table;
  int threads;
  Searcher together;  // all threads search one picture
  std::unique_ptr<SearchersAlone> alone;
};

Detector::Detector(Cascade cascade, const DetectorOptions& options) {
  check_threads(options.threads);
  if (options.devices.empty()) throw Error(ErrorCode::kUsage, "there must be a device");
  const BackendTable& table = find_backend(options.backend);
  const int threads = table.kind == BackendKind::kReference ? 1 : threads_for(options.threads);
  simd_target();  // reads WINNOW_SIMD before the first dispatch
  Searcher together(cascade, table.name, make_finder(cascade, table, threads, options.devices));
  auto alone = std::make_unique<SearchersAlone>(cascade, table.name, threads, together.finder());
  state_ = std::make_unique<State>(
      State{std::move(cascade), &table, threads, std::move(together), std::move(alone)});
}

Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

const Cascade& Detector::cascade() const { return state_->cascade; }
BackendKind Detector::backend() const { return state_->table->kind; }
int Detector::threads() const { return state_->threads; }
std::string Detector::simd() const { return state_->together.finder().simd(); }

void Detector::detect(GrayView picture, const DetectOptions& options, Detections& result) {
  check(picture, options);
  state_->together.find({&picture, 1}, options, {&result, 1});
}

Detections Detector::detect(GrayView picture, const DetectOptions& options) {
  Detections result;
  detect(picture, options, result);
  return result;
}

void Detector::detect(std::span<const GrayView> pictures, const DetectOptions& options,
                      std::vector<Detections>& results) {
  for (const GrayView& picture : pictures) check(picture, options);
  results.resize(pictures.size());
  const std::span<Detections> all(results);
  const std::size_t first = state_->alone->find(pictures, options, all);
  state_->together.find(pictures.subspan(first), options, all.subspan(first));
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
