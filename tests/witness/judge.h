// Judges the answers of two sides on the cases of one model.
//
// In:     a model's file, settings, and cases one after the other.
// Out:    for each case the number of comparisons, differences as sentences, and the seconds of both sides.
// Exact:  boxes, neighbours and the bits of scores must be equal.
// Memory: a judge owns its detectors, and one judge serves all cases of a model. Detectors that reuse their
//         buffers from picture to picture are judged this way, too.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "draw.h"
#include "models.h"

namespace witness {

struct Settings {
  std::string data;
  std::string models = "*";
  std::string backend = "auto";
  std::string simd;
  int threads = 1;
  int pictures = 230;
  bool subset = false;
  std::uint64_t seed = 1;
  double limit_seconds = 0;  // 0: no limit
};

struct Verdict {
  long raw = 0, groups = 0;              // numbers of detections compared
  std::vector<std::string> differences;  // sentences; the case passes without any
  double seconds_theirs = 0, seconds_ours = 0;
};

class Judge {
 public:
  virtual ~Judge() = default;
  virtual winnow::Size window() const = 0;
  virtual Verdict judge(const Case& c, const Prepared& prepared) = 0;
  // A sentence about this model that a reader of the report must know; usually empty.
  virtual std::string note() const { return {}; }
};

// Compares OpenCV with Winnow.
std::unique_ptr<Judge> make_opencv_judge(const ModelFile& model, const Settings& settings);
// Compares Winnow's `reference` with its `cpu` backend: every SIMD target, 1 to `settings.threads` threads,
// and batches. Order and counters must be equal, too.
std::unique_ptr<Judge> make_self_judge(const ModelFile& model, const Settings& settings);
// Compares an OpenCV classifier that has seen other pictures with a fresh one.
std::unique_ptr<Judge> make_state_judge(const ModelFile& model, const Settings& settings);

// Compares single steps: grey, JPEG, grouping. Prints a line for each kind of check, and returns the numbers
// of checks that passed and failed.
struct StepCounts {
  long passed = 0, failed = 0;
};
StepCounts run_steps(const Settings& settings);
StepCounts run_people(const Settings& settings);

}  // namespace witness
