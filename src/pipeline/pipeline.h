// Searches pictures for objects: all steps of one model on one backend.
//
// In:     jobs. Each has pictures of one size, in host memory or on a device, and the plan for that size.
// Out:    for each picture its objects, in the order of their first window, and its counters.
// Exact:  same objects, scores and counters for every backend, batch size, thread count and device count.
// Memory: a pipeline owns its backend's buffers. Pictures, plans and results belong to the caller, and are
//         borrowed until the search has ended.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/detection.h>
#include <winnow/image.h>

#include "group/group.h"
#include "group/mean_shift.h"
#include "group/object_rule.h"
#include "group/support.h"
#include "scale/frames/frame.h"
#include "scale/plan.h"
#include "shape/shape_fit.h"
#include "sieve/stages.h"

namespace winnow {

constexpr double kGroupEps = 0.2;  // as in OpenCV's detectMultiScale

struct SearchRequest {
  Size picture;           // with its border
  const LevelPlan* plan;  // must stay as it is until the search has ended
  // Identifies the plan: another plan has another number above 0.
  int plan_number;
  int min_neighbors;  // if `merge` is kGroups, 0 means that candidates are not merged
  double min_score;
  bool gray = false;
  Merge merge = Merge::kGroups;
  WeightRule weight = WeightRule::kEqual;  // for kMeanShift
  // Pixels of the mirrored border on each side. The caller's pictures have it, unless `adds_borders` is true.
  int margin = 0;
  bool color = false;                // the model reads the colour views, which all pictures have
  MeanRule mean = MeanRule::kFloat;  // from the model's plan rules
  bool clip = true;                  // boxes are cut to the picture
  double min_support = 0;            // the least support of an object, for kSupport

  Size inside() const { return {picture.width - 2 * margin, picture.height - 2 * margin}; }
  ObjectRule object_rule() const {
    return {inside(), margin, clip, merge == Merge::kSupport ? min_support : min_score};
  }
  // A device merges by groups only. For other rules, the device gives candidates to the host.
  int device_neighbors() const { return merge == Merge::kGroups ? min_neighbors : 0; }
};

// The shapes of a picture's objects. A pipeline makes them if its landmark model runs on the device that
// holds the objects.
struct PictureShapes {
  bool made = false;
  FittedShapes shapes;
};

// Where a job's answers are stored: `results[places[i]]` for picture i, or `results[i]` without places. The
// same holds for shapes, if they are wanted.
class ResultPlaces {
 public:
  ResultPlaces(std::span<Detections> results, std::span<const std::size_t> places = {},
               std::span<PictureShapes> shapes = {})
      : results_(results), places_(places), shapes_(shapes) {}
  ResultPlaces(Detections& only) : results_(&only, 1) {}
  Detections& operator[](std::size_t picture) const { return results_[place(picture)]; }
  // Null if no shapes are wanted.
  PictureShapes* shapes(std::size_t picture) const {
    return shapes_.empty() ? nullptr : &shapes_[place(picture)];
  }

 private:
  std::size_t place(std::size_t picture) const { return places_.empty() ? picture : places_[picture]; }

  std::span<Detections> results_;
  std::span<const std::size_t> places_;
  std::span<PictureShapes> shapes_;
};

// Pictures that share a size (`SearchRequest::picture`, or `inside` if the pipeline adds borders) and a source, and a place for the answer of each.
// Either all pictures have colour, or all are read in grey.
struct SearchJob {
  SearchRequest request;
  std::span<const PictureView> pictures;
  ResultPlaces results;
  PictureSource source{};
};

class FollowPipeline;  // follow_pipeline.h

class Pipeline {
 public:
  virtual ~Pipeline() = default;
  // Searches all jobs, and waits. No search may be pending. kUsage if a picture lies on a device that the
  // pipeline does not use; a host pipeline uses no device. After a failure on a device, each call throws
  // kDevice.
  virtual void search(std::span<const SearchJob> jobs) = 0;
  // Starts the search of one picture. Until `collect`, a device may read a picture that is pinned or on it.
  // All others may change once `enqueue` returns. Fewer than `kMostPending` searches may be pending.
  virtual void enqueue(const SearchRequest& request, const PictureView& picture, PictureSource source) = 0;
  // Waits for the answer of the oldest picture that was enqueued and not collected. At least one picture must
  // be pending.
  virtual void collect(Detections& result) = 0;
  static constexpr int kMostPending = 8;

