// Chooses the subcommand of `winnow eval`, and reads the options of `winnow eval detector`.
#include <winnow/error.h>
#include <winnow/eval.h>

#include <array>
#include <filesystem>

#include "command_table.h"
#include "commands.h"
#include "evaluation/eval_pictures.h"
#include "evaluation/eval_run.h"
#include "search_arguments.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"
#include "terminal/suggestion.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow eval detector -m mine.winnow -m haarcascade_frontalface_alt --truth faces.csv --out report\n"
    "  winnow eval detector -m haarcascade_frontalface_alt --match points --truth groundtruth.txt --out "
    "report\n"
    "  winnow eval detector -m people -m svm.xml --truth streets.csv --windows-positive crops/ \\\n"
    "    --windows-negative bg/ --min-score=-1 --out report\n"
    "\n"
    "Writes index.html (plots and the worst errors), eval.json and curves.csv into DIR, over older ones.\n"
    "A table goes to standard output. A picture that cannot be read is named and left out.\n"
    "The curves sort all detections by score: the sum of the last stage, in a group the largest. With\n"
    "--rank neighbors they sort by the number of windows in the group.\n"
    "Exit code: 0 done, 1 a picture could not be read, 2 bad usage, 130 stopped by Ctrl-C.";

struct EvalArguments {
  EvalJob job;
  std::vector<std::string> models, pictures;
  std::string truth_format, category, match = "iou", rank = "score", format = "text";
  SearchArguments search;
  std::vector<int> hold, span;
  double iou = 0, at_most = 0, margin = 0, aspect = 0;
  bool has_iou = false, has_at_most = false;
};

void add_options(CLI::App& app, EvalArguments& args) {
  EvalJob& job = args.job;
  one_a_time(app.add_option("-m,--model", args.models,
                            "name or file of a model; repeat the option to compare models"))
      ->type_name("NAME|FILE");
  app.add_option("--out", job.out, "folder for the page and the figures")->type_name("DIR");

  const OptionGroup what(app, "Pictures");
  one_a_time(what.value("--truth", job.truth, "FILE|DIR",
                        "what people marked, in any format that Winnow reads; may be repeated"));
  one_a_time(what.value(
      "--pictures", args.pictures, "DIR",
      "folder of the marked pictures (that of the truth file); once for all truths, or once for each"));
  what.value("--truth-format", args.truth_format, "NAME",
             "format of the truth, if its content does not show it");
  what.value("--category", args.category, "NAME", "use the labels of this category only");
  one_a_time(what.value("--negatives", job.negatives, "PICTURE|DIR|LIST",
                        "also search these pictures, which show no object; pictures that the truth names "
                        "are left out"));
  one_a_time(what.value("--windows-positive", job.windows_positive, "PICTURE|DIR|LIST",
                        "crops of the object, each judged as one window; larger crops are resized"));
  one_a_time(what.value("--windows-negative", job.windows_negative, "PICTURE|DIR|LIST",
                        "pictures without the object; all their windows are judged"));
  what.value("--encode", job.encode, "Q",
             "encode the crops again as JPEG of quality Q with halved colours, before they are judged: "
             "crops of better quality than the pictures would look like other things to a model of colour")
      ->check(CLI::Range(1, 100));

  const OptionGroup rule(app, "Rule");
  rule.value(
      "--match", args.match, "iou|points",
      "a detection is right if it overlaps a label (iou) or contains the points of a label (points) (iou)");
  rule.value("--iou", args.iou, "P", "least intersection over union (0.5)");
  rule.flag(
      "--model-margin", job.own_place,
      "cut the ground around the object off each box, and give boxes and labels the object's usual width, "
      "as each model's card says");
  rule.value(
      "--margin", args.margin, "F",
      "ground that is cut off each side of a box before it is compared, as a fraction of the side (0)");
  rule.value(
      "--aspect", args.aspect, "A",
      "width of an object for a height of 1; boxes and labels get it before they are compared (their own "
      "widths)");
  one_a_time(
      rule.value("--hold", args.hold, "N,N...", "points of the label that the box must contain (0,1,2,4)"))
      ->delimiter(',');
  rule.value("--at-most", args.at_most, "X", "longest side of the box, in spans of the label (4.5)");
  one_a_time(rule.value("--span", args.span, "N,N,N",
                        "three points; the span is the distance between the first two, or the distance of "
                        "the third from their line if that is larger (0,1,4)"))
      ->delimiter(',');
  rule.value("--rank", args.rank, "score|neighbors", "sort the detections by score or by neighbors (score)");

  const OptionGroup search(app, "Search");
  add_search_options(app, args.search, job.options, search.heading());

  const OptionGroup output(app, "Output");
  output.value("--format", args.format, "text|json", "print text (a table) or json (one line) (text)");
  output.value("--fddb", job.fddb, "FILE", "also write the detections in FDDB's format; for one model");
  output.value("--title", job.title, "TEXT", "title of the page");
  output.flag("--quiet", job.quiet, "print no progress and no summary");

  const OptionGroup machine(app, "Machine");
  add_machine_options(app, args.search, job.detector, machine.heading());
}

