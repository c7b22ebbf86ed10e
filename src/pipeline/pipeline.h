// Turns pictures into objects: all steps of one model on one backend.
//
// In:     jobs of pictures of one size each, in host memory or on a device, with the plan of that size.
// Out:    for each picture its objects (clipped, in the order of their first window) and its counters.
// Exact:  same objects, scores and counters for every backend, batch size, thread
//         count and device count.
// Memory: a pipeline owns its backend's buffers; pictures, plans and results belong to the caller.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/detection.h>
#include <winnow/image.h>

#include "group/group.h"
#include "scale/frame.h"
#include "scale/plan.h"
#include "sieve/stages.h"

namespace winnow {

constexpr double kGroupEps = 0.2;  // what OpenCV's detectMultiScale uses

struct SearchRequest {
  Size picture;
  const LevelPlan* plan;  // must stay as it is until the answer is there
  int plan_number;        // tells plans apart: another plan has another number; above 0
  int min_neighbors;      // 0: candidates are not grouped
  double min_score;
  bool gray = false;
};

// Pictures of one size (`SearchRequest::picture`) and source, and a place for the answer of each.
struct SearchJob {
  SearchRequest request;
  std::span<const PictureView> pictures;
  std::span<Detections> results;
  PictureSource source{};
};

class Pipeline {
 public:
  virtual ~Pipeline() = default;
  // Searches all jobs, and waits. No search may be pending. kUsage if a picture lies on a device that the
  // pipeline does not use; a host pipeline uses none. After a failure on a device, each call throws kDevice.
  virtual void search(std::span<const SearchJob> jobs) = 0;
  // Starts the search of one picture. A device reads pictures that are pinned or lie on it until `collect`;
  // other pictures may change once this returns. Fewer than `kMostPending` searches may be pending.
  virtual void enqueue(const SearchRequest& request, const PictureView& picture, PictureSource source) = 0;
  // The answer to the oldest picture that was enqueued and not collected; waits for it. There must be one.
  virtual void collect(Detections& result) = 0;
  static constexpr int kMostPending = 8;

  virtual std::string simd() const { return {}; }
  // A pipeline for one other thread that shares the model's compiled form; null if the backend has no such
  // way.
  virtual std::unique_ptr<Pipeline> clone_for_thread() const { return nullptr; }
};

using GroupStep = void (*)(std::span<const Candidate>, int min_neighbors, double eps, GroupScratch&,
                           std::vector<Candidate>&);

// Sieve, then grouping, one picture after the other. `enqueue` searches at once.
std::unique_ptr<Pipeline> make_host_pipeline(std::unique_ptr<Sieve> sieve, GroupStep group, MeanRule mean);

// Replaces `candidates` by the boxes of survivors, which must be in rising order of windows.
void candidates_of(const LevelPlan& plan, std::span<const Survivor> survivors,
                   std::vector<Candidate>& candidates);
// Replaces `result.objects` by objects of at least the wanted score, clipped to the picture. No other member
// changes.
void fill_objects(std::span<const Candidate> objects, const SearchRequest& request, Detections& result);

// Groups survivors of a device on the host, and replaces `result.objects` as `fill_objects` does.
class HostGrouping {
 public:
  // `survivors`: in any order; sorted afterwards.
  void group(std::vector<Survivor>& survivors, const SearchRequest& request, Detections& result);

 private:
  std::vector<Survivor> spare_;
  std::vector<Candidate> candidates_, objects_;
  GroupScratch scratch_;
};

}  // namespace winnow