  // Judges all windows of the request's plan in one picture, and waits. The plan may be a part of a plan
  // (scale/plan_part.h). Searches may be pending.
  //
  // In:     a picture and a plan as for `search`. Models whose windows pass by one score read
  //         `request.min_score`; cascades do not. The fields that say how to merge are not read.
  // Out:    survivors in rising order of windows, numbered as in the request's plan, neither merged nor
  //         clipped; all counters.
  // Exact:  if parts divide a plan without overlap, their survivors together are the survivors of the whole
  //         plan, with the same scores. Their counters add up to the counters of the whole plan. Of the
  //         picture, only rows that windows of the part cover change the result.
  //
  // To get objects, join the survivors in rising order and call `candidates_of` with the whole plan. Then
  // call `Merger::merge` with the request.
  virtual void sift(const SearchRequest& request, const PictureView& picture, PictureSource source,
                    SieveResult& result) = 0;

  // The interface that carries points and searches in one submission; null if this pipeline has none.
  virtual FollowPipeline* following() { return nullptr; }

  // Whether all searches take pictures without the border of their request, and add it themselves.
  virtual bool adds_borders() const { return false; }

  virtual std::string simd() const { return {}; }
  // A pipeline for one other thread that uses the same compiled form of the model; null if the backend makes
  // no such pipeline.
  virtual std::unique_ptr<Pipeline> clone_for_thread() const { return nullptr; }
};

using GroupStep = void (*)(std::span<const Candidate>, int min_neighbors, double eps, GroupScratch&,
                           std::vector<Candidate>&);

using MeanShiftStep = void (*)(std::span<const Candidate>, WeightRule weight, int min_neighbors,
                               ShiftScratch&, std::vector<Candidate>&);

using SupportStep = void (*)(std::span<const Candidate>, double floor, int min_neighbors, SupportScratch&,
                             std::vector<Candidate>&);

struct MergeSteps {
  GroupStep group;
  MeanShiftStep mean_shift;
  SupportStep support;
};

// Makes a pipeline that sieves and merges one picture after the other. `enqueue` searches at once.
std::unique_ptr<Pipeline> make_host_pipeline(std::unique_ptr<Sieve> sieve, MergeSteps merge);

// Replaces `candidates` by the boxes of survivors, which must be in rising order of windows.
void candidates_of(const LevelPlan& plan, std::span<const Survivor> survivors,
                   std::vector<Candidate>& candidates);
// Replaces `result.objects` by the objects of at least the wanted score. Boxes count from the picture without
// its border, and are clipped to it if the request says so. With a border, objects whose middle lies in the
// border are left out. No other member changes.
void fill_objects(std::span<const Candidate> objects, const SearchRequest& request, Detections& result);

// Merges candidates as a request says, on the host, and replaces `result.objects` as `fill_objects` does.
class Merger {
 public:
  explicit Merger(MergeSteps steps) : steps_(steps) {}
  void merge(std::span<const Candidate> candidates, const SearchRequest& request, Detections& result);
  MergeSteps steps() const { return steps_; }

 private:
  MergeSteps steps_;
  // Returns the candidates whose middle lies in the picture; without a border, all candidates. The others
  // are mirror images in the border. A mirror image makes no object, and supports no object.
  std::span<const Candidate> without_mirrored(std::span<const Candidate> candidates,
                                              const SearchRequest& request);

  std::vector<Candidate> objects_, inside_;
  GroupScratch scratch_;
  ShiftScratch shift_scratch_;
  SupportScratch support_scratch_;
};

// Merges a device's candidates on the host, and replaces `result.objects` as `fill_objects` does.
class HostMerger {
 public:
  explicit HostMerger(MergeSteps steps) : merger_(steps) {}
  // `survivors` may be in any order, and are sorted by window afterwards.
  void merge(std::vector<Survivor>& survivors, const SearchRequest& request, Detections& result);
  // `found`: what the device made with `SearchRequest::device_neighbors`. These are objects, or candidates in
  // rising order of windows if the device did not merge.
  void finish(std::span<const Candidate> found, const SearchRequest& request, Detections& result);

 private:
  std::vector<Survivor> spare_;
  std::vector<Candidate> candidates_;
  Merger merger_;
};

}  // namespace winnow