EvalRule checked_rule(const EvalArguments& args) {
  EvalRule rule;
  require(args.match == "iou" || args.match == "points",
          "--match is iou or points, not '" + args.match + "'");
  require(args.rank == "score" || args.rank == "neighbors",
          "--rank is score or neighbors, not '" + args.rank + "'");
  if (args.rank == "neighbors") rule.rank = RankBy::kNeighbors;
  if (args.match == "points") {
    rule.match = MatchKind::kPoints;
    require(!args.has_iou, "--iou belongs to --match iou");
    require(args.margin == 0 && args.aspect == 0 && !args.job.own_place,
            "--margin, --aspect and --model-margin belong to --match iou");
    if (!args.hold.empty()) rule.hold = args.hold;
    if (args.has_at_most) rule.at_most = args.at_most;
    require(args.span.empty() || args.span.size() == 3, "--span wants three points, such as 0,1,4");
    if (!args.span.empty()) rule.span = {args.span[0], args.span[1], args.span[2]};
  } else {
    require(args.hold.empty() && args.span.empty() && !args.has_at_most,
            "--hold, --at-most and --span belong to --match points");
    if (args.has_iou) rule.iou = args.iou;
    require(!args.job.own_place || (args.margin == 0 && args.aspect == 0),
            "--model-margin takes margin and aspect from each model's card; leave --margin and --aspect out");
    require(args.margin >= 0 && args.margin < 0.5, "--margin must be from 0 to below 0.5");
    require(args.aspect >= 0 && args.aspect <= 100, "--aspect must be from 0 to 100");
    rule.place = {args.margin, args.aspect};
  }
  check_rule(rule);
  return rule;
}

void check_inputs(const EvalArguments& args) {
  const EvalJob& job = args.job;
  require(!args.models.empty(), "a model is needed: give its name or file with --model");
  require(!job.truth.empty() || !job.windows_positive.empty(),
          "there is nothing to do: name what people marked with --truth, or single windows with "
          "--windows-positive and --windows-negative");
  require(job.windows_positive.empty() == job.windows_negative.empty(),
          "--windows-positive and --windows-negative go together");
  require(job.encode == 0 || !job.windows_positive.empty(), "--encode goes with --windows-positive");
  require(job.negatives.empty() || !job.truth.empty(), "--negatives goes with --truth");
  check_folders(args.pictures, job.truth.size());
  require(!job.out.empty(), "--out DIR is needed: the folder for the page and the figures");
  std::error_code error;
  require(!std::filesystem::exists(job.out, error) || std::filesystem::is_directory(job.out, error),
          "--out names a folder, and this is a file: " + job.out);
  require(job.fddb.empty() || (args.models.size() == 1 && !job.truth.empty()),
          "--fddb takes the detections of one model in the pictures of --truth");
}

EvalJob checked_job(const EvalArguments& args) {
  check_inputs(args);
  EvalJob job = args.job;
  job.rule = checked_rule(args);
  finish_search(args.search, job.options, job.detector);
  require(args.format == "text" || args.format == "json",
          "--format is text or json, not '" + args.format + "'");
  job.json = args.format == "json";
  for (std::size_t i = 0; i < job.truth.size(); ++i) {
    const std::string folder = folder_of(args.pictures, i);
    job.truth_options.push_back({folder, args.category, args.truth_format});
  }
  for (const std::string& model : args.models) job.models.push_back(find_model_file(model));
  return job;
}

int eval_detector(const Arguments& arguments) {
  CLI::App app("Compares what models find with what people marked in pictures.", "winnow eval detector");
  app.footer(kExamples);
  EvalArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;
  args.has_iou = app.count("--iou") > 0;
  args.has_at_most = app.count("--at-most") > 0;
  return run_eval(checked_job(args));
}

constexpr std::array<Command, 3> kCommands{{
    {"detector", "find objects in marked pictures, or judge single windows", eval_detector},
    {"landmarks", "mark faces in pictures, and compare the points", eval_landmarks_command},
    {"tracking", "compare the boxes of trackers with marked boxes", eval_tracking_command},
}};

std::string help() {
  return "Compares what models find with what people marked.\n\n"
         "Usage: winnow eval COMMAND [OPTIONS]\n\n" +
         command_list(kCommands, 11) +
         "\nOptions:\n"
         "  -h,--help   this text; `winnow eval COMMAND --help` tells more\n\n"
         "Examples:\n"
         "  winnow eval detector --model haarcascade_frontalface_alt --truth faces.csv --out report\n"
         "  winnow eval landmarks --model points.winnow --truth points.csv --out report\n"
         "  winnow eval tracking --truth car/gt.txt --result mine=car.jsonl --out report\n";
}

}  // namespace

int eval_command(const Arguments& arguments) {
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (first == "-h" || first == "--help" || first == "help") {
    print(help());
    return kExitDone;
  }
  require(
      !first.empty(),
      "say what to judge: `winnow eval detector ...`, `winnow eval landmarks ...` or `winnow eval tracking "
      "...` (see `winnow eval --help`)");
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (const Command* command = find_command(kCommands, first)) return command->run(rest);
  const std::string needs = "eval needs the word detector, landmarks or tracking before '" + first + "'";
  require(!first.starts_with('-'), needs + did_you_mean("eval detector", arguments));
  // No command of `eval` takes a path without an option.
  require(!is_input_or_option(first),
          needs + ", and an option before each path" +
              did_you_mean("eval detector", {"--model", "face", "--truth", first, "--out", "report"}));
  const std::string closest = closest_command(kCommands, first);
  throw Error(ErrorCode::kUsage,
              "eval judges a detector, landmarks or tracking, not '" + first + "'" +
                  (closest.empty() ? " (see `winnow eval --help`)" : did_you_mean("eval " + closest, rest)));
}

}  // namespace winnow::cli
