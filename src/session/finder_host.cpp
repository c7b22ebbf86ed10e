#include "session/finder.h"

namespace winnow {
namespace {

class FinderHost final : public Finder {
 public:
  FinderHost(const BackendTable& table, std::unique_ptr<Sieve> sieve)
      : table_(table), sieve_(std::move(sieve)) {}

  void find(std::span<const FindJob> jobs) override {
    for (const FindJob& job : jobs) {
      for (std::size_t i = 0; i < job.pictures.size(); ++i)
        find_in(job.pictures[i], job.request, job.results[i]);
    }
  }
  std::string simd() const override { return sieve_->simd(); }
  std::unique_ptr<Finder> alone() const override {
    std::unique_ptr<Sieve> sieve = sieve_->alone();
    return sieve != nullptr ? make_finder_host(table_, std::move(sieve)) : nullptr;
  }

 private:
  void find_in(GrayView picture, const FindRequest& request, Detections& result) {
    sieve_->run(picture, *request.plan, sifted_);
    candidates_of(*request.plan, sifted_.survivors, candidates_);
    table_.group(candidates_, request.min_neighbors, kGroupEps, scratch_, objects_);
    result.counters.windows = sifted_.windows;
    result.counters.skipped = sifted_.skipped;
    result.counters.flat = sifted_.flat;
    result.counters.weak = sifted_.weak;
    result.counters.reached.assign(sifted_.reached.begin(), sifted_.reached.end());
    fill_objects(objects_, request, result);
  }

  const BackendTable& table_;
  std::unique_ptr<Sieve> sieve_;
  SieveResult sifted_;
  std::vector<Candidate> candidates_, objects_;
  GroupScratch scratch_;
};

}  // namespace

std::unique_ptr<Finder> make_finder_host(const BackendTable& table, std::unique_ptr<Sieve> sieve) {
  return std::make_unique<FinderHost>(table, std::move(sieve));
}

void candidates_of(const LevelPlan& plan, std::span<const Survivor> survivors,
                   std::vector<Candidate>& candidates) {
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

void HostGrouping::group(std::vector<Survivor>& survivors, const FindRequest& request, Detections& result) {
  sort_survivors(survivors, spare_);
  candidates_of(*request.plan, survivors, candidates_);
  group_cpu(candidates_, request.min_neighbors, kGroupEps, scratch_, objects_);
  fill_objects(objects_, request, result);
}

void fill_objects(std::span<const Candidate> objects, const FindRequest& request, Detections& result) {
  result.objects.clear();
  for (const Candidate& object : objects) {
    const Box inside = clip(object.box, request.picture);
    if (inside.width <= 0 || inside.height <= 0 || object.score < request.min_score) continue;
    result.objects.push_back({inside, object.score, object.count});
  }
}

}  // namespace winnow
