// Runs `winnow track`: follows the objects that the user marked, or loaded, through videos.
#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/tracker.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
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
#include "tracking/track_job.h"
#include "tracking/video_run.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow track walk.mp4 --box 120,80,40,60 > walk.jsonl\n"
    "  winnow track frames/ --box 70,51,107,87 --box 15,20,64,64@30 --out marked\n"
    "  winnow track walk.mp4 --box 120,80,40,60 --box 1=300,90,44,66@250\n"
    "  winnow track walk.mp4 --box 120,80,40,60@90 --backward --save dog.objects\n"
    "  winnow track monday.mp4 tuesday.mp4 --load dog.objects\n"
    "\n"
    "One line of JSON per frame goes to standard output: for each object its id, box, confidence and state.\n"
    "found: the search of the whole frame found it there; tracked: motion alone carried it there; lost: it "
    "is\n"
    "not seen, or not surely, and the box is its last one. The confidence is the probability that the place\n"
    "where the object is seen is right; below 0.65 the object counts as lost.\n"
    "Exit code: 0 done, 1 an input could not be read, an output not be written or a box not be used,\n"
    "2 bad usage, 130 stopped by Ctrl-C.";

// A file that is there must hold saved objects, or nothing: `--save` replaces it.
void check_objects_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return;
  require(std::filesystem::is_regular_file(status), path + " is no file that --save could replace");
  std::string head(4, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  require(file.gcount() == 0 || head == "WNTO",
          path + " holds something else than saved objects; give --save another name");
}

int run(const TrackJob& job) {
  const std::vector<TrackSource> sources = find_sources(job);
  std::vector<std::byte> saved;
  int loaded = 0;
  if (!job.load.empty()) {
    Tracker reader({}, {.backend = BackendKind::kCpu});
    loaded = static_cast<int>(reader.load(job.load).size());
    require(loaded > 0, job.load + " holds no objects");
    saved = reader.to_bytes();
  }
  const std::vector<Mark> marks = parse_marks(job.boxes, loaded);
  const auto begun = std::count_if(marks.begin(), marks.end(), [](const Mark& mark) { return mark.begins; });
  require(!job.backward || begun > 0,
          "--backward begins where an object is marked first: give --box X,Y,W,H@FRAME");
  require(
      job.save.empty() || loaded + begun <= Tracker::kMostSaved,
      fmt::format("--save holds at most {} objects, and these are {}", Tracker::kMostSaved, loaded + begun));
  StopRelay stop;
  std::optional<Annotator> annotator;
  if (!job.out.empty()) {
    AnnotatorOptions options{.folder = job.out};
    options.trail = job.trail;
    annotator.emplace(options, stop.token());
  }
  std::size_t inputs = 0;
  for (const TrackSource& source : sources) inputs += source.inputs.size();
  Progress progress(inputs, "object", job.quiet);
  print(track_header(job.format == "csv" ? ResultFormat::kCsv : ResultFormat::kJsonLines));
  std::vector<std::string> notes;
  for (const TrackSource& source : sources) {
    if (stop_requested()) break;
    VideoRun video(job, source, saved, marks, progress, annotator ? &*annotator : nullptr, stop.token());
    video.run();
    for (const std::string& note : video.notes())
      notes.push_back(sources.size() > 1 ? source.name + ": " + note : note);
  }
  progress.finish();
  for (const std::string& note : notes)
    if (!job.quiet) say(printable(note));
  if (stop_requested()) return stop_exit_code();
  return progress.problems() > 0 ? kExitProblem : kExitDone;
}

}  // namespace

int track_command(const Arguments& arguments) {
  CLI::App app("Follows objects through a video. You mark each object once, with a box.", "winnow track");
  app.footer(kExamples);
  TrackJob job;
  app.add_option("INPUT", job.inputs,
                 "videos, folders of pictures (in the order of their numbers), a camera (0 or "
                 "/dev/video0), an address (rtsp://, http:// or https://), or - for "
                 "a stream of PNM, JPEG or PNG pictures on standard input; several only with --load")
      ->type_name("");
  const OptionGroup objects(app, "Objects");
  one_a_time(
      objects.value("--box", job.boxes, "[ID=]X,Y,W,H[@FRAME]",
                    "mark an object: left, top, width and height in pixels, in a frame counted from 0 (0); "
                    "may be given several times; with ID, correct an object that an earlier box began"));
  objects.value("--save", job.save, "FILE", "write what was learnt of all objects at the end of the video");
  objects.value(
      "--load", job.load, "FILE",
      "search for the objects of such a file; they get the ids from 1, and those of --box the next ones");
  objects.flag("--backward", job.backward,
               "also follow each object from its first box back to the first frame; the frames before it are "
               "read once more, and take up to 512 MiB");
  add_seed(objects, job.options.seed, fmt::format("seed of all random numbers ({})", job.options.seed));
  const OptionGroup output(app, "Output");
  output.value("--format", job.format, "jsonl|csv",
               "jsonl (one line per frame) or csv (one line per object) (jsonl)");
  output.value("--out", job.out, "DIR",
               "also write copies with the boxes: blue where the object was found, yellow where it was "
               "tracked, dashed "
               "and red where it was last seen before it was lost");
  output.value("--trail", job.trail, "N", "draw into the copies where each object was in N frames (0)");
  output.flag("--quiet", job.quiet, "write neither progress nor summary");
  const OptionGroup machine(app, "Machine");
  machine.value("--backend", job.backend, "auto|reference|cpu|cuda", "the backend that follows (auto)");
  machine.value("--device", job.machine.devices.front(), "N", "number of the GPU (0)");
  machine.value("--threads", job.machine.threads, "N",
                "number of threads; does not change the answer (0: all cores)");
  machine.value("--max-pixels", job.max_pixels, "N",
                fmt::format("refuse pictures with more pixels ({})", job.max_pixels));
  if (!parse_arguments(app, arguments)) return kExitDone;
  require(!job.inputs.empty(), "name a video, or a folder of pictures");
  check_line_format(job.format);
  require(!job.boxes.empty() || !job.load.empty(),
          "mark what is to be followed: --box X,Y,W,H, or --load FILE for objects that were saved");
  require(!job.backward || !job.boxes.empty(), "--backward begins at a mark: give --box X,Y,W,H@FRAME");
  require(job.trail >= 0, "--trail is a number of frames, 0 or more");
  require(job.trail == 0 || !job.out.empty(), "--trail draws into marked copies: give --out DIR");
  require(job.machine.devices.front() >= 0, "--device must be 0 or more");
  for (const std::string& input : job.inputs) {
    require(job.out.empty() || !same_place(job.out, input),
            "--out is the folder of the pictures; copies there would be frames of the next run");
    require(job.save.empty() || !same_place(job.save, input),
            "--save would write over the video: " + job.save);
  }
  if (!job.save.empty()) {
    check_writable(job.save, true);
    check_objects_file(job.save);
  }
  job.machine.backend = parse_backend(job.backend);
  watch_for_stop();
  return run(job);
}

}  // namespace winnow::cli
