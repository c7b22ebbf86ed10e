#include "truth/tracks/track_gather.h"

#include <algorithm>
#include <set>

#include <winnow/error.h>

#include "truth/tracks/track_file.h"
#include "truth/words.h"

namespace winnow {
namespace {

constexpr std::size_t kMostListed = 8;
// Bounds the search for an id among the tracks of a frame.
constexpr std::size_t kMostTracks = 1000;

std::string list_of(const std::set<std::int64_t>& ids) {
  std::string text;
  std::size_t listed = 0;
  for (const std::int64_t id : ids) {
    if (listed++ == kMostListed) return text + ", ...";
    text += (text.empty() ? "" : ", ") + std::to_string(id);
  }
  return text;
}

}  // namespace

bool TrackGather::is_last(const std::string& source, std::optional<std::int64_t> number) const {
  return frames_ > 0 && source == source_ && number == number_;
}

void TrackGather::frame(const std::string& source, std::optional<std::int64_t> number) {
  if (frames_ == kMaxFrames)
    throw Error(ErrorCode::kLimit, "a track may have " + std::to_string(kMaxFrames) + " frames");
  const bool same = frames_ > 0 && source == source_;
  if (frames_ == 0) {
    if (number && *number != 0)
      throw Error(ErrorCode::kFormat, "the first frame is " + std::to_string(*number) + ", and must be 0");
  } else if (same ? of_source_ < frames_ : of_source_ > 1) {
    throw Error(ErrorCode::kFormat, "the frame is of another source, " + shown(source) +
                                        "; give each sequence a file of its own");
  } else if (same && number && number_ && *number != *number_ + 1) {
    throw Error(ErrorCode::kFormat,
                "frame " + std::to_string(*number) + " follows frame " + std::to_string(*number_));
  }
  of_source_ = same ? of_source_ + 1 : 1;
  ++frames_;
  source_ = source;
  number_ = number;
  first_ = entries_.size();
}

void TrackGather::picture(Size size) {
  picture_ = {std::max(picture_.width, size.width), std::max(picture_.height, size.height)};
}

void TrackGather::box(std::int64_t id, const FrameBox& box) {
  if (entries_.size() == kMaxFrames)
    throw Error(ErrorCode::kLimit, "a file of tracks may have " + std::to_string(kMaxFrames) + " boxes");
  if (entries_.size() - first_ == kMostTracks)
    throw Error(ErrorCode::kLimit, "a frame may have " + std::to_string(kMostTracks) + " tracks");
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first_);
  if (std::any_of(begin, entries_.end(), [id](const Entry& entry) { return entry.id == id; }))
    throw Error(ErrorCode::kFormat, "the frame has track " + std::to_string(id) + " twice");
  entries_.push_back({frames_ - 1, id, box});
}

std::int64_t TrackGather::chosen(std::optional<std::int64_t> id) const {
  std::set<std::int64_t> ids;
  for (const Entry& entry : entries_) ids.insert(entry.id);
  if (id) {
    if (!ids.contains(*id))
      throw Error(ErrorCode::kUsage, "there is no track " + std::to_string(*id) +
                                         (ids.empty() ? " or any other" : ", but " + list_of(ids)));
    return *id;
  }
  if (ids.size() > 1) throw Error(ErrorCode::kUsage, "there are the tracks " + list_of(ids) + "; name one");
  return ids.empty() ? 0 : *ids.begin();
}

BoxTrack TrackGather::finish(BoxTrackFormat format, std::optional<std::int64_t> id) const {
  const std::int64_t wanted = chosen(id);
  BoxTrack track;
  track.format = format;
  track.picture = picture_;
  track.frames.resize(frames_);
  for (const Entry& entry : entries_)
    if (entry.id == wanted) track.frames[entry.frame] = entry.box;
  return track;
}

}  // namespace winnow
