// Finds the windows of a picture that pass every stage of a model.
//
// In:     a picture (any stride, not copied) and its level plan, or a part of a plan (`plan_part.h`). The
//         plan is made for the picture's size and the model's window and rules. Cascades read the grey view
//         alone.
// Out:    survivors in rising window order, each with its score; counters per stage.
// Exact:  same bits for every backend, thread count and SIMD target.
// Memory: a sieve owns its buffers and keeps the model alive. The cpu sieve allocates nothing after the first
//         frame of a size, unless more windows survive than ever before. The reference and cuda sieves
//         allocate in each run. A sieve reads the picture and the plan during a run only.
// Thread: one thread at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <winnow/cascade.h>
#include <winnow/image.h>

#include "base/radix_sort.h"
#include "scale/plan.h"

namespace winnow {

struct Survivor {
  std::int64_t window;
  double score;  // the sum of the last stage; with a running sum, of all stages
  bool operator==(const Survivor&) const = default;
};

inline void sort_survivors(std::vector<Survivor>& survivors, std::vector<Survivor>& spare) {
  radix_sort(survivors, spare, [](const Survivor& s) { return static_cast<std::uint64_t>(s.window); });
}

// The result for one picture, overwritten by each run. Counters are as in `Counters` (winnow/detection.h).
struct SieveResult {
  std::vector<Survivor> survivors;
  std::int64_t windows = 0, skipped = 0, flat = 0, weak = 0;
  std::vector<std::int64_t> reached;  // the windows that reached each stage, then the windows that passed all
};

struct SieveOptions {
  // The least score of a survivor, for models whose windows pass by one score (HOG). The default, minus
  // infinity, stands for a least score of 0.
  double min_score = -std::numeric_limits<double>::infinity();
  bool gray = false;  // true: the picture's colour is not read
};

class Sieve {
 public:
  virtual ~Sieve() = default;
  virtual void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) = 0;
  void run(GrayView picture, const LevelPlan& plan, SieveResult& result) {
    run(PictureView(picture), plan, result);
  }
  // Sets the options of the runs that follow. A sieve ignores options that its kind of model does not know.
  virtual void set_options(const SieveOptions&) {}
  virtual std::string simd() const { return {}; }
  // Makes a sieve for another thread that shares the model's compiled form; null if the backend cannot make
  // such a sieve.
  virtual std::unique_ptr<Sieve> clone_for_thread() const { return nullptr; }
};

std::unique_ptr<Sieve> make_sieve_ref(const Cascade& cascade);
// `threads`: 1 or more.
std::unique_ptr<Sieve> make_sieve_cpu(const Cascade& cascade, int threads);
// Only in builds with CUDA. kBackend if the device cannot be used. The sieve judges a picture as if the
// picture were one of a batch of `frames` frames. `frames` decides how a device distributes windows over
// blocks.
std::unique_ptr<Sieve> make_sieve_cuda(const Cascade& cascade, int device, int frames = 1);

// The integral planes at one window, for `stage_sum`.
struct WindowSums {
  const std::uint32_t* sum = nullptr;  // points to the window's corner in the plane
  const std::uint32_t* tilted = nullptr;
  std::ptrdiff_t stride = 0;  // values from one row to the next
  float norm = 1;             // from `window_norm`; 1 for models without flat windows
  // Planes of sums modulo 2^16, for use if `sum` is null. If a rectangle's sum may not fit 16 bits, the
  // sum is added up from pieces whose sums fit.
  const std::uint16_t *low = nullptr, *tilted_low = nullptr;
};
// Adds one window's leaves of one stage to `before`, in doubles and in the order of the model's file, and
// returns the sum. The caller compares the sum with `stage_limit`. The reference judges every window with
// this function. The backend cpu calls it for windows that integer sums leave undecided, and for some scores.
double stage_sum(const CascadeModel& model, const Stage& stage, const WindowSums& window, double before = 0);

}  // namespace winnow
