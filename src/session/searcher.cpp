#include "session/searcher.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace winnow {
namespace {

// Sizes whose plans are kept at once, so that calls of any length take no more memory for them.
constexpr std::size_t kMostPlans = 64;

}  // namespace

void Searcher::find(std::span<const GrayView> pictures, const DetectOptions& options,
                    std::span<Detections> results) {
  if (pictures.empty()) return;
  start_jobs();
  if (std::all_of(pictures.begin(), pictures.end(),
                  [&](GrayView picture) { return picture.size() == pictures.front().size(); })) {
    add_job(pictures, options, results);
    return find_jobs();
  }
  order_.resize(pictures.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const Size sa = pictures[a].size(), sb = pictures[b].size();
    return std::tuple(sa.width, sa.height, a) < std::tuple(sb.width, sb.height, b);
  });
  views_.clear();
  found_.resize(std::max(found_.size(), pictures.size()));
  for (std::size_t i = 0; i < order_.size(); ++i) {
    views_.push_back(pictures[order_[i]]);
    std::swap(found_[i], results[order_[i]]);
  }
  for (std::size_t first = 0, last = 0; first < views_.size(); first = last) {
    while (last < views_.size() && views_[last].size() == views_[first].size()) ++last;
    add_job(std::span(views_).subspan(first, last - first), options,
            std::span(found_).subspan(first, last - first));
    if (jobs_.size() == kMostPlans) find_jobs();
  }
  find_jobs();
  for (std::size_t i = 0; i < order_.size(); ++i) std::swap(found_[i], results[order_[i]]);
}

void Searcher::add_job(std::span<const GrayView> pictures, const DetectOptions& options,
                       std::span<Detections> results) {
  const Size size = pictures.front().size();
  const Planned& planned =
      plan_for({size, window_, options.scale_factor, options.min_size, options.max_size});
  jobs_.push_back(
      {{size, &planned.plan, planned.number, options.raw ? 0 : options.min_neighbors, options.min_score},
       pictures,
       results});
}

Searcher::Planned& Searcher::plan_for(const PlanRequest& request) {
  auto at = std::find_if(plans_.begin(), plans_.end(),
                         [&](const auto& planned) { return planned->request == request; });
  if (at == plans_.end()) {
    if (plans_.size() < kMostPlans) {
      at = plans_.insert(at, std::make_unique<Planned>());
    } else {  // the oldest; one of them is free, since no more jobs wait at once
      at = std::min_element(plans_.begin(), plans_.end(), [](const auto& a, const auto& b) {
        return a->taken != b->taken ? b->taken : a->number < b->number;
      });
    }
    Planned& planned = **at;
    planned.request = {};  // should there be no memory for it
    plan_levels(request, planned.plan);
    planned.request = request;
    planned.number = ++plan_number_;
  }
  (*at)->taken = true;
  return **at;
}

void Searcher::find_jobs() {
  finder_->find(jobs_);
  for (const FindJob& job : jobs_) {
    for (Detections& result : job.results) {
      result.backend = backend_;
      result.picture = job.request.picture;
    }
  }
  start_jobs();
}

void Searcher::start_jobs() {
  jobs_.clear();
  for (const auto& planned : plans_) planned->taken = false;
}

}  // namespace winnow
