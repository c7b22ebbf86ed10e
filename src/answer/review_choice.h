// Decides which frames of a video a review shows, and says why.
//
// In:     the covers of each frame in order, and of the frame behind it.
// Out:    words such as "cover 3 begins", and whether the frame is shown.
// Exact:  the same words for the same covers.
// Memory: two numbers for each cover of the last frame.
// Thread: one thread at a time.
#pragma once

#include <winnow/box.h>
#include <winnow/face_cover.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace winnow {

// What speaks for showing a frame.
struct FrameSigns {
  bool second = false, event = false, large = false;  // a second begins; a cover begins or ends; one is large
  std::vector<std::string> words;
};

class ReviewChoice {
 public:
  // Looks at the next frame.
  FrameSigns look(std::optional<double> time, Size frame, std::span<const FaceCover> covers);
  // Adds what the frame behind tells of a frame that was looked at. `last`: there is none.
  void look_ahead(FrameSigns& signs, std::span<const FaceCover> covers, std::span<const FaceCover> next,
                  bool last);
  // Whether the frame is shown. Counts it, so call this once for each frame.
  bool is_shown(const FrameSigns& signs);
  // Frames that would be shown if there were not too many.
  std::int64_t left_out() const { return left_out_; }

 private:
  bool second_begins(std::optional<double> time);

  std::map<int, std::int64_t>
      last_;  // the covers of the last frame, and where a search found them last: an area or 0
  std::optional<double> shown_second_;
  std::int64_t frames_ = 0, events_ = 0, large_ = 0, left_out_ = 0;
};

// The fraction of the frame that a box inside of it takes.
double share_of(const Box& box, Size frame);
// "cover 3: carried, 5 searches"
std::string cover_words(const FaceCover& cover);

}  // namespace winnow
