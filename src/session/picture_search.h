// Searches pictures of many sizes with one pipeline, and keeps the plans of the sizes that it has seen.
//
// In:     pictures of any sizes, in any order, in host memory or on one device. Pictures of one size form one
//         job, since each size has a plan of its own, and batches of its own on a device. If the model reads
//         colour, pictures with colour and pictures without it form two jobs. A region is cut out of each
//         picture.
// Out:    a result for each picture, in the pictures' order.
// Exact:  the answer for a picture does not depend on the other pictures.
// Memory: owns the pipeline, and up to 64 plans, each for one size and one set of options. Pictures and
//         results belong to the caller. With a border, pictures are copied, as many at a time as fit 256 MiB,
//         but at least one, unless the pipeline adds borders itself.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/detector.h>

#include "pipeline/follow_pipeline.h"
#include "pipeline/pipeline.h"
#include "scale/plan.h"
#include "session/bordered_pictures.h"

namespace winnow {

class PictureSearch {
 public:
  // `backend`: a name that lives as long as the program.
  PictureSearch(const DetectorModel& model, const char* backend, std::unique_ptr<Pipeline> pipeline)
      : window_(model.window()),
        rules_(model.plan_rules()),
        reads_color_(model.reads_color()),
        backend_(backend),
        pipeline_(std::move(pipeline)) {}

  // `results` has an element for each picture. `shapes` is empty, or has as many elements. For `search` and
  // `enqueue`, the caller has checked pictures and options. kUsage if searches are pending.
  void search(std::span<const PictureView> pictures, const DetectOptions& options,
              std::span<Detections> results, PictureSource source = {}, std::span<PictureShapes> shapes = {});

  // Whether `follow` can carry points and search with these options in one submission. Every field of
  // `options` has a value.
  bool follows(const DetectOptions& options) const;
  // Carries points to frames of videos, and searches the frames whose jobs have a `found`. The caller has
  // checked frames and options. `follow` sets the requests of the jobs.
  void follow(std::span<FollowJob> jobs, const DetectOptions& options, const FlowRules& rules);
  void forget(int video);

  void check_none_pending() const;  // kUsage if searches are pending
  // As the functions of `Pipeline`. `enqueue` throws kUsage if too many searches are pending, and `collect`
  // if none is.
  void enqueue(const PictureView& picture, const DetectOptions& options, PictureSource source);
  void collect(Detections& result);

  int pending() const { return static_cast<int>(pending_.size()); }

  const Pipeline& pipeline() const { return *pipeline_; }

 private:
  struct Planned {
    PlanRequest request;
    LevelPlan plan;
    int number = 0;
    int users = 0;  // jobs and pending searches that use this plan
  };

  struct Pending {
    Planned* planned;
    Size picture;
    Box region;
  };

  // Returns `options` with locations that count from the corner of the region.
  const DetectOptions& inside_region(const DetectOptions& options);
  // Does what `search` does, for pictures that are already cut to their region.
  void search_whole(std::span<const PictureView> pictures, const DetectOptions& options,
                    std::span<Detections> results, PictureSource source, std::span<PictureShapes> shapes);

  // `margins`: the width of each picture's border, which the pictures have unless the pipeline adds it; empty
  // without borders.
  void search_views(std::span<const PictureView> pictures, std::span<const int> margins,
                    const DetectOptions& options, std::span<Detections> results, PictureSource source,
                    std::span<PictureShapes> shapes);
  void add_job(std::span<const PictureView> pictures, int margin, const DetectOptions& options,
               ResultPlaces results, PictureSource source);
  SearchRequest request_for(Planned& planned, const DetectOptions& options, int margin, bool color) const;
  // Whether a search reads the picture's colour. Pictures on a device are grey.
  bool in_color(const PictureView& picture, const DetectOptions& options) const {
    return reads_color_ && !options.gray && picture.color.data != nullptr;
  }
  Planned& plan_for(Size picture, const DetectOptions& options);
  void search_jobs();
  void drop_jobs();

  Size window_;
  PlanRules rules_;
  bool reads_color_;
  const char* backend_;
  std::unique_ptr<Pipeline> pipeline_;
  std::vector<std::unique_ptr<Planned>> plans_;
  int plan_number_ = 0;
  std::vector<SearchJob> jobs_;
  std::vector<SearchRequest> requests_;  // for frames of videos
  std::vector<Planned*> planned_jobs_;
  std::deque<Pending> pending_;
  BorderedPictures bordered_;
  std::vector<int> margins_;        // of pictures to which the pipeline adds borders
  std::vector<PictureView> parts_;  // the regions that are cut out of pictures
  DetectOptions moved_;             // options whose locations count from the region's corner
  // For pictures of many sizes: their order by size and colour, and views in that order.
  std::vector<std::size_t> order_;
  std::vector<PictureView> views_;
};

}  // namespace winnow
