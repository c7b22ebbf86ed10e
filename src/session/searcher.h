// One finder and the plans it has: pictures of any sizes in, detections out, in their order. Pictures of one
// size go together: another size is another plan, and other batches on a device. Plans are kept, up
// to 64 of them, each of a size and certain options.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/detector.h>

#include "scale/plan.h"
#include "session/finder.h"

namespace winnow {

class Searcher {
 public:
  // `backend`: a name that lives as long as the program.
  Searcher(const Cascade& cascade, const char* backend, std::unique_ptr<Finder> finder)
      : window_(cascade.window()), backend_(backend), finder_(std::move(finder)) {}

  void find(std::span<const GrayView> pictures, const DetectOptions& options, std::span<Detections> results);

  const Finder& finder() const { return *finder_; }

 private:
  struct Planned {
    PlanRequest request;
    LevelPlan plan;
    int number = 0;
    bool taken = false;  // by one of the jobs
  };

  void start_jobs();
  void add_job(std::span<const GrayView> pictures, const DetectOptions& options,
               std::span<Detections> results);
  Planned& plan_for(const PlanRequest& request);
  void find_jobs();

  Size window_;
  const char* backend_;
  std::unique_ptr<Finder> finder_;
  std::vector<std::unique_ptr<Planned>> plans_;
  int plan_number_ = 0;
  std::vector<FindJob> jobs_;
  // Of pictures of many sizes: their order by size, and as they lie then.
  std::vector<std::size_t> order_;
  std::vector<GrayView> views_;
  std::vector<Detections> found_;
};

}  // namespace winnow
