// Runs `winnow track`: follows the objects that the user marked through a video.
#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/feed.h>
#include <winnow/tracker.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "search_arguments.h"
#include "terminal/arguments.h"
#include "terminal/outputs.h"
#include "terminal/progress.h"
#include "terminal/standard_output.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"
#include "tracking/marks.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow track walk.mp4 --box 120,80,40,60 > walk.jsonl\n"
    "  winnow track frames/ --box 70,51,107,87 --box 15,20,64,64@30 --out marked\n"
    "  winnow track walk.mp4 --box 120,80,40,60 --box 1=300,90,44,66@250\n"
    "\n"
    "One line of JSON per frame goes to standard output: for each object its id, box, confidence and state.\n"
    "found: the search of the whole frame found it there; tracked: motion alone carried it there; lost: it "
    "is\n"
    "not seen, or not surely, and the box is its last one. The confidence is the probability that the place\n"
    "where the object is seen is right; below 0.5 the object counts as lost.\n"
    "Exit code: 0 done, 1 an input could not be read, an output not be written or a box not be used,\n"
    "2 bad usage, 130 stopped by Ctrl-C.";

struct TrackJob {
  std::string input, format = "jsonl", out, backend = "auto";
  std::vector<std::string> boxes;
  TrackOptions options;
  MachineOptions machine;
  std::int64_t max_pixels = ReadOptions().max_pixels;
  bool quiet = false;
};

// What is read, and what its frames are called.
struct Source {
  std::vector<Input> inputs;
  std::string name;
  bool pictures = false;  // each input is a frame
};

Source find_source(const TrackJob& job) {
  if (std::error_code error; std::filesystem::is_directory(job.input, error)) {
    PictureSequence sequence = expand_sequence(job.input);
    if (!job.quiet)
      for (const std::string& note : sequence.notes) say(printable(job.input + ": " + note));
    return {std::move(sequence.pictures), job.input, true};
  }
  Source source{expand_inputs({.names = {job.input}, .files_from = {}}), job.input};
  require(source.inputs.size() == 1,
          fmt::format("'{}' stands for {} files, and one video is followed at a time", printable(job.input),
                      source.inputs.size()));
  require(source.inputs.front().kind != InputKind::kPicture,
          fmt::format("'{}' is one picture; objects are followed through a video, or a folder of pictures",
                      printable(job.input)));
  return source;
}

// The part of a video that is done after this frame; negative if the file does not say.
double fraction_done(const FrameEvent& frame) {
  if (!frame.video || frame.video->frames <= 0) return -1;
  return std::min(1.0, static_cast<double>(frame.index + 1) / static_cast<double>(frame.video->frames));
}

// The part of a box inside of the frame: what the tracker follows.
RealBox inside(const RealBox& box, Size frame) {
  const double left = std::max(box.x, 0.0), top = std::max(box.y, 0.0);
  return {left, top, std::min(box.x + box.width, static_cast<double>(frame.width)) - left,
          std::min(box.y + box.height, static_cast<double>(frame.height)) - top};
}

class TrackRun {
 public:
  TrackRun(const TrackJob& job, Source source)
      : job_(job),
        source_(std::move(source)),
        format_(job.format == "csv" ? ResultFormat::kCsv : ResultFormat::kJsonLines),
        marks_(parse_marks(job.boxes)),
        tracker_(job.options, job.machine),
        progress_(source_.inputs.size(), "object", job.quiet) {
    if (!job.out.empty()) annotator_.emplace(AnnotatorOptions{job.out}, stop_.token());
  }

  int run() {
    FrameReaderOptions options;
    options.color = annotator_.has_value();
    options.max_pixels = job_.max_pixels;
    options.threads = reader_threads(tracker_.threads());
    FrameReader reader(source_.inputs, options, stop_.token());
    write(track_header(format_));
    for (FrameEvent event; reader.next(event);) {
      switch (event.kind) {
        case FrameEvent::Kind::kFrame:
          follow(event);
          progress_.frame_done(std::exchange(begun_, 0), fraction_done(event));
          break;
        case FrameEvent::Kind::kProblem:
          report(event.problem);
          break;
        case FrameEvent::Kind::kEnd:
          progress_.input_done();
          break;
      }
    }
    if (annotator_) copy([&] { annotator_->finish_input(); });
    progress_.finish();
    tell_lost();
    if (stop_requested()) return stop_exit_code();
    for (; frames_ > 0 && next_mark_ < marks_.size(); ++next_mark_)
      report(fmt::format("--box {}: there are only {} frames", marks_[next_mark_].text, frames_));
    if (frames_ == 0 && progress_.problems() == 0) report(source_.name + ": there are no frames");
    return progress_.problems() > 0 ? kExitProblem : kExitDone;
  }

 private:
  static void write(const std::string& text) {
    if (text.empty()) return;
    clear_status();
    print(text);
  }

  void report(const std::string& problem) {
    say(printable(problem));
    progress_.problem_found();
  }

