// Reads the inputs ahead of the detector, in threads of its own: pictures are decoded while others are
// searched. What comes out is in the order of the inputs, whatever finished first: for each input its frames,
// at most one problem, and one end. Memory: at most 256 MiB (and 80 frames) wait
// beside the picture that comes next, plus one picture a thread. Cameras keep two frames only, so that what
// is seen is what is shown. The inputs must outlive the reader. `next` belongs to one thread; it also returns
// false when a stop was asked for.
#pragma once

#include <winnow/image.h>
#include <winnow/video.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "inputs.h"

namespace winnow::cli {

struct FrameEvent {
  enum class Kind { kFrame, kProblem, kEnd };
  Kind kind = Kind::kEnd;
  std::size_t input = 0;
  Picture picture;
  std::int64_t index = 0;                  // of a frame in its video or stream
  std::optional<double> time;              // of a video's frame
  std::shared_ptr<const VideoInfo> video;  // of a video's frame
  std::string problem;                     // names the input

  std::size_t bytes() const;
};

struct FrameReaderOptions {
  bool color = false;
  int every = 1;  // of videos and streams
  std::int64_t max_pixels = 0;
  int threads = 1;
};

// How many for a search by so many threads. A small picture takes as long to decode as to search, so there
// are as many as that, up to 16; whoever is ahead of the other waits, and costs nothing.
int reader_threads(int search_threads);

class FrameReader {
 public:
  FrameReader(const std::vector<Input>& inputs, const FrameReaderOptions& options);
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  bool next(FrameEvent& event);
  // Whether an event is there already.
  bool ready();

 private:
  // What an input gave so far, and nobody took yet.
  struct Slot {
    std::deque<FrameEvent> events;
    bool done = false;
  };

  void work();
  void read(std::size_t index);
  void read_video(std::size_t index);
  void read_stream(std::size_t index);
  bool wait_for_turn(std::size_t index);
  bool push(FrameEvent event);
  void finish(std::size_t index);
  Slot& slot(std::size_t index) { return slots_[index - front_]; }
  bool has_room(const FrameEvent& event);

  const std::vector<Input>& inputs_;
  const FrameReaderOptions options_;
  std::mutex mutex_;
  std::condition_variable ready_;  // for `next`: the front has an event
  std::condition_variable room_;   // for readers: room for another event, or an input's turn
  std::deque<Slot> slots_;         // of the inputs from `front_` on that were begun
  std::size_t front_ = 0;          // the input whose events are taken next
  std::size_t turn_ = 0;           // all inputs before it are read
  std::size_t waiting_frames_ = 0, waiting_bytes_ = 0;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace winnow::cli
