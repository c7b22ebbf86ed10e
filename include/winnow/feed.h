// Reads pictures, videos, cameras and streams ahead of whoever uses their frames.
//
//   winnow::FrameReader reader(winnow::expand_inputs({.names = {"photos/", "walk.mp4"}}));
//   for (winnow::FrameEvent event; reader.next(event);)
//     if (event.kind == winnow::FrameEvent::Kind::kFrame) detector.detect(event.picture.gray.view());
//
// In:     names of files, folders, patterns, cameras and pipes; "-" is standard input.
// Out:    for each input its frames, its problems and one end, in the order of the inputs.
// Exact:  the same events for every number of threads.
// Memory: at most 256 MiB and 80 frames wait beside the picture that comes next, plus one picture a thread.
//         A camera keeps two frames, so that what is seen is what is shown.
// Thread: pictures are decoded by threads of the reader; one thread at a time takes events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <winnow/export.h>
#include <winnow/image.h>
#include <winnow/video.h>

namespace winnow {

enum class InputKind {
  kPicture,
  kVideo,
  kCamera,   // a device: frames come when they come
  kStream,   // pictures one after the other: standard input or a named pipe
  kUnknown,  // a file whose ending says nothing: its first bytes decide when it is read
  kBroken,   // `problem` says why
};

struct Input {
  InputKind kind = InputKind::kBroken;
  std::string path;  // as it was named; "-" is standard input
  // Its path below an output folder: the file's name, or its path below the folder that was named.
  std::string place;
  std::string problem;  // a sentence
};

// What messages call an input: its path, or "standard input".
WINNOW_API std::string input_name(const Input& input);

struct InputRequest {
  std::vector<std::string> names;
  // A file with one name a line (or ended by a zero byte each); "-" is standard input.
  std::string files_from;
  bool recursive = false;  // also the folders in the folders
};

// The inputs that the names stand for, as a flat list in order; no picture or video is opened.
// - A file is itself. A name that no file has is a pattern if it holds one of *?[.
// - A folder is the pictures and videos in it, sorted by name, without hidden files and links to folders.
// - What cannot be used stays in the list as kBroken: it is reported in its place, and the others are done.
WINNOW_API std::vector<Input> expand_inputs(const InputRequest& request);

struct FrameEvent {
  enum class Kind { kFrame, kProblem, kEnd };
  Kind kind = Kind::kEnd;
  std::size_t input = 0;                   // its number in the list of inputs
  Picture picture;                         // of a frame
  std::int64_t index = 0;                  // of a frame in its video or stream
  std::optional<double> time;              // of a video's frame, in seconds
  std::shared_ptr<const VideoInfo> video;  // of a video's frame
  std::string problem;                     // names the input

  std::size_t bytes() const {
    return pixels(picture.gray.size()) + pixels(picture.color.size()) * sizeof(Rgb);
  }

 private:
  static std::size_t pixels(Size size) {
    return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  }
};

struct FrameReaderOptions {
  bool color = false;  // also fill `Picture::color`
  int every = 1;       // of videos, cameras and streams only frames 0, every, 2 * every, ...
  std::int64_t max_pixels = ReadOptions().max_pixels;
  int threads = 1;  // at most one a picture; one video or stream is open at a time
};

// The number of reader threads that keeps a search by so many threads busy: the same number, up to 16. A
// small picture takes as long to decode as to search.
WINNOW_API int reader_threads(int search_threads);

class WINNOW_API FrameReader {
 public:
  // `stop`: once requested, `next` gives no further event, also while it waits for one.
  explicit FrameReader(std::vector<Input> inputs, const FrameReaderOptions& options = {},
                       std::stop_token stop = {});
  // Ends the threads; it waits for the pictures that are being decoded.
  ~FrameReader();
  FrameReader(FrameReader&&) noexcept;
  FrameReader& operator=(FrameReader&&) noexcept;

  // Waits for the next event. False after the last one, and once a stop was requested.
  bool next(FrameEvent& event);
  // Whether `next` would return an event without waiting.
  bool ready() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
