#include "detecting/detect_arguments.h"

#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/face_search.h>

#include <algorithm>

#include "terminal/arguments.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

// The default of `--detect-every` with `--blur`: three frames in a row include a frame that is searched.
constexpr int kBlurEvery = 3;

// Checks the options for following faces, and puts them into the job.
void finish_following(const DetectArguments& args, DetectJob& job) {
  FollowOptions& follow = job.follow;
  follow.detect_every = args.detect_every.value_or(job.blur ? kBlurEvery : follow.detect_every);
  follow.gap = args.gap.value_or(follow.gap);
  follow.smooth = args.smooth.value_or(follow.smooth);
  if (job.blur) follow.begin = kFacePresence;  // a needless blur costs less than a face that shows
  require(follow.detect_every >= 1, "--detect-every must be 1 or more");
  require(follow.gap >= 0 && follow.gap <= 100'000, "--gap must be from 0 to 100000 frames");
  require(follow.smooth >= 0 && follow.smooth <= 1, "--smooth must be from 0 to 1");
  require(
      args.between.empty() || args.between == "steady" || args.between == "fit" || args.between == "carry",
      "--between is steady, fit or carry, not '" + args.between + "'");
  if (!args.between.empty()) follow.between = parse_between(args.between);
  require(args.until_found.empty() || args.until_found == "yes" || args.until_found == "no",
          "--until-found is yes or no, not '" + args.until_found + "'");
  if (!args.until_found.empty()) follow.until_found = args.until_found == "yes";
}

// Returns the file of the landmarks that --landmarks names, or else the file of face-5 or face-68.
std::string find_landmarks_file(const DetectArguments& args) {
  require(args.points == 0 || args.landmarks.empty(), "--points and --landmarks exclude each other");
  require(args.points == 0 || args.points == 68 || args.points == 5,
          "--points is 68 or 5, not " + std::to_string(args.points));
  const std::string name_or_path = !args.landmarks.empty() ? args.landmarks
                                   : args.points == 5      ? "face-5"
                                                           : "face-68";
  try {
    return resolve_model(name_or_path);
  } catch (const Error& error) {
    const bool is_path = name_or_path.find('/') != std::string::npos;
    throw Error(ErrorCode::kUsage,
                is_path || names_close_models(error)
                    ? "--landmarks: " + std::string(error.what())
                    : "--landmarks: there is no file '" + name_or_path +
                          "', and no installed model has this name (`winnow models` lists them)");
  }
}

}  // namespace

void add_detect_options(CLI::App& app, DetectArguments& args, bool faces) {
  DetectJob& job = args.job;
  app.add_option(
         "INPUT", args.inputs.names,
         "pictures, folders, patterns, videos, cameras (0 or /dev/video0), addresses (rtsp://, http:// "
         "or https://), or - for a stream of PNM, JPEG or PNG pictures on standard input")
      ->type_name("");
  add_model_option(app, args.model);
  if (faces) {
    app.add_option("--points", args.points, "mark 68 points (face-68), or 5 (face-5) (68)")
        ->type_name("68|5");
    app.add_option("--landmarks", args.landmarks,
                   "name or file of other landmarks: dlib's .dat or a .winnow file")
        ->type_name("MODEL");
  }

  const OptionGroup in(app, "Inputs");
  in.value("--files-from", args.inputs.files_from, "FILE",
           "also read the files that FILE names, one per line (-: standard input)");
  in.flag("--recursive", args.inputs.recursive, "also search folders inside the given folders");
  in.flag("--left-out", args.list_left_out, "name the files of folders that are no pictures or videos");
  in.value("--every", job.every, "N", "search every Nth frame of videos, cameras and streams (1)");
  in.value("--max-pixels", job.max_pixels, "N",
           fmt::format("refuse pictures with more pixels ({})", job.max_pixels));

  const OptionGroup search(app, "Search");
  add_search_options(app, args.search, job.options, search.heading(), faces);
  search.value("--roi", args.roi, "X,Y,W,H", "search this part of each picture only");
  if (faces)
    search.value("--min-confidence", job.follow.min_confidence, "P",
                 fmt::format("drop faces with a lower confidence, from 0 to 1; in a video, begin none ({} if "
                             "the landmarks know presence, else 0)",
                             kFacePresence));

  if (faces) {
    const FollowOptions usual;
    const OptionGroup video(app, "Videos, cameras and streams (no effect on pictures)");
    video.value("--detect-every", args.detect_every, "K",
                fmt::format("search every Kth frame; in between, faces move with the picture ({}; "
                            "{} with --blur)",
                            usual.detect_every, kBlurEvery));
    video.value("--until-found", args.until_found, "yes|no",
                "search every frame while no face is there (yes for cameras and streams, no for videos)");
    video.value(
        "--between", args.between, "steady|fit|carry",
        fmt::format("where points lie: fitted in each frame, and held still while they tremble "
                    "(steady); as fitted (fit); or moved with the picture between searches (carry) ({})",
                    between_name(usual.between)));
    video.value(
        "--smooth", args.smooth, "S",
        fmt::format("smooth points and boxes over time, from 0 (not at all) to 1 ({})", usual.smooth));
    video.value("--gap", args.gap, "N",
                fmt::format("a lost face that returns within N frames keeps its id ({})", usual.gap));
  }

  const OptionGroup output(app, "Output");
  output.value("--format", args.format, "jsonl|csv",
               faces ? "jsonl (one line per frame) or csv (one line per face) (jsonl)"
                     : "jsonl (one line per frame) or csv (one line per object) (jsonl)");
  output.value("--out", job.out, "DIR",
               faces ? "write pictures and videos with boxes and points into this folder"
                     : "write pictures and videos with boxes around the objects into this folder");
  output.flag("--blur", job.blur,
              faces ? "with --out: blur the faces, without boxes, points and ids; in a video also in frames "
                      "around those where a search finds them"
                    : "with --out: blur the objects beyond recognition, without boxes; hides only what is "
                      "found in each frame (for faces of videos: winnow faces --blur)");
  if (faces)
    output.value("--review", job.review, "DIR",
                 "with --blur: write a page of small pictures into this folder, to check what the copies "
                 "hide: one a second, and each frame where a cover begins, ends or is large");
  output.flag("--timing", job.timing,
              "add the backend and the seconds spent searching, shared among the pictures of a call (--batch "
              "1: each picture's own), and sum up the times at the end");
  output.flag("--quiet", job.quiet, "print no progress and no summary");

  const OptionGroup machine(app, "Machine");
  add_machine_options(app, args.search, job.detector, machine.heading());
  machine.value("--batch", job.batch, "N",
                "pictures per call; does not change the answer (up to 64, as many as are read by then)");
}

