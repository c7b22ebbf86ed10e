// Judges a range of the windows of a plan, and keeps the plans of such ranges, as pipeline/pipeline.h
// declares; its opening comment holds here.
#include <algorithm>
#include <cstdint>
#include <string>

#include <winnow/error.h>

#include "pipeline/pipeline.h"

namespace winnow {
namespace {

// The most parts that are kept. A part takes about 5 KB.
constexpr std::size_t kMostParts = 16;

}  // namespace

void Pipeline::sift(const SearchRequest& request, const PictureView& picture, PictureSource source,
                    WindowRange range, SieveResult& result) {
  if (range.first < 0 || range.last < range.first || range.last > request.plan->window_count) {
    throw Error(ErrorCode::kUsage, "windows " + std::to_string(range.first) + " to " +
                                       std::to_string(range.last) + " are no range of the plan's " +
                                       std::to_string(request.plan->window_count) + " windows");
  }
  const Part& part = part_of(request, range);
  SearchRequest cut = request;
  cut.min_neighbors = 0;
  cut.plan = &part.plans.windows;
  cut.plan_number = part.numbers[0];
  sift_plan(cut, picture, source, result);
  const std::int64_t before = part.plans.before.window_count;
  const auto first = std::find_if(result.survivors.begin(), result.survivors.end(),
                                  [&](const Survivor& survivor) { return survivor.window >= before; });
  result.survivors.erase(result.survivors.begin(), first);
  for (Survivor& survivor : result.survivors) survivor.window += part.plans.first_window;
  if (before == 0) return;
  cut.plan = &part.plans.before;
  cut.plan_number = part.numbers[1];
  sift_plan(cut, picture, source, before_);
  result.windows -= before_.windows;
  result.skipped -= before_.skipped;
  result.flat -= before_.flat;
  result.weak -= before_.weak;
  for (std::size_t s = 0; s < result.reached.size(); ++s) result.reached[s] -= before_.reached[s];
}

const Pipeline::Part& Pipeline::part_of(const SearchRequest& request, WindowRange range) {
  const auto at = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) {
    return part.plan_number == request.plan_number && part.range == range;
  });
  if (at != parts_.end()) {
    std::rotate(parts_.begin(), at, at + 1);
    return parts_.front();
  }
  if (parts_.size() < kMostParts) parts_.emplace_back();
  std::rotate(parts_.begin(), parts_.end() - 1, parts_.end());
  Part& part = parts_.front();
  part.plan_number = 0;  // so that a part whose plan fails for lack of memory is never found again
  cut_plan(*request.plan, range, part.plans);
  for (int& number : part.numbers) number = --part_number_;
  part.range = range;
  part.plan_number = request.plan_number;
  return part;
}

}  // namespace winnow
