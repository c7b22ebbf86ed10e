// What a detector does with pictures: everything from pixels to objects.
// In: jobs of pictures of one size each, their plan, how to group. Out: for each picture its objects
// (clipped, in the order of their first window) and its counters. exact. A finder owns its backend's buffers
// and belongs to one thread at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/detector.h>

#include "backend/backend.h"
#include "group/group.h"
#include "scale/plan.h"
#include "sieve/stages.h"

namespace winnow {

constexpr double kGroupEps = 0.2;  // what OpenCV's detectMultiScale uses

struct FindRequest {
  Size picture;
  const LevelPlan* plan;
  int plan_number;    // another number is another plan
  int min_neighbors;  // 0: candidates are not grouped
  double min_score;
};

// Pictures of one size, and where what is found in them goes.
struct FindJob {
  FindRequest request;
  std::span<const GrayView> pictures;
  std::span<Detections> results;
};

class Finder {
 public:
  virtual ~Finder() = default;
  virtual void find(std::span<const FindJob> jobs) = 0;
  virtual std::string simd() const { return {}; }
  // Another for one thread; null if pictures are not searched so.
  virtual std::unique_ptr<Finder> alone() const { return nullptr; }
};

// The steps of a table, one picture after the other.
std::unique_ptr<Finder> make_finder_host(const BackendTable& table, std::unique_ptr<Sieve> sieve);
// Batches of pictures, each batch (from the second of its kind on) one graph on one of the devices, while the
// next, of whatever size, is made ready; large pictures that are too few for that by rows on all of them. In
// builds with CUDA.
std::unique_ptr<Finder> make_finder_cuda(const Cascade& cascade, std::span<const int> devices);

// The boxes of survivors, which are in rising order.
void candidates_of(const LevelPlan& plan, std::span<const Survivor> survivors,
                   std::vector<Candidate>& candidates);
void fill_objects(std::span<const Candidate> objects, const FindRequest& request, Detections& result);

// Survivors of a device that the host groups.
class HostGrouping {
 public:
  // `survivors`: in any order; sorted afterwards.
  void group(std::vector<Survivor>& survivors, const FindRequest& request, Detections& result);

 private:
  std::vector<Survivor> spare_;
  std::vector<Candidate> candidates_, objects_;
  GroupScratch scratch_;
};

}  // namespace winnow
