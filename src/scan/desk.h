// Keeps the events of a scan in order, while lanes answer its frames in any order.
//
// A feeder puts events on the desk. Lanes take frames, answer them, and put them back. The scan takes events
// from the front once they are answered.
//
// In:     events in the order of the inputs.
// Out:    the same events in the same order, with their answers.
// Exact:  every frame is answered once, by one lane.
// Memory: bounded by `Limits`. One event may always lie on the desk, however large it is.
// Thread: one thread feeds, one takes events, and any number are lanes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include <winnow/scan.h>

namespace winnow {

class Desk {
 public:
  struct Limits {
    std::size_t frames, bytes;
  };
  explicit Desk(Limits limits) : limits_(limits) {}

  // Changes the number of frames for which there is room.
  void set_frames(std::size_t frames);
  // Waits for room, and until fewer than `most` events lie on the desk. Returns false if the scan is over.
  bool push(ScanEvent event, std::size_t most);
  // No more events come. With `failure`, the scan throws it after the events before.
  void end(std::exception_ptr failure = {});

  // Takes up to `most` frames of one size that wait, the oldest first. Waits for a frame. Returns false if no
  // more frames come.
  bool take_alike(std::size_t most, std::vector<ScanEvent*>& frames);
  // Takes up to `most` frames of any size: those that other lanes gave back, or else frames that wait. Waits
  // until there are some, and `wanted` returns true for the number of frames that wait. `newest`: takes the
  // newest frames first. Returns false if no more frames come.
  using Wanted = std::function<bool(std::size_t waiting)>;
  bool take(std::size_t most, bool newest, const Wanted& wanted, std::vector<ScanEvent*>& frames);
  void done(const std::vector<ScanEvent*>& frames);
  // As `done`, but the scan throws when it comes to `frame`.
  void done(const std::vector<ScanEvent*>& frames, const ScanEvent* frame, std::exception_ptr why);
  // Gives back frames. Without `to_lanes`, only `take` then gives them to a lane.
  void give_back(const std::vector<ScanEvent*>& frames, bool to_lanes);
  // Wakes lanes that wait, so that they ask `wanted` again.
  void ask_again();

  // Waits for the next event. False after the last event. Throws what ended the scan.
  bool pop(ScanEvent& event);
  // Waits for at most `time`. True if `pop` would return without waiting.
  bool wait(std::chrono::milliseconds time);
  // Ends the scan: lanes and feeder stop after what they do now.
  void stop();
  // Drops all events, once no lane has any.
  void clear();

 private:
  enum class Is { kWaiting, kGivenBack, kTaken, kDone };
  struct Entry {
    ScanEvent event;
    Is is = Is::kDone;
    std::exception_ptr failure = {};
  };
  Entry& entry_of(const ScanEvent* frame);
  void give(Entry& entry, std::vector<ScanEvent*>& frames);
  bool is_decided() const { return over_ || (entries_.empty() ? ended_ : entries_.front().is == Is::kDone); }
  bool has_more() const { return !over_ && (!ended_ || waiting_ > 0 || given_back_ > 0 || taken_ > 0); }

  Limits limits_;
  std::mutex mutex_;
  std::condition_variable room_, work_, ready_;
  std::deque<Entry> entries_;
  std::size_t frames_ = 0, bytes_ = 0;  // of `entries_`
  std::size_t waiting_ = 0, given_back_ = 0, taken_ = 0;
  bool ended_ = false, over_ = false;
  std::exception_ptr failure_;  // of the feeder
};

}  // namespace winnow
