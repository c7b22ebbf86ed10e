#include "session/picture_search.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <winnow/error.h>

#include "image/border.h"
#include "session/region.h"

namespace winnow {
namespace {

// The most plans that are kept. The limit bounds the memory for plans of a call with many sizes of pictures.
constexpr std::size_t kMostPlans = 64;
// The most jobs of one search. Jobs and pending searches together use no more plans than are kept.
constexpr std::size_t kMostJobs = kMostPlans - Pipeline::kMostPending;
// The most pixels, borders included, in the bordered copies that are held at once. A pixel has one byte of
// grey and up to three bytes of colour.
constexpr std::size_t kMostBorderedPixels = std::size_t{64} << 20;

}  // namespace

void PictureSearch::search(std::span<const PictureView> pictures, const DetectOptions& options,
                           std::span<Detections> results, PictureSource source,
                           std::span<PictureShapes> shapes) {
  check_none_pending();
  for (PictureShapes& each : shapes) each.made = false;
  if (!has_region(options)) return search_whole(pictures, options, results, source, shapes);
  parts_.clear();
  for (const PictureView& picture : pictures) parts_.push_back(searched_part(picture, options));
  // A fit of points reads pixels outside the region, so the pipeline makes no shapes here.
  search_whole(parts_, inside_region(options), results, source, {});
  for (std::size_t i = 0; i < pictures.size(); ++i)
    move_into_picture(options.region, pictures[i].size(), results[i]);
}

const DetectOptions& PictureSearch::inside_region(const DetectOptions& options) {
  if (!has_region(options) || options.locations.empty()) return options;
  moved_ = options;
  const PixelPoint corner = corner_of(options.region);
  for (PixelPoint& at : moved_.locations) at = {at.x - corner.x, at.y - corner.y};
  return moved_;
}

void PictureSearch::search_whole(std::span<const PictureView> pictures, const DetectOptions& options,
                                 std::span<Detections> results, PictureSource source,
                                 std::span<PictureShapes> shapes) {
  if (!(*options.border > 0)) return search_views(pictures, {}, options, results, source, shapes);
  if (pipeline_->adds_borders()) {
    margins_.clear();
    for (const PictureView& picture : pictures)
      margins_.push_back(border_margin(picture.size(), *options.border));
    return search_views(pictures, margins_, options, results, source, shapes);
  }
  for (std::size_t first = 0, last = 0; first < pictures.size(); first = last) {
    for (std::size_t pixels = 0; last < pictures.size(); ++last) {
      pixels += bordered_pixels(pictures[last].size(), *options.border);
      if (last > first && pixels > kMostBorderedPixels) break;
    }
    bordered_.copy(pictures.subspan(first, last - first), *options.border, reads_color_ && !options.gray);
    const auto part = [&](auto all) { return all.empty() ? all : all.subspan(first, last - first); };
    search_views(bordered_.views(), bordered_.margins(), options, part(results), source, part(shapes));
  }
}

void PictureSearch::search_views(std::span<const PictureView> pictures, std::span<const int> margins,
                                 const DetectOptions& options, std::span<Detections> results,
                                 PictureSource source, std::span<PictureShapes> shapes) {
  if (pictures.empty()) return;
  const auto margin_of = [&](std::size_t picture) { return margins.empty() ? 0 : margins[picture]; };
  drop_jobs();
  const auto alike = [&](const PictureView& a, const PictureView& b) {
    return a.size() == b.size() && in_color(a, options) == in_color(b, options);
  };
  if (std::all_of(pictures.begin(), pictures.end(),
                  [&](const PictureView& picture) { return alike(picture, pictures.front()); })) {
    add_job(pictures, margin_of(0), options, {results, {}, shapes}, source);
    return search_jobs();
  }
  order_.resize(pictures.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const Size sa = pictures[a].size(), sb = pictures[b].size();
    return std::tuple(sa.width, sa.height, in_color(pictures[a], options), a) <
           std::tuple(sb.width, sb.height, in_color(pictures[b], options), b);
  });
  views_.clear();
  for (const std::size_t picture : order_) views_.push_back(pictures[picture]);
  for (std::size_t first = 0, last = 0; first < views_.size(); first = last) {
    while (last < views_.size() && alike(views_[last], views_[first])) ++last;
    add_job(std::span(views_).subspan(first, last - first), margin_of(order_[first]), options,
            {results, std::span(order_).subspan(first, last - first), shapes}, source);
    if (jobs_.size() == kMostJobs) search_jobs();
  }
  search_jobs();
}

void PictureSearch::check_none_pending() const {
  if (!pending_.empty()) throw Error(ErrorCode::kUsage, "searches are pending: collect them first");
}

void PictureSearch::enqueue(const PictureView& picture, const DetectOptions& options, PictureSource source) {
  if (pending() >= Pipeline::kMostPending) {
    throw Error(ErrorCode::kUsage, std::to_string(Pipeline::kMostPending) +
                                       " searches are pending, as many as may be: collect one first");
  }
  drop_jobs();
  const PictureView part = searched_part(picture, options);
  const int margin = border_margin(part.size(), *options.border);
  // The copy with a border may change once the pipeline has taken the picture.
  const bool copied = margin > 0 && !pipeline_->adds_borders();
  if (copied) bordered_.copy({&part, 1}, *options.border, reads_color_ && !options.gray);
  const PictureView& searched = copied ? bordered_.views().front() : part;
  Planned& planned = plan_for(bordered_size(part.size(), margin), inside_region(options));
  pipeline_->enqueue(request_for(planned, options, margin, in_color(searched, options)), searched, source);
  ++planned.users;
  pending_.push_back({&planned, picture.size(), options.region});
}

