#include "tracking/video_run.h"

#include <fmt/format.h>
#include <winnow/error.h>

#include <algorithm>
#include <utility>

#include "terminal/standard_output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace winnow::cli {

VideoRun::VideoRun(const TrackJob& job, const TrackSource& source, std::span<const std::byte> saved,
                   const std::vector<Mark>& marks, Progress& progress, Annotator* annotator,
                   std::stop_token stop)
    : job_(job),
      source_(source),
      marks_(marks),
      progress_(progress),
      annotator_(annotator),
      stop_(std::move(stop)),
      format_(job.format == "csv" ? ResultFormat::kCsv : ResultFormat::kJsonLines),
      tracker_(job.options, job.machine) {
  if (saved.empty()) return;
  for (const int id : tracker_.add_saved(saved)) ids_[id] = id;
  begun_ = ids_.size();
  loaded_ = static_cast<int>(begun_);
}

void VideoRun::run() {
  FrameReaderOptions options;
  options.max_pixels = job_.max_pixels;
  options.threads = reader_threads(tracker_.threads());
  if (job_.backward)
    before_ = follow_backward(job_, source_, marks_, options, stop_,
                              [&](std::int64_t left) { progress_.went_back(left); });
  options.color = annotator_ != nullptr;
  FrameReader reader(source_.inputs, options, stop_);
  for (FrameEvent event; reader.next(event);) {
    switch (event.kind) {
      case FrameEvent::Kind::kFrame:
        if (is_stale(event, reader)) {
          ++skipped_;
          break;
        }
        follow(event);
        progress_.frame_done(std::exchange(begun_, 0), event.fraction_done());
        break;
      case FrameEvent::Kind::kProblem:
        report(event.problem);
        break;
      case FrameEvent::Kind::kEnd:
        progress_.input_done();
        break;
    }
  }
  if (annotator_ != nullptr) copy([&] { annotator_->finish_input(); });
  if (!stop_.stop_requested()) {
    for (; frames_ > 0 && next_mark_ < marks_.size(); ++next_mark_)
      report(fmt::format("--box {}: there are only {} frames", marks_[next_mark_].text, frames_));
    if (frames_ == 0 && progress_.problems() == 0) report(source_.name + ": there are no frames");
  }
  if (!job_.save.empty()) save();
}

// A camera's frame is left out while a newer one waits, unless a box marks it.
bool VideoRun::is_stale(const FrameEvent& event, const FrameReader& reader) const {
  if (source_.inputs.front().kind != InputKind::kCamera || !reader.ready()) return false;
  return next_mark_ >= marks_.size() || marks_[next_mark_].frame != event.index;
}

void VideoRun::report(const std::string& problem) {
  say(printable(problem));
  progress_.problem_found();
}

// Says once why a device does not help.
void VideoRun::tell_note() {
  if (told_ || tracker_.note().empty()) return;
  told_ = true;
  say(printable(tracker_.note() + "; the processor goes on, and the tracks stay the same"));
}

void VideoRun::follow(FrameEvent& event) {
  const Input& input = source_.inputs[event.input];
  const GrayView gray = std::as_const(event.picture.gray).view();
  TrackResult result;
  result.source = source_.name;
  result.frame = source_.pictures ? static_cast<std::int64_t>(event.input) : event.index;
  result.time = event.time;
  result.picture = gray.size();
  if (source_.pictures) result.file = input.place;
  frames_ = result.frame + 1;
  if (size_ != Size{} && size_ != gray.size() && !job_.quiet && !ids_.empty())
    say(fmt::format("{}: frame {} has another size; objects are lost until the search finds them",
                    printable(source_.name), result.frame));
  size_ = gray.size();
  tracker_.next(gray, result.tracks);
  tell_note();
  for (Track& track : result.tracks) track.id = ids_.at(track.id);
  take_marks(result.frame, gray, result.tracks);
  if (const auto before = before_.find(result.frame); before != before_.end())
    result.tracks.insert(result.tracks.end(), before->second.begin(), before->second.end());
  std::sort(result.tracks.begin(), result.tracks.end(),
            [](const Track& a, const Track& b) { return a.id < b.id; });
  if (const std::string lines = track_lines(result, format_); !lines.empty()) {
    clear_status();
    print(lines);
  }
  for (const Track& track : result.tracks) count(track, result.frame);
  if (annotator_ != nullptr) copy([&] { annotator_->write_tracks(input, event, result.tracks); });
}

void VideoRun::take_marks(std::int64_t frame, GrayView gray, std::vector<Track>& tracks) {
  for (; next_mark_ < marks_.size() && marks_[next_mark_].frame <= frame; ++next_mark_) {
    const Mark& mark = marks_[next_mark_];
    if (mark.frame == frame)
      take(mark, gray, tracks);
    else
      report(fmt::format("--box {}: this frame could not be read", mark.text));
  }
}

void VideoRun::take(const Mark& mark, GrayView frame, std::vector<Track>& tracks) {
  auto own = std::find_if(ids_.begin(), ids_.end(), [&](const auto& id) { return id.second == mark.id; });
  if (!mark.begins && own == ids_.end())
    return report(fmt::format("--box {}: the box that begins the object was not used", mark.text));
  try {
    if (mark.begins) {
      own = ids_.emplace(tracker_.add(frame, mark.box), mark.id).first;
      ++begun_;
    } else {
      tracker_.set(own->first, frame, mark.box);
    }
  } catch (const Error& error) {
    const std::string sentence = "--box " + mark.text + ": " + error.sentence();
    // In the first frame nothing is lost yet. Later, the other objects go on.
    if (mark.frame == 0 || error.code() != ErrorCode::kUsage) throw Error(error.code(), sentence);
    return report(sentence);
  }
  std::erase_if(tracks, [&](const Track& track) { return track.id == mark.id; });
  tracks.push_back(tracker_.last(own->first));
  tracks.back().id = mark.id;
}

void VideoRun::count(const Track& track, std::int64_t frame) {
  Followed& of = followed_[track.id];
  of.found = of.found || track.state != TrackState::kLost;
  const bool loaded = track.id <= loaded_;
  if (!of.found && loaded) return;  // a loaded object counts from where it is found
  ++of.frames;
  if (track.state != TrackState::kLost) return;
  if (of.lost++ == 0) of.first_lost = frame;
}

std::vector<std::string> VideoRun::notes() const {
  std::vector<std::string> notes;
  for (const auto& [id, of] : followed_) {
    if (!of.found)
      notes.push_back(fmt::format("object {}: not found", id));
    else if (of.lost > 0)
      notes.push_back(fmt::format("object {}: lost in {} of {} frames, first in frame {}", id, of.lost,
                                  of.frames, of.first_lost));
  }
  if (skipped_ > 0) notes.push_back(counted(skipped_, "picture") + " were left out, since newer ones waited");
  return notes;
}

void VideoRun::save() {
  if (ids_.empty() && stop_.stop_requested()) return;
  if (ids_.empty()) return report(job_.save + " is not written: there is no object to save");
  std::map<int, int> own;  // the tracker's number of each of the user's objects
  for (const auto& [id, users] : ids_) own[users] = id;
  std::vector<int> ids;
  for (const auto& [users, id] : own) ids.push_back(id);
  tracker_.save(job_.save, ids);
}

template <class Work>
void VideoRun::copy(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kIo) throw;
    report(fmt::format("{}: its marked copy cannot be written: {}", source_.name, error.what()));
  }
}

}  // namespace winnow::cli
