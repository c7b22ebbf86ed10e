// Keeps frames and sifts windows on the host, as track/tld/sift/window_sieve.h declares; its opening comment
// holds here.
#include "track/tld/sift/window_sieve.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "track/flow/kept_flow.h"
#include "track/tld/object_frame.h"
#include "track/tld/object_search.h"
#include "track/tld/object_steps.h"

namespace winnow {
namespace {

class HostFrames final : public SieveFrames {
 public:
  HostFrames(const ObjectSteps& steps, SiftStep sift, FlowForm flow, int threads)
      : steps_(steps), sift_(sift), flow_(flow, steps.halve, threads) {}

  void keep(GrayView frame, const FlowRules& rules) override {
    forget_planes();
    flow_.keep(frame, rules, deepest_);
  }
  void forget() override { flow_.forget(); }
  bool has_before() const override { return flow_.has_before(); }
  void carry(std::span<const FlowPlace> points, const FlowRules& rules, FlowResult* results) override {
    flow_.carry(points, rules, results);
  }
  std::unique_ptr<WindowSieve> make_sieve() override { return std::make_unique<Sieve>(*this); }

 private:
  // A level that objects search. The first object that needs its planes makes them; others wait.
  struct Level {
    std::mutex mutex;
    bool made = false;
    ObjectFrame planes;
  };

  class Sieve final : public WindowSieve {
   public:
    explicit Sieve(HostFrames& frames) : frames_(frames) {}
    void begin(const ObjectGrid&, const LearntObject& object) override {
      level_ = &frames_.level_for(object.halvings, halvings_);
    }
    std::span<const LikelyWindow> finish(const ObjectGrid& grid, const LearntObject& object, int threads,
                                         ObjectFrame& frame) override {
      const ObjectFrame& planes = frames_.planes(*level_, halvings_);
      frames_.sift_(planes, grid, object, threads, likely_);
      frame.show({halvings_, planes.level(), planes.blurred()});
      return likely_;
    }

   private:
    HostFrames& frames_;
    Level* level_ = nullptr;
    int halvings_ = 0;
    std::vector<LikelyWindow> likely_;
  };

  // Sees to it that the newest frame has this level. `halvings`: how often it is really halved.
  Level& level_for(int wanted, int& halvings) {
    const int levels = gaussian_levels(flow_.frames().now()->level(0).size(), wanted + 1);
    if (flow_.frames().now()->levels() < levels) {
      forget_planes();  // they show levels that move
      flow_.frames().deepen(levels);
    }
    deepest_ = std::max(deepest_, levels);
    halvings = levels - 1;
    while (levels_.size() < static_cast<std::size_t>(levels)) levels_.push_back(std::make_unique<Level>());
    return *levels_[static_cast<std::size_t>(halvings)];
  }
  const ObjectFrame& planes(Level& level, int halvings) {
    const std::lock_guard lock(level.mutex);
    if (!level.made) level.planes.make_of(flow_.frames().now()->level(halvings), halvings, steps_);
    level.made = true;
    return level.planes;
  }
  void forget_planes() {
    for (const auto& level : levels_) level->made = false;
  }

  const ObjectSteps& steps_;
  SiftStep sift_;
  KeptFlow flow_;
  int deepest_ = 0;                             // the most levels that objects needed so far
  std::vector<std::unique_ptr<Level>> levels_;  // by the number of halvings
};

}  // namespace

std::unique_ptr<SieveFrames> make_host_sieve_frames(const ObjectSteps& steps, SiftStep sift, FlowForm flow,
                                                    int threads) {
  return std::make_unique<HostFrames>(steps, sift, flow, threads);
}

std::unique_ptr<SieveFrames> make_sieve_frames_ref(int, int) {
  return make_host_sieve_frames(kObjectStepsRef, sift_windows_ref, flow_ref, 1);
}

std::unique_ptr<SieveFrames> make_sieve_frames_cpu(int threads, int) {
  return make_host_sieve_frames(kObjectStepsCpu, sift_windows_cpu, flow_cpu, threads);
}

}  // namespace winnow
