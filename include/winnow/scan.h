// Gives the answer for every frame of pictures, folders, videos, cameras and streams, in the order of the
// inputs.
//
//   winnow::Scan scan(winnow::expand_inputs({.names = {"photos/", "walk.mp4"}}),
//                     winnow::make_detect_work(winnow::DetectorModel::load("built-in:face")));
//   for (winnow::ScanEvent event; scan.next(event);)
//     if (event.kind == winnow::ScanEvent::Kind::kFrame)
//       std::printf("%s: %zu\n", frame_name(event).c_str(), event.found.objects.size());
//
// Frames are read ahead and answered in batches (`ScanWork`). Work that needs earlier frames, such as a
// tracker, goes into a `ScanState`, which the caller makes for each input. Several hosts may scan one
// archive: each takes a section of the list of inputs. `ScanEvent::input` then counts within that section.
//
// In:     a list or a source of inputs, the work, and optionally a function that makes states.
// Out:    for each input its frames with their answers, its problems and one end, in the order of the inputs.
// Exact:  the same events for every backend, number of threads and batch size, except for cameras, `seconds`
//         and the backend's name.
// Memory: a batch is full when its pictures have 256 MiB; with devices, 512 MiB of pictures are searched or
//         wait for their turn. Another 256 MiB may wait in the reader. In addition, the scan holds the
//         picture that filled the batch, and one picture for each reading thread. `ScanWork::answer` and
//         `ScanState::next` borrow their frames for the call. A taken event belongs to the caller.
// Thread: one thread at a time takes events. States run on that thread, inside `next`, and so does work of
//         the caller's. Work that Winnow makes may also run on threads of the scan, with a session for each.
#pragma once

#include <any>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/export.h>
#include <winnow/face_finder.h>
#include <winnow/feed.h>
#include <winnow/follower.h>
#include <winnow/landmarker.h>

namespace winnow {

class ScanState;

// A frame with its answer, a problem, or the end of an input. A frame that cannot be answered becomes a
// problem.
struct ScanEvent : FrameEvent {
  Detections found;    // objects and counters of a frame
  double seconds = 0;  // per frame: the work's time, averaged over the batch, plus the state's time
  std::any answer;     // the result of a state, or of work that finds no `Detections`; not read by the scan
  // The input's state: at kFrame after this frame, at kEnd after the last frame. Null if the input has no
  // state, or if no frame of the input was answered. The pointer is valid until the next call of
  // `Scan::next`.
  ScanState* state = nullptr;
};

// Answers several frames of any inputs in one call. An answer must not depend on frames of earlier calls,
// because a batch may come again, frame by frame.
class WINNOW_API ScanWork {
 public:
  ScanWork() = default;
  ScanWork(const ScanWork&) = delete;
  ScanWork& operator=(const ScanWork&) = delete;
  virtual ~ScanWork();

  // Fills in `found` or `answer` of each frame. If a frame cannot be answered, fills in its `problem`: the
  // reason, in a sentence without the input's name. If a call throws, each frame of the batch is answered
  // alone. An `Error` or std::bad_alloc for a single frame becomes the frame's problem. But kUsage, kBackend
  // and exceptions of other types end the scan, once the events before that frame are taken.
  virtual void answer(std::span<ScanEvent* const> frames) = 0;
  // Whether frames should have colour.
  virtual bool reads_color() const { return false; }
  // The number of threads that `answer` keeps busy, 1 or more. The scan reads with as many threads, up to 32.
  virtual int threads() const { return 1; }
};

// Finds objects, as `Detector::detect` does. kUsage at once for options that make no sense. If the region or
// a location lies outside of a frame, the frame becomes a problem. After an error, such as too little memory
// for one picture, the next frame gets a new detector.
WINNOW_API std::unique_ptr<ScanWork> make_detect_work(DetectorModel model, DetectOptions options = {},
                                                      MachineOptions machine = {});

// Finds faces and marks their points. Each frame's `answer` holds a std::vector<Shape> with a shape for each
// object of `found`. Errors are those of `make_detect_work`. `face_search` (face_search.h) completes the
// options: with landmarks that have presence, the search is looser, and unlikely faces are dropped. For
// dlib's file, boxes of any detector are placed like those of the model `face` (`Landmarks::for_face_boxes`).
WINNOW_API std::unique_ptr<ScanWork> make_faces_work(DetectorModel model, Landmarks landmarks,
                                                     DetectOptions options = {}, MachineOptions machine = {},
                                                     std::optional<double> min_confidence = {});

// The caller's state for one input, such as a tracker. The state gets the input's frames in order, after the
// work has answered them, and no frame of another input. Frames with a problem are not passed to the state.
class WINNOW_API ScanState {
 public:
  ScanState() = default;
  ScanState(const ScanState&) = delete;
  ScanState& operator=(const ScanState&) = delete;
  virtual ~ScanState();

