// Reads the options of `winnow eval tracking`. The opening comment of cli/commands.h, which declares the
// command, holds here.
#include <winnow/error.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "evaluation/eval_tracking_run.h"
#include "terminal/arguments.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow eval tracking --truth car/gt.txt --truth-format tld --result mine=car.jsonl --out report\n"
    "  winnow eval tracking --truth car=car/gt.txt --truth david=david/gt.txt --truth-format tld \\\n"
    "    --result 'mine={}.jsonl' --result 'TLD={}/TLD1.0.txt' --out report\n"
    "\n"
    "A result is text of one box a line, or lines of JSON or CSV with tracks. In its name {} stands for the\n"
    "name of each sequence. A result has a frame for each frame of the truth; the first is not judged.\n"
    "Formats of text: otb (x,y,width,height from pixel 1), tld (x1,y1,x2,y2 from pixel 0), vot (polygons, "
    "or\n"
    "x,y,width,height from pixel 0), tlp (frame,x,y,width,height,lost).\n"
    "Writes index.html (figures and curves), eval.json and frames.csv into DIR, over older ones. A table "
    "goes\n"
    "to standard output.\n"
    "Exit code: 0 done, 1 a file cannot be read, 2 bad usage or lengths that differ.";

constexpr const char* kPlace = "{}";  // stands for a sequence's name in the file name of a result

struct TrackingArguments {
  TrackingJob job;
  std::vector<std::string> truths, results, truth_formats, result_formats, ids;
  std::string format = "text";
};

// A value with a name before it, as in "car=car/gt.txt". The name is "" if it is missing.
struct Named {
  std::string name, value;
};

// Parts a text at its first '='. A '/' before it belongs to a path, so such a text has no name.
Named parse_named(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || text.find('/') < at) return {"", text};
  return {text.substr(0, at), text.substr(at + 1)};
}

void add_options(CLI::App& app, TrackingArguments& args) {
  TrackingJob& job = args.job;
  app.add_option("--out", job.out, "folder for the page and the figures")->type_name("DIR");

  const OptionGroup truth(app, "Sequences");
  one_a_time(truth.value("--truth", args.truths, "[NAME=]FILE",
                         "boxes that people marked in a sequence; repeat the option for more sequences (the "
                         "name of the file's folder)"));
  one_a_time(truth.value("--truth-format", args.truth_formats, "[NAME=]otb|tld|vot|tlp",
                         "format of the truth, of all sequences or of one, if its content does not show it"));

  const OptionGroup results(app, "Trackers");
  one_a_time(results.value("--result", args.results, "[NAME=]FILE",
                           "a tracker's result; {} stands for the name of a sequence; repeat the option to "
                           "compare trackers (the name of the file)"));
  one_a_time(results.value("--result-format", args.result_formats, "[NAME=]FORMAT",
                           "format of the results, of all trackers or of one: otb, tld, vot, tlp, json or "
                           "csv (what the content shows, or else that of the truth)"));
  one_a_time(results.value("--id", args.ids, "[NAME=]N",
                           "the track to judge in JSON or CSV, in all sequences or in one (the only one)"));

  const OptionGroup rule(app, "Rule");
  rule.value("--overlap", job.rule.overlap, "F",
             "a box is right if its intersection over union with the object is at least F (0.25)");

  const OptionGroup output(app, "Output");
  output.value("--format", args.format, "text|json", "print text (a table) or json (one line) (text)");
  output.value("--title", job.title, "TEXT", "title of the page");
  output.flag("--quiet", job.quiet, "print no summary");
}

// The values of an option by name. A value without a name is for all others, and stands under "".
std::map<std::string, std::string> by_name(const std::vector<std::string>& texts, const std::string& option,
                                           const std::vector<std::string>& names, const char* noun) {
  std::map<std::string, std::string> values;
  for (const std::string& text : texts) {
    const Named named = parse_named(text);
    require(named.name.empty() || std::find(names.begin(), names.end(), named.name) != names.end(),
            option + " " + text + ": there is no " + noun + " '" + named.name + "'");
    require(values.emplace(named.name, named.value).second,
            option + (named.name.empty() ? " is given twice for all" : " is given twice for " + named.name));
  }
  return values;
}

std::string value_of(const std::map<std::string, std::string>& values, const std::string& name) {
  auto at = values.find(name);
  if (at == values.end()) at = values.find("");
  return at == values.end() ? std::string() : at->second;
}

