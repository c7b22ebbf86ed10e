#include "training/landmark_rows.h"

#include <fmt/format.h>
#include <winnow/answer.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "terminal/progress.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

constexpr double kShowSeconds = 0.1;

std::string percent(double fraction) {
  return std::isnan(fraction) ? "-" : fmt::format("{:.2f} %", 100 * fraction);
}

nlohmann::ordered_json number(double value) {
  return std::isnan(value) ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}

}  // namespace

LandmarkRows::LandmarkRows(const LandmarkOptions& options, const std::string& log, bool adds)
    : options_(options), log_(log, adds), live_(error_is_terminal()) {}

void LandmarkRows::step(const LandmarkStep& step) {
  if (step.stage_done) {
    last_stage_ = step.seconds - stage_began_;
    stage_began_ = step.seconds;
    clear_status();
    if (!head_shown_) {
      head_shown_ = true;
      fmt::print(stderr, "{:>5} {:>5} {:>9} {:>11} {:>9}\n", "stage", "trees", "error", "held back", "time");
    }
    fmt::print(stderr, "{:>5} {:>5} {:>9} {:>11} {:>9}\n", step.stage + 1, step.tree,
               percent(step.so_far.error), percent(step.so_far.held_back_error), duration_text(step.seconds));
    log_.write(nlohmann::ordered_json{{"stage", step.stage + 1},
                                      {"trees", step.tree},
                                      {"error", number(step.so_far.error)},
                                      {"held_back_error", number(step.so_far.held_back_error)},
                                      {"stage_s", step.so_far.seconds},
                                      {"s", step.seconds}}
                   .dump());
    return;
  }
  if (!live_ || step.seconds - shown_ < kShowSeconds) return;
  shown_ = step.seconds;
  std::string line = fmt::format("stage {} of {}: {} of {} trees, {}", step.stage + 1, options_.stages,
                                 step.tree, options_.trees, duration_text(step.seconds));
  if (last_stage_ > 0)
    line += ", about " + duration_text(last_stage_ * (options_.stages - step.stage)) + " left";
  show_status(line);
}

void LandmarkRows::finish(const LandmarkResult& result) {
  clear_status();
  log_.write(nlohmann::ordered_json{{"stages", result.stages.size()},
                                    {"samples", result.samples},
                                    {"stopped", result.stopped},
                                    {"backend", result.backend},
                                    {"s", result.seconds}}
                 .dump());
}

}  // namespace winnow::cli
