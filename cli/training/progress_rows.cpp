#include "training/progress_rows.h"

#include <winnow/answer.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "terminal/progress.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

constexpr double kShowSeconds = 0.1;

}  // namespace

ProgressRows::ProgressRows(const char* unit, int units, const std::string& log, bool adds)
    : unit_(unit), units_(units), log_(log, adds), live_(error_is_terminal()) {}

void ProgressRows::step(const TrainStep& step) {
  if (step.stage != stage_) {
    if (stage_ >= 0) last_stage_ = step.seconds - stage_began_;
    stage_ = step.stage;
    stage_began_ = step.seconds;
  }
  if (step.what == TrainStep::What::kStageDone) {
    stage_done(step);
    return;
  }
  if (!live_ || step.seconds - shown_ < kShowSeconds) return;
  shown_ = step.seconds;
  const TrainedStage& s = step.so_far;
  std::string line = fmt::format("{} {} of {}: ", unit_, step.stage + 1, units_);
  if (step.what == TrainStep::What::kMining) {
    line += fmt::format("{} of {} negatives, {:.2g} windows searched", s.negatives, step.wanted_negatives,
                        static_cast<double>(s.mined_windows));
  } else {
    line += fmt::format("{} weak, hit rate {:.4f}, false alarms {:.4f}", s.weak, s.hit, s.false_alarm);
  }
  line += ", " + duration_text(step.seconds);
  // The estimate assumes that each stage left takes as long as the last one, although later stages may be
  // harder or easier.
  if (last_stage_ > 0) line += ", about " + duration_text(last_stage_ * (units_ - step.stage)) + " left";
  show_status(line);
}

void ProgressRows::stage_done(const TrainStep& step) {
  const TrainedStage& s = step.so_far;
  clear_status();
  if (!head_shown_) {
    head_shown_ = true;
    fmt::print(stderr, "{:>5} {:>5} {:>9} {:>13} {:>9} {:>9} {:>9} {:>16} {:>9}\n", unit_, "weak", "hit rate",
               "false alarms", "positives", "negatives", "kept", "windows searched", "time");
  }
  fmt::print(stderr, "{:>5} {:>5} {:>9.4f} {:>13.4f} {:>9} {:>9} {:>9} {:>16} {:>9}\n", step.stage + 1,
             s.weak, s.hit, s.false_alarm, s.positives, s.negatives, s.carried_over, s.mined_windows,
             duration_text(step.seconds));
  log_.write(nlohmann::ordered_json{{"stage", step.stage + 1},
                                    {"weak", s.weak},
                                    {"hit_rate", s.hit},
                                    {"false_alarms", s.false_alarm},
                                    {"positives", s.positives},
                                    {"negatives", s.negatives},
                                    {"kept", s.carried_over},
                                    {"windows", s.mined_windows},
                                    {"mining_s", s.mining_seconds},
                                    {"boosting_s", s.boosting_seconds},
                                    {"s", step.seconds}}
                 .dump());
}

void ProgressRows::finish(std::size_t stages, const std::string& ended_early, bool stopped,
                          const std::string& backend, double seconds) {
  clear_status();
  if (!ended_early.empty()) say("ended early: " + printable(ended_early));
  log_.write(nlohmann::ordered_json{
      {"stages", stages},
      {"ended_early", ended_early},
      {"stopped", stopped},
      {"backend", backend},
      {"s",
       seconds}}.dump());
}

}  // namespace winnow::cli
