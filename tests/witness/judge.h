// A judge compares the answers of two sides on the cases of one model. It lives as long as that model's
// cases, so buffers that are used again from picture to picture are judged too.
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
  double limit_seconds = 0;  // 0: none
};

struct Verdict {
  long raw = 0, groups = 0;              // compared
  std::vector<std::string> differences;  // sentences; none: passed
  double seconds_theirs = 0, seconds_ours = 0;
};

class Judge {
 public:
  virtual ~Judge() = default;
  virtual winnow::Size window() const = 0;
  virtual Verdict judge(const Case& c, const Prepared& prepared) = 0;
  // What a reader of the report must know about this model; empty as a rule.
  virtual std::string note() const { return {}; }
};

// OpenCV against Winnow.
std::unique_ptr<Judge> make_opencv_judge(const ModelFile& model, const Settings& settings);
// Winnow's reference against its cpu backend: every SIMD target, 1 to `settings.threads` threads, batches;
// order and counters too.
std::unique_ptr<Judge> make_self_judge(const ModelFile& model, const Settings& settings);
// OpenCV's classifier that has seen pictures before against a fresh one.
std::unique_ptr<Judge> make_state_judge(const ModelFile& model, const Settings& settings);

// Steps on their own: grey, JPEG, grouping; returns how many checks failed, and prints a line for each kind
// of check.
struct StepCounts {
  long passed = 0, failed = 0;
};
StepCounts run_steps(const Settings& settings);

}  // namespace witness