DetectJob checked_job(const DetectArguments& args) {
  DetectJob job = args.job;
  require(job.every >= 1, "--every must be 1 or more");
  require(job.max_pixels >= 1, "--max-pixels must be 1 or more");
  finish_search(args.search, job.options, job.detector);
  require(!job.batch || *job.batch >= 1, "--batch must be 1 or more");
  if (!args.roi.empty()) job.options.region = parse_box("--roi", args.roi);
  check_line_format(args.format);
  if (args.format == "csv") job.format = ResultFormat::kCsv;
  require(!job.blur || !job.out.empty(), "--blur needs --out DIR, where the blurred pictures go");
  require(job.review.empty() || job.blur,
          "--review needs --blur --out DIR: its page shows what the blurred copies hide");
  finish_following(args, job);
  const long on_standard_input = std::count(args.inputs.names.begin(), args.inputs.names.end(), "-") +
                                 (args.inputs.files_from == "-" ? 1 : 0);
  require(on_standard_input <= 1, "standard input can be read once only");
  return job;
}

void find_models(const DetectArguments& args, bool faces, const std::string& command, DetectJob& job) {
  // What is missing is said before a model that is not found.
  require(!args.inputs.names.empty() || !args.inputs.files_from.empty(),
          "there is nothing to do: name pictures, folders or videos (see `" + command + " --help`)");
  job.model = find_model_file(args.model);
  if (faces) job.landmarks = find_landmarks_file(args);
}

std::vector<Input> list_inputs(const DetectArguments& args, DetectJob& job) {
  InputRequest request = args.inputs;
  for (const std::string* folder : {&job.out, &job.review})
    if (!folder->empty()) request.without_folders.push_back(*folder);
  request.addresses = true;
  std::vector<std::string> left_out;
  std::vector<Input> inputs = expand_inputs(request, &left_out);
  if (args.list_left_out) {
    for (const std::string& path : left_out) say("left out: " + path);
  }
  job.left_out = left_out_text(left_out);
  require(!inputs.empty() || !request.names.empty(),
          "there is nothing to do: the list of files " +
              (request.files_from == "-" ? "on standard input" : printable_line(request.files_from)) +
              " is empty");
  require(!inputs.empty(), "there is nothing to do: no picture or video was found" +
                               std::string(args.inputs.recursive ? "" : " (--recursive looks deeper)") +
                               (job.left_out.empty() ? "" : "; " + job.left_out));
  if (!left_out.empty() && !args.list_left_out) job.left_out += " (--left-out names them)";
  const bool has_video = std::any_of(inputs.begin(), inputs.end(), [](const Input& input) {
    return input.kind == InputKind::kVideo || input.kind == InputKind::kCamera ||
           input.kind == InputKind::kStream;
  });
  if (!job.landmarks.empty() && has_video) require_merged(job.options.raw, job.options.min_neighbors);
  return inputs;
}

}  // namespace winnow::cli
