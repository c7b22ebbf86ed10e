// Shows how far a run is: a status line (at most ten times a second, terminals only), or a line every ten
// seconds, and a summary at the end.
//
// In:     a call for each frame, input and problem.
// Out:    text on standard error.
// Memory: a `Progress` keeps only counts.
// Thread: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "terminal/frame_times.h"

namespace winnow::cli {

class Progress {
 public:
  // `noun`: what one object is called in the summary. `quiet`: write neither status nor summary.
  Progress(std::size_t inputs, std::string noun, bool quiet);

  // If standard error is no terminal, says every ten seconds how far the run is.
  void speak() { speaks_ = !quiet_ && !live_; }

  // `fraction`: the fraction of the input that is done after this frame, from 0 to 1; negative if unknown.
  void frame_done(std::size_t objects, double fraction);
  // Counts the time of a frame. The summary then tells the times of the frames.
  void frame_took(double seconds) { times_.add(seconds); }
  // Shows how many frames of a copy are written, while the file is read again.
  void copied(std::size_t written, std::size_t frames);
  // Shows how many frames are left before the first one, while a video is followed backwards.
  void went_back(std::int64_t left);
  void input_done();
  // Counts pictures of a file that were not read. The summary tells their number.
  void left_unread(std::int64_t pictures) {
    unread_ += pictures;
    unread_files_ += pictures > 0 ? 1 : 0;
  }
  // Adds a phrase about files that were not read to the summary, if it is not empty.
  void left_out(std::string text) { left_out_ = std::move(text); }
  void problem_found() { ++problems_; }
  std::int64_t problems() const { return problems_; }
  std::int64_t objects() const { return objects_; }
  void finish();

 private:
  double elapsed() const;
  // Whether a status line may be shown now. Lines are 0.1 s apart, but a `first` line need not wait.
  bool due(bool first);
  void show();

  std::size_t inputs_;
  std::string noun_;
  std::size_t inputs_done_ = 0;
  double fraction_ = 0;
  std::int64_t frames_ = 0, objects_ = 0, problems_ = 0;
  std::int64_t unread_ = 0, unread_files_ = 0;
  std::string left_out_;
  FrameTimes times_;
  bool quiet_, live_, speaks_ = false;
  std::chrono::steady_clock::time_point start_, shown_;
};

// Writes a duration, rounded to whole seconds, as "8 s", "2:05 min" or "1:02:05 h".
std::string duration_text(double seconds);

}  // namespace winnow::cli
