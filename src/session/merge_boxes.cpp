// Merges boxes of the caller's, as winnow/detector.h declares.
#include <winnow/detector.h>

#include <vector>

#include <winnow/error.h>

#include "group/group.h"
#include "group/mean_shift.h"
#include "group/support.h"

namespace winnow {
namespace {

// The limit for corners and sides of boxes to merge, so that sums of corners, sides and the slack of eps fit
// in an int.
constexpr int kMaxCoordinate = 1 << 28;
constexpr double kMaxEps = 4;

std::vector<Candidate> checked_candidates(std::span<const Detection> candidates) {
  std::vector<Candidate> checked;
  checked.reserve(candidates.size());
  for (const Detection& c : candidates) {
    const Box& b = c.box;
    if (b.width < 0 || b.height < 0) throw Error(ErrorCode::kUsage, "a box to merge has a negative side");
    const auto far = [](int value) { return value < -kMaxCoordinate || value > kMaxCoordinate; };
    if (far(b.x) || far(b.y) || far(b.width) || far(b.height))
      throw Error(ErrorCode::kUsage, "a box to merge has a side or corner beyond 2^28");
    checked.push_back({c.box, c.score, c.neighbors});
  }
  return checked;
}

std::vector<Detection> detections_of(std::span<const Candidate> objects) {
  std::vector<Detection> detections;
  detections.reserve(objects.size());
  for (const Candidate& o : objects) detections.push_back({o.box, o.score, o.count});
  return detections;
}

}  // namespace

std::vector<Detection> group_boxes(std::span<const Detection> candidates, int min_neighbors, double eps) {
  if (!(eps >= 0 && eps <= kMaxEps)) throw Error(ErrorCode::kUsage, "eps must be a number from 0 to 4");
  GroupScratch scratch;
  std::vector<Candidate> objects;
  group_cpu(checked_candidates(candidates), min_neighbors, eps, scratch, objects);
  return detections_of(objects);
}

std::vector<Detection> mean_shift_boxes(std::span<const Detection> candidates, int min_neighbors,
                                        WeightRule weight) {
  ShiftScratch scratch;
  std::vector<Candidate> objects;
  mean_shift_cpu(checked_candidates(candidates), weight, min_neighbors, scratch, objects);
  return detections_of(objects);
}

std::vector<Detection> support_boxes(std::span<const Detection> candidates, int min_neighbors, double floor) {
  SupportScratch scratch;
  std::vector<Candidate> objects;
  support_cpu(checked_candidates(candidates), floor, min_neighbors, scratch, objects);
  return detections_of(objects);
}

}  // namespace winnow
