// A judge that compares Winnow with itself: every run must give the answer of `reference` on one thread.
// Objects, their order, counters and the windows that reached each stage must be equal to the bit.
#include <winnow/winnow.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <map>

#include "compare.h"
#include "judge.h"
#include "random.h"
#include "stopwatch.h"

namespace witness {
namespace {

using winnow::BackendKind;
using winnow::Counters;
using winnow::Detections;
using winnow::Detector;

constexpr std::size_t kBatch = 6;
// Pictures with more windows are not batched, because the reference searches each once more.
constexpr double kBatchWindows = 60000;

std::string counters_difference(const Counters& a, const Counters& b) {
  const auto show = [](const char* name, std::int64_t x, std::int64_t y) {
    return std::string("counters: ") + name + " " + std::to_string(x) + " in the reference, " +
           std::to_string(y) + " here";
  };
  if (a.windows != b.windows) return show("windows", a.windows, b.windows);
  if (a.skipped != b.skipped) return show("skipped", a.skipped, b.skipped);
  if (a.flat != b.flat) return show("flat", a.flat, b.flat);
  if (a.reached.size() != b.reached.size())
    return show("stages", static_cast<std::int64_t>(a.reached.size()),
                static_cast<std::int64_t>(b.reached.size()));
  for (std::size_t i = 0; i < a.reached.size(); ++i)
    if (a.reached[i] != b.reached[i])
      return show(("reached[" + std::to_string(i) + "]").c_str(), a.reached[i], b.reached[i]);
  return {};
}

std::string answer_difference(const Detections& reference, const Detections& here) {
  if (here.backend != "cpu") return "the answer says backend \"" + here.backend + "\"";
  if (here.picture != reference.picture) return "the answer says another picture size";
  if (std::string text = counters_difference(reference.counters, here.counters); !text.empty()) return text;
  if (!reference.counters.same_answer(here.counters)) return "Counters::same_answer says no";
  if (reference.objects == here.objects) return {};
  const std::string text =
      difference("objects", reference.objects, here.objects, kScores | kNeighbors, "reference", "cpu");
  return text.empty() ? "the same objects in another order" : text;
}

class SelfJudge : public Judge {
 public:
  SelfJudge(const ModelFile& model, const Settings& settings)
      : cascade_(winnow::Cascade::load(model.path)),
        max_threads_(settings.threads),
        targets_(winnow::list_simd_targets()),
        reference_(cascade_, {BackendKind::kReference, 1}) {
    if (!settings.simd.empty()) targets_ = {settings.simd};
  }
  ~SelfJudge() override { winnow::force_simd_target(""); }

  winnow::Size window() const override { return cascade_.window(); }

  Verdict judge(const Case& c, const Prepared& prepared) override {
    Verdict verdict;
    try {
      judge_all(c, prepared, verdict);
    } catch (const std::exception& error) {
      verdict.differences.push_back(std::string("error: ") + error.what());
    }
    return verdict;
  }

 private:
  void judge_all(const Case& c, const Prepared& prepared, Verdict& verdict) {
    Random random(hash_text(c.id.picture + "\nself", c.id.seed));
    winnow::DetectOptions grouped = c.options, raw = c.options;
    raw.raw = true;
    Stopwatch watch;
    const Detections expected_raw = reference_.detect(prepared.view, raw);
    const Detections expected = reference_.detect(prepared.view, grouped);
    if (expected.backend != "reference")
      verdict.differences.push_back("the reference says backend " + expected.backend);
    verdict.seconds_theirs = watch.seconds();
    verdict.raw = static_cast<long>(expected_raw.objects.size());
    verdict.groups = static_cast<long>(expected.objects.size());
    const auto check = [&](const std::string& target, int threads) {
      Detector& detector = cpu(target, threads);
      const std::string where = "cpu " + target + " with " + std::to_string(threads) + " threads: ";
      for (const auto& [options, answer] : {std::pair(&raw, &expected_raw), std::pair(&grouped, &expected)})
        if (const std::string text = answer_difference(*answer, detector.detect(prepared.view, *options));
            !text.empty())
          verdict.differences.push_back(where + (options->raw ? "raw: " : "grouped: ") + text);
    };
    for (const std::string& target : targets_) check(target, 1);
    for (int threads = 2; threads <= max_threads_; ++threads) check(targets_.front(), threads);
    const std::string any =
        targets_[static_cast<std::size_t>(random.below(static_cast<int>(targets_.size())))];
    check(any, random.between(1, max_threads_));
    if (c.windows < kBatchWindows) batch(c, prepared, any, random, verdict);
    verdict.seconds_ours = watch.seconds() - verdict.seconds_theirs;
  }

  // Searches the last few pictures in one call with this case's options.
  void batch(const Case& c, const Prepared& prepared, const std::string& target, Random& random,
             Verdict& verdict) {
    recent_.push_back(prepared);
    if (recent_.size() > kBatch) recent_.pop_front();
    if (!random.one_in(4)) return;
    std::vector<winnow::GrayView> views;
    for (const Prepared& p : recent_)
      if (estimate_windows(window(), p.view.size(), c.options) < kBatchWindows) views.push_back(p.view);
    views.resize(static_cast<std::size_t>(random.between(1, static_cast<int>(views.size()))));
    const int threads = random.between(1, max_threads_);
    cpu(target, threads).detect(views, c.options, results_);
    const std::string where = "batch of " + std::to_string(views.size()) + " on cpu " + target + ": ";
    if (results_.size() != views.size()) verdict.differences.push_back(where + "wrong number of results");
    for (std::size_t i = 0; i < std::min(views.size(), results_.size()); ++i)
      if (const std::string text = answer_difference(reference_.detect(views[i], c.options), results_[i]);
          !text.empty())
        verdict.differences.push_back(where + "picture " + std::to_string(i) + ": " + text);
  }

  // Returns the detector for (target, threads), which is kept from picture to picture.
  Detector& cpu(const std::string& target, int threads) {
    winnow::force_simd_target(target);
    const auto key = std::pair(target, threads);
    auto found = detectors_.find(key);
    if (found == detectors_.end())
      found = detectors_.emplace(key, Detector(cascade_, {BackendKind::kCpu, threads})).first;
    if (found->second.simd() != target)
      throw std::runtime_error("asked for SIMD target " + target + ", the detector says " +
                               found->second.simd());
    if (found->second.threads() != threads)
      throw std::runtime_error("asked for " + std::to_string(threads) + " threads, the detector says " +
                               std::to_string(found->second.threads()));
    return found->second;
  }

  winnow::Cascade cascade_;
  int max_threads_;
  std::vector<std::string> targets_;
  Detector reference_;
  std::map<std::pair<std::string, int>, Detector> detectors_;
  std::deque<Prepared> recent_;
  std::vector<Detections> results_;
};

}  // namespace

std::unique_ptr<Judge> make_self_judge(const ModelFile& model, const Settings& settings) {
  return std::make_unique<SelfJudge>(model, settings);
}

}  // namespace witness
