// Makes a pipeline that sieves and merges on the host, one picture after the other, as pipeline/pipeline.h
// declares; its opening comment holds here.
#include <deque>
#include <utility>

#include <winnow/error.h>

#include "pipeline/pipeline.h"

namespace winnow {
namespace {

class HostPipeline final : public Pipeline {
 public:
  HostPipeline(std::unique_ptr<Sieve> sieve, MergeSteps merge) : sieve_(std::move(sieve)), merger_(merge) {}

  void search(std::span<const SearchJob> jobs) override {
    for (const SearchJob& job : jobs) {
      check(job.source);
      for (std::size_t i = 0; i < job.pictures.size(); ++i)
        search_in(job.pictures[i], job.request, job.results[i]);
    }
  }

  void enqueue(const SearchRequest& request, const PictureView& picture, PictureSource source) override {
    check(source);
    Detections result = spare_.empty() ? Detections() : std::move(spare_.back());
    if (!spare_.empty()) spare_.pop_back();
    search_in(picture, request, result);
    finished_.push_back(std::move(result));
  }
  void collect(Detections& result) override {
    std::swap(result, finished_.front());
    spare_.push_back(std::move(finished_.front()));
    finished_.pop_front();
  }

  std::string simd() const override { return sieve_->simd(); }
  std::unique_ptr<Pipeline> clone_for_thread() const override {
    std::unique_ptr<Sieve> sieve = sieve_->clone_for_thread();
    return sieve != nullptr ? make_host_pipeline(std::move(sieve), merger_.steps()) : nullptr;
  }

  void sift(const SearchRequest& request, const PictureView& picture, PictureSource source,
            SieveResult& result) override {
    check(source);
    sieve_->set_options({request.min_score, request.gray});
    sieve_->run(picture, *request.plan, result);
  }

 private:
  static void check(PictureSource source) {
    if (source.on_device())
      throw Error(ErrorCode::kUsage,
                  "a picture on a device needs the backend cuda; copy it to the host first");
  }

  void search_in(const PictureView& picture, const SearchRequest& request, Detections& result) {
    sieve_->set_options({request.min_score, request.gray});
    sieve_->run(picture, *request.plan, sifted_);
    candidates_of(*request.plan, sifted_.survivors, candidates_);
    result.counters.windows = sifted_.windows;
    result.counters.skipped = sifted_.skipped;
    result.counters.flat = sifted_.flat;
    result.counters.weak = sifted_.weak;
    result.counters.reached.assign(sifted_.reached.begin(), sifted_.reached.end());
    merger_.merge(candidates_, request, result);
  }

  std::unique_ptr<Sieve> sieve_;
  Merger merger_;
  SieveResult sifted_;
  std::vector<Candidate> candidates_;
  std::deque<Detections> finished_;
  std::vector<Detections> spare_;  // results whose memory is used again
};

}  // namespace

std::unique_ptr<Pipeline> make_host_pipeline(std::unique_ptr<Sieve> sieve, MergeSteps merge) {
  return std::make_unique<HostPipeline>(std::move(sieve), merge);
}

void candidates_of(const LevelPlan& plan, std::span<const Survivor> survivors,
                   std::vector<Candidate>& candidates) {
  candidates.clear();
  std::size_t level = 0;
  for (const Survivor& survivor : survivors) {
    while (level + 1 < plan.levels.size() && plan.levels[level + 1].first_window <= survivor.window) ++level;
    const Level& here = plan.levels[level];
    const PixelPoint corner = window_corner(here, survivor.window - here.first_window);
    candidates.push_back({window_box(here, corner.x, corner.y), survivor.score, 1});
  }
}

void HostMerger::merge(std::vector<Survivor>& survivors, const SearchRequest& request, Detections& result) {
  sort_survivors(survivors, spare_);
  candidates_of(*request.plan, survivors, candidates_);
  merger_.merge(candidates_, request, result);
}

void HostMerger::finish(std::span<const Candidate> found, const SearchRequest& request, Detections& result) {
  if (request.merge == Merge::kGroups) {
    fill_objects(found, request, result);
  } else {
    merger_.merge(found, request, result);
  }
}

std::span<const Candidate> Merger::without_mirrored(std::span<const Candidate> candidates,
                                                    const SearchRequest& request) {
  if (request.margin == 0) return candidates;
  inside_.clear();
  for (const Candidate& candidate : candidates) {
    Box box = candidate.box;
    box.x -= request.margin;
    box.y -= request.margin;
    if (middle_inside(box, request.inside())) inside_.push_back(candidate);
  }
  return inside_;
}

void Merger::merge(std::span<const Candidate> candidates, const SearchRequest& request, Detections& result) {
  switch (request.merge) {
    case Merge::kGroups:
      scratch_.mean = request.mean;
      steps_.group(candidates, request.min_neighbors, kGroupEps, scratch_, objects_);
      break;
    case Merge::kMeanShift:
      steps_.mean_shift(candidates, request.weight, request.min_neighbors, shift_scratch_, objects_);
      break;
    case Merge::kSupport:
      steps_.support(without_mirrored(candidates, request), request.min_score, request.min_neighbors,
                     support_scratch_, objects_);
      break;
  }
  fill_objects(objects_, request, result);
}

void fill_objects(std::span<const Candidate> objects, const SearchRequest& request, Detections& result) {
  result.objects.clear();
  const ObjectRule rule = request.object_rule();
  for (Candidate object : objects) {
    if (finish_object(rule, object)) result.objects.push_back({object.box, object.score, object.count});
  }
}

}  // namespace winnow
