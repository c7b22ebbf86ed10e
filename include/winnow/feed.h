// Reads pictures, videos, cameras and streams ahead of the caller that takes their frames.
//
//   winnow::FrameReader reader(winnow::expand_inputs({.names = {"photos/", "walk.mp4"}}));
//   for (winnow::FrameEvent event; reader.next(event);)
//     if (event.kind == winnow::FrameEvent::Kind::kFrame) detector.detect(event.picture.gray.view());
//
// In:     names of files, folders, patterns, cameras and pipes; "-" is standard input. Or a source that gives
//         inputs one by one; they may hold what a file holds, or frames.
// Out:    for each input its frames, its problems and one end, in the order of the inputs.
// Exact:  the same events for every number of threads, except for cameras.
// Memory: at most 80 frames, of 256 MiB together, wait in the queue. In addition, the reader holds the
//         picture that comes next, and one picture per thread. A camera's queue has two frames, so that
//         frames are recent. The caller owns a taken event; only `video` is shared, among all frames of one
//         video.
// Thread: threads of the reader decode; one thread at a time takes events.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <winnow/export.h>
#include <winnow/image.h>
#include <winnow/video.h>

namespace winnow {

// When a file is read, its first bytes say whether it is a picture or a video. Until then, the kind of a file
// in a folder is what its ending says.
enum class InputKind {
  kPicture,
  kVideo,
  kCamera,   // a device or an address that gives frames at its own pace
  kStream,   // standard input or a named pipe with one picture after the other
  kUnknown,  // a file with an unknown ending; its first bytes decide when it is read
  kBroken,   // cannot be read; `problem` gives the reason
};

struct FrameEvent;

// Bytes of a file, which several may hold.
using FileBytes = std::shared_ptr<const std::vector<std::byte>>;

struct Input {
  InputKind kind = InputKind::kBroken;
  std::string path;  // as the caller named it; "-" is standard input
  // The path for results, relative to an output folder. For a named file: the file's name. For a file from a
  // folder in `names`: its path in that folder. "stream" for standard input, empty for kBroken. Two inputs
  // may have the same `place`.
  std::string place;
  std::string problem;  // the reason of a kBroken input, in one sentence
  FileBytes file = {};  // the picture's file, if it is in memory: nothing is then read at `path`
  // Gives the input's frames, if they are made elsewhere: nothing is then read at `path`. Fills in a kFrame or
  // kProblem, but for `input` and `from`. May wait. False after the last event, and once `over` is stopped.
  std::function<bool(FrameEvent& event, std::stop_token over)> frames = {};
  // What a kCamera opens if it is no device: rtsp://..., http://... or https://... `path` is the same without
  // user, password and query.
  std::string address = {};
};

// The name of an input in messages: its path without raw control characters, or "standard input".
WINNOW_API std::string input_name(const Input& input);

struct InputRequest {
  std::vector<std::string> names;
  // A file with one name a line, or with a zero byte after each name; "-" is standard input. These inputs
  // follow those of `names`. Names in the file are not patterns, and empty names are skipped.
  std::string files_from;
  bool recursive = false;  // also read the folders inside folders
  // Folders inside of the others whose files do not count, for instance that of marked copies.
  std::vector<std::string> without_folders = {};
  // Whether `names` may hold addresses (rtsp://, http://, https://) and numbers of cameras (0 is /dev/video0).
  // A file that exists wins. Names in `files_from` are always files.
  bool addresses = false;
};

// Lists the inputs that the names stand for, in order. In folders, only files without an ending are opened.
// `left_out`, if given, gets the paths of files in folders that are neither pictures nor videos, and of pipes
// that match a pattern.
// - The name of a file gives that file. A name that is no file is a pattern if it holds one of *?[.
// - A folder stands for its pictures and videos (by their endings, or their first bytes), sorted by the bytes
//   of their names, without hidden files and links to folders.
// - An input that cannot be used stays in the list as kBroken. The problem is reported in its place, and the
//   other inputs are read.
WINNOW_API std::vector<Input> expand_inputs(const InputRequest& request,
                                            std::vector<std::string>* left_out = nullptr);

// Tells what `expand_inputs` left out: "3 files left out: 2 .psd, 1 without an ending". The commonest endings
// come first, and at most five are named. Empty if nothing was left out.
WINNOW_API std::string left_out_text(const std::vector<std::string>& left_out);

// The pictures of a folder as the frames of one video.
struct PictureSequence {
  // In the order of the last digits of their names: img9 comes before img10. Names without digits come first.
  std::vector<Input> pictures;
  std::vector<std::string> notes;  // numbers that are missing or twice, names without one, and videos
};
// kUsage if the folder holds no pictures; kIo if it cannot be read.
WINNOW_API PictureSequence expand_sequence(const std::string& folder);

struct FrameEvent {
  enum class Kind { kFrame, kProblem, kEnd };
  Kind kind = Kind::kEnd;
  std::size_t input = 0;              // the input's number, in the order of the inputs
  std::shared_ptr<const Input> from;  // the input
  Picture picture;                    // filled for kFrame, unless `file` is
  FileBytes file;              // filled for a picture that is not decoded (`FrameReaderOptions::files`)
  std::int64_t index = 0;      // the frame's number in its input; skipped frames are counted, too
  std::optional<double> time;  // in seconds, for a frame of a video
  std::shared_ptr<const VideoInfo> video;  // filled for a frame of a video
  // Whether the frame is from a video, camera or stream, or from a PNM file that holds several pictures.
  bool sequence = false;
  std::chrono::steady_clock::time_point read;  // when the frame had been read
  std::int64_t unread = 0;  // pictures of the file that are not read: the further ones of an animation
  std::string problem;      // filled for kProblem: one sentence that names the input

