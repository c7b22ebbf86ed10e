// `winnow detect`: its options.
#include <winnow/error.h>

#include <algorithm>
#include <cmath>

#include "arguments.h"
#include "commands.h"
#include "detect_run.h"
#include "inputs.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow detect -m haarcascade_frontalface_alt group.jpg\n"
    "  winnow detect -m haarcascade_frontalface_alt --out blurred --blur --recursive photos/\n"
    "  winnow detect -m lbpcascade_frontalface --every 5 --format csv walk.mp4 > walk.csv\n"
    "  ffmpeg -i walk.mp4 -f image2pipe -c:v ppm - | winnow detect -m lbpcascade_frontalface -\n"
    "\n"
    "One line of JSON a picture or frame goes to standard output; progress and problems go to standard "
    "error.\n"
    "Exit code: 0 done, 1 some input could not be read, 2 bad usage, 130 stopped by Ctrl-C.";

// What CLI11 fills, before it is checked.
struct DetectWords {
  InputRequest inputs;
  DetectJob job;
  std::string backend = "auto", format = "jsonl", min_size, max_size, roi, model;
};

void add_options(CLI::App& app, DetectWords& words) {
  DetectJob& job = words.job;
  app.add_option("INPUT", words.inputs.names,
                 "pictures (JPEG, PNG, PNM), folders, patterns, videos, cameras (/dev/video0), or - for "
                 "pictures (PNM, "
                 "JPEG) on standard input")
      ->type_name("");
  app.add_option("-m,--model", words.model, "name or file of the cascade (see `winnow models`)")
      ->type_name("NAME|FILE");

  const std::string in = "Inputs";
  app.add_option("--files-from", words.inputs.files_from,
                 "also the files named in FILE, one a line (-: standard input)")
      ->type_name("FILE")
      ->group(in);
  app.add_flag("--recursive", words.inputs.recursive, "also the folders in the folders")->group(in);
  app.add_option("--every", job.every, "only every Nth frame of videos, cameras and streams (1)")
      ->type_name("N")
      ->group(in);
  app.add_option("--max-pixels", job.max_pixels, "refuse larger pictures (268435456)")
      ->type_name("N")
      ->group(in);

  const std::string search = "Search";
  app.add_option("--scale", job.options.scale_factor, "from one size to the next (1.1)")
      ->type_name("S")
      ->group(search);
  app.add_option("--min-neighbors", job.options.min_neighbors, "an object has more candidates than this (3)")
      ->type_name("N")
      ->group(search);
  app.add_option("--min-size", words.min_size, "the smallest object")->type_name("WxH")->group(search);
  app.add_option("--max-size", words.max_size, "the largest object")->type_name("WxH")->group(search);
  app.add_option("--min-score", job.options.min_score, "drop objects of a lower score")
      ->type_name("S")
      ->group(search);
  app.add_option("--roi", words.roi, "search only this part of each picture")
      ->type_name("X,Y,W,H")
      ->group(search);
  app.add_flag("--raw", job.options.raw, "all candidates, not grouped")->group(search);

  const std::string output = "Output";
  app.add_option("--format", words.format, "jsonl (a line a frame) or csv (a line an object)")
      ->type_name("jsonl|csv")
      ->group(output);
  app.add_option("--out", job.out, "write pictures and videos with the objects framed into this folder")
      ->type_name("DIR")
      ->group(output);
  app.add_flag("--blur", job.blur, "with --out: blur the objects beyond recognition instead")->group(output);
  app.add_flag("--timing", job.timing, "add the backend and the seconds spent searching")->group(output);
  app.add_flag("--quiet", job.quiet, "no progress and no summary")->group(output);

  const std::string machine = "Machine";
  app.add_option("--backend", words.backend, "who does the work (auto)")
      ->type_name("auto|reference|cpu|cuda")
      ->group(machine);
  app.add_option("--device", job.detector.devices,
                 "which GPUs; several share the pictures of a call, or the rows of a large one (0)")
      ->type_name("N[,N]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(machine);
  app.add_option("--threads", job.detector.threads, "0: all of the machine's (0)")
      ->type_name("N")
      ->group(machine);
  app.add_option("--batch", job.batch, "pictures searched in one call; the answer is the same (1)")
      ->type_name("N")
      ->group(machine);
}

// The job, once all words have turned out to make sense.
DetectJob checked_job(const DetectWords& words) {
  DetectJob job = words.job;
  require(job.every >= 1, "--every must be 1 or more");
  require(job.max_pixels >= 1, "--max-pixels must be 1 or more");
  require(job.options.scale_factor > 1 && std::isfinite(job.options.scale_factor), "--scale must be above 1");
  require(job.options.min_neighbors >= 0, "--min-neighbors must be 0 or more");
  require(!std::isnan(job.options.min_score), "--min-score must be a number");
  for (const int device : job.detector.devices) require(device >= 0, "--device must be 0 or more");
  require(job.detector.threads >= 0, "--threads must be 0 or more");
  require(job.batch >= 1, "--batch must be 1 or more");
  if (!words.min_size.empty()) job.options.min_size = parse_size("--min-size", words.min_size);
  if (!words.max_size.empty()) job.options.max_size = parse_size("--max-size", words.max_size);
  if (!words.roi.empty()) job.roi = parse_box("--roi", words.roi);
  require(words.format == "jsonl" || words.format == "csv",
          "--format is jsonl or csv, not '" + words.format + "'");
  if (words.format == "csv") job.format = ResultFormat::kCsv;
  require(!job.blur || !job.out.empty(), "--blur needs --out DIR, where the blurred pictures go");
  job.detector.backend = parse_backend(words.backend);
  const long on_standard_input = std::count(words.inputs.names.begin(), words.inputs.names.end(), "-") +
                                 (words.inputs.files_from == "-" ? 1 : 0);
  require(on_standard_input <= 1, "standard input can be read once only");
  return job;
}

}  // namespace

int detect_command(const Arguments& arguments) {
  CLI::App app("Finds objects in pictures and videos.", "winnow detect");
  app.footer(kExamples);
  DetectWords words;
  add_options(app, words);
  if (!parse_arguments(app, arguments)) return kExitDone;

  DetectJob job = checked_job(words);
  require(!words.inputs.names.empty() || !words.inputs.files_from.empty(),
          "there is nothing to do: name pictures, folders or videos (see `winnow detect --help`)");
  job.model = find_model_file(words.model);
  const std::vector<Input> inputs = expand_inputs(words.inputs);
  require(!inputs.empty(),
          words.inputs.recursive
              ? "there is nothing to do: no picture or video was found"
              : "there is nothing to do: no picture or video was found (--recursive looks deeper)");
  return run_detect(job, inputs);
}

}  // namespace winnow::cli