void PictureSearch::collect(Detections& result) {
  if (pending_.empty()) throw Error(ErrorCode::kUsage, "no search is pending: enqueue a picture first");
  // The search is no longer pending even if the pipeline throws, so that a caller that keeps collecting gets
  // to the end.
  const Pending first = pending_.front();
  --first.planned->users;
  pending_.pop_front();
  pipeline_->collect(result);
  result.backend = backend_;
  move_into_picture(first.region, first.picture, result);
}

bool PictureSearch::follows(const DetectOptions& options) const {
  return !has_region(options) && !(*options.border > 0) && !(reads_color_ && !options.gray) &&
         pipeline_->following() != nullptr;
}

void PictureSearch::follow(std::span<FollowJob> jobs, const DetectOptions& options, const FlowRules& rules) {
  check_none_pending();
  FollowPipeline& pipeline = *pipeline_->following();
  for (std::size_t first = 0, last = 0; first < jobs.size(); first = last) {
    last = std::min(first + kMostJobs, jobs.size());
    const std::span<FollowJob> some = jobs.subspan(first, last - first);
    drop_jobs();
    requests_.clear();
    requests_.reserve(some.size());  // so that pointers to requests stay valid
    for (FollowJob& job : some) {
      if (job.found == nullptr) continue;
      Planned& planned = plan_for(job.frame.size(), options);
      ++planned.users;
      planned_jobs_.push_back(&planned);
      job.request = &requests_.emplace_back(request_for(planned, options, 0, false));
    }
    pipeline.follow(some, rules);
    for (const FollowJob& job : some) {
      if (job.found == nullptr) continue;
      job.found->backend = backend_;
      job.found->picture = job.frame.size();
    }
    drop_jobs();
  }
}

void PictureSearch::forget(int video) {
  if (FollowPipeline* pipeline = pipeline_->following()) pipeline->forget(video);
}

void PictureSearch::add_job(std::span<const PictureView> pictures, int margin, const DetectOptions& options,
                            ResultPlaces results, PictureSource source) {
  const Size size = pictures.front().size();
  Planned& planned = plan_for(pipeline_->adds_borders() ? bordered_size(size, margin) : size, options);
  ++planned.users;
  planned_jobs_.push_back(&planned);
  jobs_.push_back({request_for(planned, options, margin, in_color(pictures.front(), options)), pictures,
                   results, source});
}

SearchRequest PictureSearch::request_for(Planned& planned, const DetectOptions& options, int margin,
                                         bool color) const {
  SearchRequest request{planned.request.picture, &planned.plan,
                        planned.number,          options.raw ? 0 : *options.min_neighbors,
                        *options.min_score,      options.gray};
  if (!options.raw) request.merge = *options.merge;
  request.weight = rules_.weight;
  request.min_support = *options.min_support;
  request.margin = margin;
  request.clip = options.clip;
  request.color = color;
  request.mean = rules_.mean;
  return request;
}

PictureSearch::Planned& PictureSearch::plan_for(Size picture, const DetectOptions& options) {
  PlanRequest request;
  request.picture = picture;
  request.window = window_;
  request.scale_factor = *options.scale_factor;
  request.enlarge = *options.enlarge;
  request.min_size = options.min_size;
  request.max_size = options.max_size;
  request.rules = rules_;
  if (options.step.width > 0) request.rules.fixed_step.width = options.step.width;
  if (options.step.height > 0) request.rules.fixed_step.height = options.step.height;
  request.padding = options.padding;
  request.max_levels = options.max_levels;
  request.locations = options.locations;
  auto at = std::find_if(plans_.begin(), plans_.end(),
                         [&](const auto& planned) { return planned->request == request; });
  if (at != plans_.end()) return **at;
  if (plans_.size() < kMostPlans) {
    at = plans_.insert(at, std::make_unique<Planned>());
  } else {  // replaces the oldest plan that is not in use
    at = std::min_element(plans_.begin(), plans_.end(), [](const auto& a, const auto& b) {
      return (a->users > 0) != (b->users > 0) ? b->users > 0 : a->number < b->number;
    });
  }
  Planned& planned = **at;
  planned.request = {};  // so that a plan that fails for lack of memory is never found again
  plan_levels(request, planned.plan);
  planned.request = request;
  planned.number = ++plan_number_;
  return planned;
}

void PictureSearch::search_jobs() {
  pipeline_->search(jobs_);
  for (const SearchJob& job : jobs_) {
    for (std::size_t i = 0; i < job.pictures.size(); ++i) {
      job.results[i].backend = backend_;
      job.results[i].picture = job.request.inside();
    }
  }
  drop_jobs();
}

void PictureSearch::drop_jobs() {
  for (Planned* planned : planned_jobs_) --planned->users;
  planned_jobs_.clear();
  jobs_.clear();
}

}  // namespace winnow