  // The fraction of the video that is done after this frame; negative if it is unknown.
  double fraction_done() const {
    if (!video || video->frames <= 0) return -1;
    return static_cast<double>(index + 1) / static_cast<double>(video->frames);
  }
  std::size_t bytes() const {
    return pixels(picture.gray.size()) + pixels(picture.color.size()) * sizeof(Rgb) +
           (file != nullptr ? file->size() : 0);
  }

 private:
  static std::size_t pixels(Size size) {
    return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  }
};

// The name of an event's frame in messages: "photo.jpg", or "walk.mp4, frame 12", also if the file is a PNM of
// several pictures.
WINNOW_API std::string frame_name(const FrameEvent& event);

// Gives inputs one after the other, where a list would be too long, or is not known yet.
class WINNOW_API InputSource {
 public:
  InputSource() = default;
  InputSource(const InputSource&) = delete;
  InputSource& operator=(const InputSource&) = delete;
  virtual ~InputSource();
  // Fills in the next input. May wait. False after the last one, and once `over` is stopped. Called by one
  // thread at a time.
  virtual bool next(Input& input, std::stop_token over) = 0;
};

struct FrameReaderOptions {
  bool color = false;  // also fill `Picture::color`
  bool files = false;  // read the files of pictures, but do not decode them (unless a file holds several)
  // From videos, cameras and streams take only frames 0, every, 2 * every, ... Below 1 is a kUsage error.
  int every = 1;
  std::int64_t max_pixels = ReadOptions().max_pixels;
  // Each thread reads one picture at a time; below 1 means 1. One video or stream is open at a time.
  int threads = 1;
};

// The number of reader threads that keeps `search_threads` busy: the same number, up to 32, because decoding
// a small picture takes as long as searching it. Pass `Detector::threads()`; 0 does not mean all cores here.
WINNOW_API int reader_threads(int search_threads);

class WINNOW_API FrameReader {
 public:
  // Once a stop is requested, `next` gives no further event and no longer waits.
  explicit FrameReader(std::vector<Input> inputs, const FrameReaderOptions& options = {},
                       std::stop_token stop = {});
  // Takes inputs as there is room for their frames. If the source throws, `next` throws the same once the
  // events before were given.
  explicit FrameReader(std::unique_ptr<InputSource> inputs, const FrameReaderOptions& options = {},
                       std::stop_token stop = {});
  // Ends the threads, and waits for the pictures that they are decoding.
  ~FrameReader();
  FrameReader(FrameReader&&) noexcept;
  FrameReader& operator=(FrameReader&&) noexcept;

  // Waits for the next event. False after the last event, and once a stop was requested.
  bool next(FrameEvent& event);
  // Whether an event waits for `next`. False after the last event. After a stop request it may still return
  // true, although `next` gives no event.
  bool ready() const;
  // Waits for at most `time`. True if `next` would return at once: an event is ready, or no further event
  // will come.
  bool wait(std::chrono::milliseconds time);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Reads a video, or the pictures of a sequence, from one frame back to the first. A video is decoded forward,
// and its latest frames are kept, up to a number of bytes. A longer video is decoded again for each stretch of
// so many bytes. Pictures are read in the opposite order, and none is kept. As in a `FrameReader`, up to 64
// frames are read ahead.
class WINNOW_API BackwardReader {
 public:
  static constexpr std::int64_t kKeptBytes = std::int64_t{512} << 20;
  // `inputs`: one video, or the pictures of a sequence, which can be read more than once: no camera and no
  // pipe. `from`: the number of the frame that comes first. If the video ends before, its last frame comes
  // first. At least one frame is kept, whatever `kept_bytes` is. `every` of the options must be 1.
  BackwardReader(std::vector<Input> inputs, std::int64_t from, const FrameReaderOptions& options = {},
                 std::stop_token stop = {}, std::int64_t kept_bytes = kKeptBytes);
  ~BackwardReader();
  BackwardReader(BackwardReader&&) noexcept;
  BackwardReader& operator=(BackwardReader&&) noexcept;

  // Gives the next earlier frame; `index` is its number, also for pictures. Frames that cannot be read are
  // left out. False after the first frame, and once a stop was requested.
  bool next(FrameEvent& event);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
