#include "terminal/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "terminal/terminal.h"
#include "terminal/text.h"

namespace winnow::cli {

Progress::Progress(std::size_t inputs, std::string noun, bool quiet)
    : inputs_(inputs),
      noun_(std::move(noun)),
      quiet_(quiet),
      live_(!quiet && error_is_terminal()),
      start_(std::chrono::steady_clock::now()),
      shown_(start_) {}

double Progress::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::frame_done(std::size_t objects, double fraction) {
  ++frames_;
  objects_ += static_cast<std::int64_t>(objects);
  fraction_ = fraction;
  show();
}

void Progress::input_done() {
  ++inputs_done_;
  fraction_ = 0;
}

void Progress::copied(std::size_t written, std::size_t frames) {
  if (!due(written == 1)) return;
  show_status(fmt::format("input {} of {}, its copy: {} of {}", std::min(inputs_done_ + 1, inputs_), inputs_,
                          written, counted(static_cast<std::int64_t>(frames), "picture")));
}

void Progress::went_back(std::int64_t left) {
  if (!due(false)) return;
  show_status(fmt::format("input {} of {}, backwards: {} left", std::min(inputs_done_ + 1, inputs_), inputs_,
                          counted(left, "picture")));
}

bool Progress::due(bool first) {
  if (!live_ && !speaks_) return false;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::milliseconds between(speaks_ ? 10'000 : 100);
  if ((speaks_ || !first) && now - shown_ < between) return false;
  shown_ = now;
  return true;
}

void Progress::show() {
  if (!due(frames_ <= 1)) return;
  const double seconds = elapsed();
  const double rate = seconds > 0 ? static_cast<double>(frames_) / seconds : 0;
  std::string text = fmt::format("input {} of {}, {}, {:.1f} pictures/s", std::min(inputs_done_ + 1, inputs_),
                                 inputs_, counted(frames_, "picture"), rate);
  const double done =
      (static_cast<double>(inputs_done_) + std::clamp(fraction_, 0.0, 1.0)) / static_cast<double>(inputs_);
  if (fraction_ >= 0 && done > 0)
    text += fmt::format(", {} left", duration_text(seconds * (1 - done) / done));
  if (speaks_)
    say(text);
  else
    show_status(text);
}

void Progress::finish() {
  clear_status();
  if (quiet_) return;
  const double seconds = elapsed();
  std::string text = fmt::format("{}, {}, {:.2f} s, {:.1f} pictures/s", counted(frames_, "picture"),
                                 counted(objects_, noun_), seconds,
                                 seconds > 0 ? static_cast<double>(frames_) / seconds : 0.0);
  if (unread_ > 0)
    text += fmt::format("; {} of {} {} not read", counted(unread_, "further picture"),
                        counted(unread_files_, "file"), unread_ == 1 ? "was" : "were");
  if (!left_out_.empty()) text += "; " + left_out_;
  if (problems_ > 0) text += ", " + counted(problems_, "problem");
  if (!times_.empty()) text += "; time per picture: " + times_.text();
  say(text);
}

std::string duration_text(double seconds) {
  // 100 hours and more are shown as 99:59:59.
  const auto s = static_cast<long long>(std::clamp(seconds, 0.0, 359999.0) + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02} h", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace winnow::cli
