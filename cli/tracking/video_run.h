// Follows the objects of one video, and writes its lines and its marked copy.
//
// In:     a source, marks, and the bytes of saved objects.
// Out:    lines on standard output, problems on standard error, copies, and a file of what was learnt.
// Memory: as `Tracker` and `FrameReader`; with --backward also as `follow_backward`.
// Thread: the main thread.
#pragma once

#include <winnow/answer.h>
#include <winnow/feed.h>
#include <winnow/tracker.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "terminal/progress.h"
#include "tracking/backward_tracks.h"
#include "tracking/marks.h"
#include "tracking/track_job.h"

namespace winnow::cli {

class VideoRun {
 public:
  // `annotator`: null for no copies.
  VideoRun(const TrackJob& job, const TrackSource& source, std::span<const std::byte> saved,
           const std::vector<Mark>& marks, Progress& progress, Annotator* annotator, std::stop_token stop);

  void run();
  // How long each object was lost, and how many frames were skipped.
  std::vector<std::string> notes() const;

 private:
  struct Followed {
    bool found = false;
    std::int64_t frames = 0, lost = 0, first_lost = 0;  // from where it was first found
  };

  void report(const std::string& problem);
  void tell_note();
  void follow(FrameEvent& event);
  void take(const Mark& mark, GrayView frame, std::vector<Track>& tracks);
  void take_marks(std::int64_t frame, GrayView gray, std::vector<Track>& tracks);
  void count(const Track& track, std::int64_t frame);
  void save();
  bool is_stale(const FrameEvent& event, const FrameReader& reader) const;
  template <class Work>
  void copy(const Work& work);

  const TrackJob& job_;
  const TrackSource& source_;
  const std::vector<Mark>& marks_;
  Progress& progress_;
  Annotator* annotator_;
  std::stop_token stop_;
  ResultFormat format_;
  Tracker tracker_;
  TracksOfFrames before_;   // tracks of frames before the objects' marks
  std::map<int, int> ids_;  // the user's number of each of the tracker's objects
  std::map<int, Followed> followed_;
  int loaded_ = 0;                         // the user's numbers of loaded objects go up to this one
  std::size_t next_mark_ = 0, begun_ = 0;  // objects that began and are not counted yet
  std::int64_t frames_ = 0, skipped_ = 0;
  Size size_;  // of the newest frame
  bool told_ = false;
};

}  // namespace winnow::cli
