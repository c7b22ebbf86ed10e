#include "tracking/backward_tracks.h"

#include <winnow/error.h>

#include <utility>

namespace winnow::cli {

TracksOfFrames follow_backward(const TrackJob& job, const TrackSource& source, const std::vector<Mark>& marks,
                               const FrameReaderOptions& options, std::stop_token stop,
                               const std::function<void(std::int64_t)>& went_to) {
  TracksOfFrames found;
  std::vector<Mark> left;  // ordered by frame
  for (const Mark& mark : marks)
    if (mark.begins && mark.frame > 0) left.push_back(mark);
  if (left.empty()) return found;
  Tracker tracker(job.options, job.machine);
  std::map<int, int> ids;  // the number of each of the tracker's objects for the user
  BackwardReader reader(source.inputs, left.back().frame, options, std::move(stop));
  std::vector<Track> tracks;
  for (FrameEvent event; reader.next(event);) {
    const GrayView gray = std::as_const(event.picture.gray).view();
    tracker.next(gray, tracks);
    for (Track& track : tracks) track.id = ids.at(track.id);
    if (!tracks.empty()) found[event.index] = tracks;
    for (; !left.empty() && left.back().frame >= event.index; left.pop_back()) {
      if (left.back().frame > event.index) continue;  // its frame could not be read
      try {
        ids[tracker.add(gray, left.back().box)] = left.back().id;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kUsage) throw;
      }
    }
    went_to(event.index);
  }
  return found;
}

}  // namespace winnow::cli
