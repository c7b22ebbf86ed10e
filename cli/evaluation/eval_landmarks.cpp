// Reads the options of `winnow eval landmarks`. The opening comment of cli/commands.h, which declares the
// command, holds here.
#include <fmt/format.h>
#include <winnow/error.h>
#include <winnow/face_search.h>

#include <filesystem>

#include "commands.h"
#include "evaluation/eval_landmarks_run.h"
#include "evaluation/eval_pictures.h"
#include "search_arguments.h"
#include "terminal/arguments.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow eval landmarks --truth points.csv --out report\n"
    "  winnow eval landmarks -m points.winnow -m small.winnow --truth faces.xml --boxes truth --move 0.1 \\\n"
    "    --out report\n"
    "\n"
    "Writes index.html (curves, the error of each point, the worst faces), eval.json and faces.csv into "
    "DIR,\n"
    "over older ones. A table goes to standard output. A picture that cannot be read is named and left out.\n"
    "A face whose box was not found is counted apart, and is no error of points.\n"
    "Exit code: 0 done, 1 a picture could not be read, 2 bad usage, 130 stopped by Ctrl-C.";

constexpr const char* kSearch = "Search";  // the headline of the detector's options

struct LandmarkArguments {
  LandmarkEvalJob job;
  std::vector<std::string> models, pictures;
  std::string truth_format, format = "text";
  SearchArguments search;
};

void add_options(CLI::App& app, LandmarkArguments& args) {
  LandmarkEvalJob& job = args.job;
  one_a_time(app.add_option("-m,--model", args.models,
                            "name or file of landmarks; repeat the option to compare models (face-68)"))
      ->type_name("NAME|FILE");
  app.add_option("--out", job.out, "folder for the page and the figures")->type_name("DIR");

  const OptionGroup what(app, "Pictures");
  one_a_time(what.value("--truth", job.truth, "FILE|DIR",
                        "the points that people marked: a list of points, dlib's XML or a folder of .pts "
                        "files; may be repeated"));
  one_a_time(what.value(
      "--pictures", args.pictures, "DIR",
      "folder of the marked pictures (that of the truth file); once for all truths, or once for each"));
  what.value("--truth-format", args.truth_format, "NAME",
             "format of the truth, if its content does not show it");

  const OptionGroup boxes(app, "Boxes");
  boxes.value("--boxes", job.boxes, "NAME|FILE|truth",
              "the detector whose boxes are marked, or truth for the boxes of the labels (each model's "
              "detector, or else face)");
  boxes.value("--move", job.move, "F",
              "move each box by F of its side in a random direction, to see what inexact boxes cost (0)");
  add_seed(boxes, job.seed, "choose other directions for --move (1)");

  add_search_options(app, args.search, job.options, kSearch, true);
  const OptionGroup search(app, kSearch);
  search.value(
      "--min-confidence", job.min_confidence, "P",
      fmt::format("leave out faces with a lower confidence ({} if the landmarks know presence, else 0)",
                  kFacePresence));

  const OptionGroup output(app, "Output");
  output.value("--format", args.format, "text|json", "print text (a table) or json (one line) (text)");
  output.value("--title", job.title, "TEXT", "title of the page");
  output.flag("--quiet", job.quiet, "print no progress and no summary");

  const OptionGroup machine(app, "Machine");
  add_machine_options(app, args.search, job.machine, machine.heading());
}

void check_inputs(const LandmarkArguments& args) {
  const LandmarkEvalJob& job = args.job;
  require(!job.truth.empty(), "there is nothing to do: name the points that people marked with --truth");
  check_folders(args.pictures, job.truth.size());
  require(!job.out.empty(), "--out DIR is needed: the folder for the page and the figures");
  std::error_code error;
  require(!std::filesystem::exists(job.out, error) || std::filesystem::is_directory(job.out, error),
          "--out names a folder, and this is a file: " + job.out);
  require(job.move >= 0 && job.move <= 1, "--move must be from 0 to 1");
  require(args.format == "text" || args.format == "json",
          "--format is text or json, not '" + args.format + "'");
}

// Whether an option below this headline was given.
bool is_given(const CLI::App& app, const std::string& heading) {
  const auto options = app.get_options(
      [&](const CLI::Option* option) { return option->get_group() == heading && option->count() > 0; });
  return !options.empty();
}

LandmarkEvalJob checked_job(const LandmarkArguments& args, const CLI::App& app) {
  check_inputs(args);
  LandmarkEvalJob job = args.job;
  require(app.count("--seed") == 0 || job.move > 0, "--seed goes with --move");
  finish_search(args.search, job.options, job.machine);
  require(job.boxes != kBoxesOfTruth || !is_given(app, kSearch),
          "--boxes truth searches nothing: leave the options of the search out");
  job.json = args.format == "json";
  for (std::size_t i = 0; i < job.truth.size(); ++i) {
    const std::string folder = folder_of(args.pictures, i);
    job.truth_options.push_back({folder, "", args.truth_format});
  }
  for (const std::string& model : args.models) job.models.push_back(find_model_file(model));
  if (job.models.empty()) job.models.push_back(find_model_file("face-68"));
  return job;
}

}  // namespace

int eval_landmarks_command(const Arguments& arguments) {
  CLI::App app("Compares the points that models mark with those that people marked in pictures.",
               "winnow eval landmarks");
  app.footer(kExamples);
  LandmarkArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;
  return run_landmark_eval(checked_job(args, app));
}

}  // namespace winnow::cli