  // Takes a frame with the work's answer. May change `found`, set `answer`, or set a `problem`. An exception
  // is treated as in `ScanWork::answer`. `Detections` hold boxes and scores only, so tracks go into `answer`.
  virtual void next(ScanEvent& frame) = 0;
  // For `ScanProgress::note`.
  virtual std::string note() const { return {}; }
};

// Makes an input's state at the input's first frame that was answered. The function may return null. If the
// function throws, the scan ends. The state is destroyed by the first `Scan::next` after the input's end, or
// with the scan.
using MakeScanState = std::function<std::unique_ptr<ScanState>(const Input& input, const ScanEvent& first)>;

// Marks faces in pictures, and follows them through videos, cameras and streams. Pass both members to the
// same scan.
struct FollowScan {
  std::unique_ptr<ScanWork> work;
  MakeScanState make_state;  // for `ScanOptions::make_state`; returns null for a single picture
};

// Pictures are answered as by `make_faces_work`, with `FollowOptions::search` and `min_confidence`. For a
// frame of a video, camera or stream, `answer` holds a std::vector<Followed> of a `Follower`, which gets each
// frame that the scan takes. `found` then has the faces that are not lost, with 0 neighbours and no counters.
// - While no face is there, each frame of a camera or stream is searched. Of a video file, only the usual
//   frames are searched. `FollowOptions::until_found` decides for all inputs if it has a value.
// - The numbers of faces begin with 1 in each input. After a frame with a problem, all faces get new, higher
//   numbers.
// - kUsage at once for options that make no sense. Options with which no face can be followed, such as
//   `raw`, work for pictures only. At the first frame of a video, camera or stream the scan ends with kUsage.
// - A region that lies outside of a frame is a problem of the frame.
WINNOW_API FollowScan make_follow_scan(DetectorModel model, Landmarks landmarks, FollowOptions options = {},
                                       MachineOptions machine = {});

struct ScanOptions {
  bool color = false;  // read colour even if the work does not ask for it (`ScanWork::reads_color`)
  int every = 1;       // take only frames 0, every, 2 * every, ... of videos, cameras and streams
  std::int64_t max_pixels = ReadOptions().max_pixels;
  // The number of frames in a batch, 1 or more; does not change the answer. Without a value, a batch takes
  // the frames that the reader has ready, at most 64. It takes fewer frames if the answers would take more
  // than a quarter of a second.
  std::optional<int> batch;
  // Once a stop is requested, no more frames are read. Frames that were read before are still answered.
  std::stop_token stop;
  MakeScanState make_state;
};

// The progress of a scan, up to the event that the caller took last.
struct ScanProgress {
  std::size_t inputs = 0;  // 0 if they come from a source
  std::size_t inputs_done = 0;
  std::int64_t frames = 0, problems = 0;
  // The fraction of the current input that is done, 0 to 1; negative if unknown.
  double fraction = 0;
  // Why a device does not help that was to help: it could not start, or it failed. "" if there is no such
  // device. The answers are complete all the same.
  std::string note;
};

class WINNOW_API Scan {
 public:
  // If `work` is null, frames go to the states only. kUsage for options out of range.
  Scan(std::vector<Input> inputs, std::unique_ptr<ScanWork> work, ScanOptions options = {});
  // Takes inputs as there is room for their frames. The scan ends with what the source throws.
  Scan(std::unique_ptr<InputSource> inputs, std::unique_ptr<ScanWork> work, ScanOptions options = {});
  ~Scan();
  Scan(Scan&&) noexcept;
  Scan& operator=(Scan&&) noexcept;

  // Waits for the next event. False after the last event. Passing the same `event` again reuses its memory.
  // Throws if the work or a state ends the scan; no event follows then.
  bool next(ScanEvent& event);
  // Waits for at most `time`. True if `next` would return without waiting.
  bool wait(std::chrono::milliseconds time);

  const ScanProgress& progress() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
