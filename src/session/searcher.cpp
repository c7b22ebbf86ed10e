#include "session/searcher.h"

namespace winnow {

void Searcher::find(std::span<const GrayView> pictures, const DetectOptions& options,
                    std::span<Detections> results) {
  const Size size = pictures.front().size();
  const PlanRequest request{size, window_, options.scale_factor, options.min_size, options.max_size};
  if (!(request == planned_)) {
    planned_ = {};  // should there be no memory for it
    plan_levels(request, plan_);
    planned_ = request;
    ++plan_number_;
  }
  finder_->find(pictures,
                {size, &plan_, plan_number_, options.raw ? 0 : options.min_neighbors, options.min_score},
                results);
  for (Detections& result : results) {
    result.backend = backend_;
    result.picture = size;
  }
}

}  // namespace winnow
