// Collects the tracks of a file frame by frame, and hands over one of them.
//
// In:     frames in the order of the file, and boxes with their ids, possibly hostile.
// Out:    the track of one id, with a frame for each frame of the file; or an `Error` without a place
//         (truth/place.h adds it).
// Memory: owns all boxes until the end.
// Thread: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <winnow/box_track.h>

namespace winnow {

class TrackGather {
 public:
  // Begins a frame. A file has frames of one source, counted from 0, or one frame of each source, as a folder
  // of pictures has. kFormat for other frames.
  void frame(const std::string& source, std::optional<std::int64_t> number);
  // Tells the size of the last frame.
  void picture(Size size);
  // Whether a box of this source and number belongs to the last frame.
  bool is_last(const std::string& source, std::optional<std::int64_t> number) const;
  // Adds a box to the last frame. kFormat if the frame has the id already.
  void box(std::int64_t id, const FrameBox& box);
  // Takes the track `id`, or the only track. kUsage if there is no such track, or if there are several and
  // `id` has no value. A file without any box gives a track without boxes.
  BoxTrack finish(BoxTrackFormat format, std::optional<std::int64_t> id) const;

 private:
  struct Entry {
    std::size_t frame = 0;
    std::int64_t id = 0;
    FrameBox box;
  };

  std::int64_t chosen(std::optional<std::int64_t> id) const;

  std::vector<Entry> entries_;
  std::size_t frames_ = 0, of_source_ = 0;  // frames in all, and of the last source
  std::string source_;
  std::optional<std::int64_t> number_;
  Size picture_;
  std::size_t first_ = 0;  // index of the last frame's first entry
};

}  // namespace winnow
