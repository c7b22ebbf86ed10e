// Writes copies of videos in which no frame shows a face that was found in others.
//
// In:     the frames of a video, camera or stream with their followed faces; then its end.
// Out:    a blurred copy (`Annotator`). A file is read a second time when it has ended, because what is found
//         late also covers frames before. Other inputs cannot be read again: their copy is `gap` frames late.
// Exact:  the same copy for every backend, thread count and batch size.
// Memory: as `FaceCovers`; for a camera or stream also `gap` frames.
// Thread: one thread at a time.
#pragma once

#include <winnow/answer.h>
#include <winnow/face_covers.h>
#include <winnow/feed.h>
#include <winnow/follower.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace winnow::cli {

class CoveredCopies {
 public:
  // `reader`: how the frames were read. The annotator must blur, and outlive this object.
  CoveredCopies(Annotator& annotator, int gap, MachineOptions machine, const FrameReaderOptions& reader,
                std::stop_token stop);

  // `watch` is called for each frame that is written while a file is read again. `frames`: of the whole copy.
  void watch(std::function<void(std::size_t written, std::size_t frames)> watch) {
    watch_ = std::move(watch);
  }

  // Takes the frame's picture away. True for the first frame of an input whose copy comes late. After an error
  // of the covers the other frames of the input are left out; after one of the annotator they are written.
  bool add(const Input& input, FrameEvent& frame, std::span<const Followed> faces);
  // Whether the input whose frames come is read again when it has ended.
  bool will_read_again() const { return copy_ && copy_->again; }
  // Writes what is left of the input, or forgets it. kFormat if a file has other frames when it is read again;
  // then the copy is not whole. If a frame of a late copy cannot be written, a further call goes on behind it.
  void finish(const Input& input, bool forget);
  // Whether `finish` has not yet written all.
  bool is_open() const { return copy_.has_value(); }

 private:
  // The copy of the input whose frames come.
  struct Copy {
    FaceCovers covers;
    bool again;                         // whether the input can be read again
    bool failed = false;                // the covers are lost
    std::vector<std::int64_t> numbers;  // of its frames, if it can
    std::deque<FrameEvent> waiting;     // frames whose covers are not known yet, if it cannot
  };

  void write_late(const Input& input, Copy& copy);
  void write_again(const Input& input, Copy& copy);
  void write(const Input& input, FrameEvent& frame);

  Annotator& annotator_;
  MachineOptions machine_;
  FrameReaderOptions reader_;
  std::stop_token stop_;
  std::function<void(std::size_t, std::size_t)> watch_;
  CoverOptions options_;
  std::optional<Copy> copy_;
  std::vector<Box> boxes_;
  std::vector<Detection> objects_;
};

}  // namespace winnow::cli
