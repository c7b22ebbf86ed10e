// One finder and the plan it has: pictures of one size in, detections out. The plan is made again when a size
// or an option is another than before.
#pragma once

#include <memory>
#include <span>
#include <string>

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
  Size window_;
  const char* backend_;
  std::unique_ptr<Finder> finder_;
  PlanRequest planned_;
  LevelPlan plan_;
  int plan_number_ = 0;
};

}  // namespace winnow
