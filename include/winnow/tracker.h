// Follows any objects through a video: a person marks each object once, in any frame.
//
//   winnow::Tracker tracker;
//   const int id = tracker.add(first_frame, {120, 80, 40, 60});
//   for (const winnow::Track& track : tracker.next(frame))
//     std::printf("%d %s %.1f %.1f\n", track.id, winnow::state_name(track.state), track.box.x, track.box.y);
//
// In each frame flow moves an object's box, and the whole frame is searched for the object, whose looks the
// tracker learns on the way (TLD: tracking, learning, detection). An object that was lost is found when it is
// back.
//
// What was learnt of objects can be saved, and searched for in another video. A tracker may follow the
// objects of several videos together.
//
// In:     grey frames, and boxes of objects or saved objects. Most of a box lies inside of the frame, at
//         least 8 x 8 pixels. Videos count from 0. In a frame of another size all objects of the video are
//         lost until the search finds them. `auto` begins on the processor. A device that then fails leaves
//         the frame to the processor. kUsage for a bad box, frame or number; kBackend if the backend is not
//         here; kFormat, kLimit or kUnsupported for bytes that hold no saved objects; kIo for files. After
//         any other error of `next` the search finds the objects again.
// Out:    for each frame a `Track` for each object, in the order of their ids.
// Exact:  same tracks for every backend and number of threads, in every run. Neither other objects nor other
//         videos change an object's track. An object that was saved and goes on in the same frame has the
//         same tracks as if it had not been saved.
// Memory: for each video the last two frames with their halves, and 9 bytes for each pixel of each level that
//         is searched. For each object about 1 MB, and 32 bytes for each window that is a little like the
//         object: most windows, if the object has few grey levels. What is kept of an object's looks is
//         bounded. A mark takes 9 bytes for each pixel of its level, and frees them. On a device an object
//         takes 4 bytes for each window or more, and as much pinned memory. With `auto`, a copy of each
//         video's last frame while a device may help. Frames may be freed when a call returns.
// Thread: one thread at a time. The objects of all videos share `threads` threads. Of several devices the
//         first one works.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/backend.h>
#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/image.h>
#include <winnow/machine.h>

namespace winnow {

enum class TrackState {
  kFound,    // the search found the object where it is
  kTracked,  // flow alone carried it here
  kLost,     // the object is not seen, or not surely
};
WINNOW_API const char* state_name(TrackState state);  // "found", "tracked", "lost"

struct Track {
  int id = 0;  // counts from 1, in the order of `add`
  TrackState state = TrackState::kLost;
  // May reach beyond the frame. If the object is lost, the last one in which it was not; empty if a saved
  // object was not found yet.
  RealBox box;
  // The probability that the place where flow and search see the object is right, from 0 to 1: that a box
  // there overlaps the object by a quarter. Below 0.65 the object counts as lost. 0 if they do not see it.
  double confidence = 0;
  bool operator==(const Track&) const = default;
};

struct TrackOptions {
  std::uint64_t seed = 1;  // of all random numbers
};

class WINNOW_API Tracker {
 public:
  explicit Tracker(TrackOptions options = {}, const MachineOptions& machine = {});
  ~Tracker();
  Tracker(Tracker&&) noexcept;
  Tracker& operator=(Tracker&&) noexcept;

  BackendKind backend() const;       // kAuto if several backends may be used
  BackendKind last_backend() const;  // the backend that took the last frame
  // With kAuto: why no device helps, if one was to help and could not start or failed; else "".
  std::string note() const;
  int threads() const;

  // Marks an object in a video, and returns its id. `frame` is the newest frame of the video that `next` took;
  // before the first `next`, it is the first frame. Ids are those of the tracker: objects of two videos never
  // have the same.
  int add(GrayView frame, const RealBox& box, int video = 0);
  // Corrects where an object is in the newest frame of its video. The tracker learns the box as it learnt the
  // first.
  // kUsage if no object has this id.
  void set(int id, GrayView frame, const RealBox& box);
  void remove(int id);  // kUsage if no object has this id
  // Begins a new video under this number: forgets the old video's objects and frames.
  void restart(int video = 0);
  // What `next` gave for the object last. After `add` and `set`: the part of the box inside of the frame.
  Track last(int id) const;

  static constexpr int kMostSaved = 256;  // objects in one file
  // Saves all objects, in the order of their ids, or those of `ids`, in their order: looks, random numbers so
  // far, and place. Nothing of a frame is saved. kUsage for an unknown id; kLimit for more than `kMostSaved` objects.
  std::vector<std::byte> to_bytes() const;
  std::vector<std::byte> to_bytes(std::span<const int> ids) const;
  // Writes the bytes into a file. An existing file is replaced only after all bytes are written.
  void save(const std::string& path) const;
  void save(const std::string& path, std::span<const int> ids) const;
  // Adds saved objects, and returns their ids, in the order in which they were saved. They are lost, with an
  // empty box, until the search finds them. They keep the seed with which they were learnt.
  std::vector<int> add_saved(std::span<const std::byte> bytes, int video = 0);
  // They go on where they were. `frame` is the frame in which they were saved, and the newest frame here, as
  // for `add`. kUsage for a frame of another size.
  std::vector<int> add_saved(std::span<const std::byte> bytes, GrayView frame, int video = 0);
  std::vector<int> load(const std::string& path, int video = 0);  // reads a file for `add_saved`

  // Takes the next frame of video 0.
  std::vector<Track> next(GrayView frame);
  // Writes into an existing result, whose memory is used again.
  void next(GrayView frame, std::vector<Track>& tracks);
  // Takes the next frames of several videos at once: `frames[i]` belongs to video i, whose tracks go into
  // `tracks[i]`. An empty frame means that the video has none in this call, and videos with higher numbers
  // have none either. Such a video waits; its list is empty. kUsage unless there are as many lists as frames.
  // If the call fails, the objects of all videos that had a frame are lost until the search finds them.
  void next(std::span<const GrayView> frames, std::span<std::vector<Track>> tracks);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace winnow