std::int64_t parse_id(const std::string& text) {
  std::int64_t id = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, id);
  require(result.ec == std::errc() && result.ptr == end && id >= 0,
          "--id wants a number from 0 on, not '" + text + "'");
  return id;
}

std::string folder_name(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string folder = std::filesystem::absolute(path).parent_path().filename().string();
  return folder.empty() ? path.stem().string() : folder;
}

void add_sequences(const TrackingArguments& args, TrackingJob& job) {
  std::vector<std::string> names;
  for (const std::string& text : args.truths) {
    const Named named = parse_named(text);
    require(!named.value.empty(), "--truth " + text + " names no file");
    const std::string name = named.name.empty() ? folder_name(named.value) : named.name;
    require(std::find(names.begin(), names.end(), name) == names.end(),
            "two sequences are called '" + name + "': name them, as in --truth NAME=" + named.value);
    names.push_back(name);
    job.sequences.push_back({name, named.value, "", std::nullopt});
  }
  const auto formats = by_name(args.truth_formats, "--truth-format", names, "sequence");
  const auto ids = by_name(args.ids, "--id", names, "sequence");
  for (TrackingSequence& sequence : job.sequences) {
    sequence.format = value_of(formats, sequence.name);
    const std::string id = value_of(ids, sequence.name);
    if (!id.empty()) sequence.id = parse_id(id);
  }
  job.own_ids = ids.size() == names.size() && ids.find("") == ids.end();
}

void add_trackers(const TrackingArguments& args, TrackingJob& job) {
  std::vector<std::string> names;
  for (const std::string& text : args.results) {
    const Named named = parse_named(text);
    require(!named.value.empty(), "--result " + text + " names no file");
    const bool has_place = named.value.find(kPlace) != std::string::npos;
    require(!named.name.empty() || !has_place, "name the tracker, as in --result NAME=" + named.value);
    const std::string name =
        named.name.empty() ? std::filesystem::path(named.value).stem().string() : named.name;
    require(std::find(names.begin(), names.end(), name) == names.end(),
            "two trackers are called '" + name + "': name them, as in --result NAME=" + named.value);
    // A file for several sequences may hold a track for each.
    require(has_place || job.sequences.size() == 1 || job.own_ids,
            "--result " + text + " is one file for " + std::to_string(job.sequences.size()) +
                " sequences: write {} where their names stand, or give --id NAME=N for each");
    names.push_back(name);
    TrackingFiles tracker{name, {}, ""};
    for (const TrackingSequence& sequence : job.sequences) {
      std::string file = named.value;
      for (std::size_t at = 0; (at = file.find(kPlace, at)) != std::string::npos; at += sequence.name.size())
        file.replace(at, std::string(kPlace).size(), sequence.name);
      tracker.files.push_back(std::move(file));
    }
    job.trackers.push_back(std::move(tracker));
  }
  const auto formats = by_name(args.result_formats, "--result-format", names, "tracker");
  for (TrackingFiles& tracker : job.trackers) tracker.format = value_of(formats, tracker.name);
}

TrackingJob checked_job(const TrackingArguments& args) {
  TrackingJob job = args.job;
  require(!args.truths.empty(), "there is nothing to do: name the boxes that people marked with --truth");
  require(!args.results.empty(), "there is nothing to judge: name a tracker's boxes with --result NAME=FILE");
  require(!job.out.empty(), "--out DIR is needed: the folder for the page and the figures");
  std::error_code error;
  require(!std::filesystem::exists(job.out, error) || std::filesystem::is_directory(job.out, error),
          "--out names a folder, and this is a file: " + job.out);
  require(job.rule.overlap > 0 && job.rule.overlap <= 1, "--overlap must be above 0 and at most 1");
  require(args.format == "text" || args.format == "json",
          "--format is text or json, not '" + args.format + "'");
  job.json = args.format == "json";
  add_sequences(args, job);
  add_trackers(args, job);
  return job;
}

}  // namespace

int eval_tracking_command(const Arguments& arguments) {
  CLI::App app("Compares the boxes of trackers with those that people marked in sequences.",
               "winnow eval tracking");
  app.footer(kExamples);
  TrackingArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;
  return run_tracking_eval(checked_job(args));
}

}  // namespace winnow::cli
