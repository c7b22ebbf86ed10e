// Writes blurred copies of videos. A face that is found in some frames is also hidden in the other frames.
//
// In:     the frames of a video, camera or stream, each with its followed faces and its line of JSON; then a
//         call of `finish`.
// Out:    a blurred copy (`Annotator`), and the lines with what is hidden. A file is read again after its
//         end, because a face that is found late also covers earlier frames. Other inputs cannot be read
//         again. Their copies are `gap` frames late.
// Exact:  the same copy for every backend, thread count and batch size.
// Memory: as `FaceCovers` (winnow/face_covers.h); the lines of frames that are not written yet; for a camera
//         or stream also `gap` frames.
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
#include <string>
#include <utility>
#include <vector>

namespace winnow::cli {

class CoveredCopies {
 public:
  // `reader`: the options for reading a file again; the frames must have been read with the same options.
  // The annotator must blur, and must outlive this object.
  CoveredCopies(Annotator& annotator, const FollowOptions& follow, MachineOptions machine,
                const FrameReaderOptions& reader, std::stop_token stop);

  // `watch` is called after each frame that is written while a file is read again. `written` counts the
  // frames so far, and `frames` counts the frames of the whole copy.
  void watch(std::function<void(std::size_t written, std::size_t frames)> watch) {
    watch_ = std::move(watch);
  }

  // `print` is called with the line of each frame, when it is known what is hidden in the frame.
  void print(std::function<void(const std::string& line)> print) { print_ = std::move(print); }

  // `written` is called with each frame whose copy was written, and with what is hidden in it.
  void written(std::function<void(const Input&, const FrameEvent&, std::span<const FaceCover>)> written) {
    written_ = std::move(written);
  }

  // Adds a frame with its line of JSON, or with "" if nothing is to be printed. If the input cannot be read
  // again, moves the picture out of `frame`, and returns true for the input's first frame. After an error of
  // the covers, the rest of the input is not written. After an error of the annotator, later frames are still
  // written.
  bool add(const Input& input, FrameEvent& frame, std::span<const Followed> faces, std::string line);
  // Whether the current input will be read again after its end.
  bool will_read_again() const { return copy_ && copy_->again; }
  // Writes the frames that are left of the input, or with `forget` drops them. Returns false if frames are
  // left out, because of `forget`, a stop, or covers that failed. kFormat if a file has other frames when it
  // is read again; the copy is then not whole. If a frame of a late copy cannot be written, another call of
  // `finish` goes on with the next frame.
  bool finish(const Input& input, bool forget);
  // `FaceCovers::note` of the input that had one last.
  const std::string& note() const { return note_; }
  // Whether `finish` must still be called for the current input.
  bool is_open() const { return copy_.has_value(); }

 private:
  // The copy of the current input.
  struct Copy {
    FaceCovers covers;
    bool again;                              // whether the input can be read again
    bool failed = false;                     // whether the covers failed
    std::vector<std::int64_t> numbers = {};  // if `again`: the index of each frame
    std::deque<FrameEvent> waiting = {};     // unless `again`: frames whose boxes are not known yet
    std::deque<std::string> lines = {};      // of frames that are not written yet
  };

  void keep_note(const Copy& copy);
  void print_lines(Copy& copy);
  void write_late(const Input& input, Copy& copy);
  bool write_again(const Input& input, Copy& copy);
  void write(const Input& input, Copy& copy, FrameEvent& frame);

  Annotator& annotator_;
  MachineOptions machine_;
  FrameReaderOptions reader_;
  std::stop_token stop_;
  std::function<void(std::size_t, std::size_t)> watch_;
  std::function<void(const std::string&)> print_;
  std::function<void(const Input&, const FrameEvent&, std::span<const FaceCover>)> written_;
  CoverOptions options_;
  std::optional<Copy> copy_;
  std::string note_;
  std::vector<FaceCover> given_;
};

}  // namespace winnow::cli