  void follow(FrameEvent& event) {
    const GrayView gray = std::as_const(event.picture.gray).view();
    TrackResult result{source_.name,
                       source_.pictures ? static_cast<std::int64_t>(event.input) : event.index,
                       event.time,
                       gray.size(),
                       {}};
    frames_ = result.frame + 1;
    if (size_ != Size{} && size_ != gray.size() && !job_.quiet && !ids_.empty())
      say(fmt::format("{}: frame {} has another size; objects are lost until the search finds them",
                      printable(source_.name), result.frame));
    size_ = gray.size();
    tracker_.next(gray, result.tracks);
    for (Track& track : result.tracks) track.id = ids_.at(track.id);
    for (; next_mark_ < marks_.size() && marks_[next_mark_].frame <= result.frame; ++next_mark_) {
      const Mark& mark = marks_[next_mark_];
      if (mark.frame == result.frame)
        take(mark, gray, result.tracks);
      else
        report(fmt::format("--box {}: this frame could not be read", mark.text));
    }
    std::sort(result.tracks.begin(), result.tracks.end(),
              [](const Track& a, const Track& b) { return a.id < b.id; });
    write(track_lines(result, format_));
    for (const Track& track : result.tracks) count(track, result.frame);
    if (annotator_)
      copy([&] { annotator_->write_tracks(source_.inputs[event.input], event, result.tracks); });
  }

  void count(const Track& track, std::int64_t frame) {
    Followed& of = followed_[track.id];
    ++of.frames;
    if (track.state != TrackState::kLost) return;
    if (of.lost++ == 0) of.first_lost = frame;
  }

  // Says how long each object was lost.
  void tell_lost() const {
    for (const auto& [id, of] : followed_) {
      if (of.lost > 0 && !job_.quiet)
        say(fmt::format("object {}: lost in {} of {} frames, first in frame {}", id, of.lost, of.frames,
                        of.first_lost));
    }
  }

  void take(const Mark& mark, GrayView frame, std::vector<Track>& tracks) {
    const auto own =
        std::find_if(ids_.begin(), ids_.end(), [&](const auto& id) { return id.second == mark.id; });
    if (!mark.begins && own == ids_.end())
      return report(fmt::format("--box {}: the box that begins the object was not used", mark.text));
    try {
      if (mark.begins) {
        ids_[tracker_.add(frame, mark.box)] = mark.id;
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
    tracks.push_back({mark.id, TrackState::kFound, inside(mark.box, frame.size()), 1});
  }

  template <class Work>
  void copy(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kIo) throw;
      report(fmt::format("{}: its marked copy cannot be written: {}", source_.name, error.what()));
    }
  }

  struct Followed {
    std::int64_t frames = 0, lost = 0, first_lost = 0;
  };

  const TrackJob& job_;
  StopRelay stop_;
  Source source_;
  ResultFormat format_;
  std::vector<Mark> marks_;
  std::size_t next_mark_ = 0;
  Tracker tracker_;
  std::map<int, int> ids_;  // the number of each of the tracker's objects for the user
  std::map<int, Followed> followed_;
  Progress progress_;
  std::optional<Annotator> annotator_;
  std::int64_t frames_ = 0;
  std::size_t begun_ = 0;  // objects that the newest frame began
  Size size_;              // of the newest frame
};

}  // namespace

int track_command(const Arguments& arguments) {
  CLI::App app("Follows objects through a video. You mark each object once, with a box.", "winnow track");
  app.footer(kExamples);
  TrackJob job;
  app.add_option(
         "INPUT", job.input,
         "a video, a folder of pictures (in the order of their numbers), a camera (/dev/video0), or - for a "
         "stream of PNM or JPEG pictures on standard input")
      ->type_name("");
  const OptionGroup objects(app, "Objects");
  one_a_time(
      objects.value("--box", job.boxes, "[ID=]X,Y,W,H[@FRAME]",
                    "mark an object: left, top, width and height in pixels, in a frame counted from 0 (0); "
                    "may be given several times; with ID, correct an object that an earlier box began"));
  add_seed(objects, job.options.seed, fmt::format("seed of all random numbers ({})", job.options.seed));
  const OptionGroup output(app, "Output");
  output.value("--format", job.format, "jsonl|csv",
               "jsonl (one line per frame) or csv (one line per object) (jsonl)");
  output.value(
      "--out", job.out, "DIR",
      "also write a copy with the boxes: blue where the object was found, yellow where it was tracked");
  output.flag("--quiet", job.quiet, "write neither progress nor summary");
  const OptionGroup machine(app, "Machine");
  machine.value("--backend", job.backend, "auto|reference|cpu", "the backend that follows (auto)");
  machine.value("--threads", job.machine.threads, "N",
                "number of threads; does not change the answer (0: all cores)");
  machine.value("--max-pixels", job.max_pixels, "N",
                fmt::format("refuse pictures with more pixels ({})", job.max_pixels));
  if (!parse_arguments(app, arguments)) return kExitDone;
  require(!job.input.empty(), "name a video, or a folder of pictures");
  require(job.format == "jsonl" || job.format == "csv", "--format is jsonl or csv, not '" + job.format + "'");
  require(!job.boxes.empty(), "mark what is to be followed: --box X,Y,W,H");
  require(job.out.empty() || !same_place(job.out, job.input),
          "--out is the folder of the pictures; copies there would be frames of the next run");
  job.machine.backend = parse_backend(job.backend);
  watch_for_stop();
  return TrackRun(job, find_source(job)).run();
}

}  // namespace winnow::cli
