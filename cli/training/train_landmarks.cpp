// Runs `winnow train landmarks`: trains points of faces, and shows a table meanwhile. The opening comment of
// cli/commands.h, which declares this, holds here.
#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/train_landmarks.h>
#include <winnow/truth.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "commands.h"
#include "evaluation/eval_pictures.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"
#include "terminal/text.h"
#include "training/landmark_rows.h"
#include "training/train_arguments.h"
#include "training/train_watch.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow train landmarks --truth points.csv --out points.winnow\n"
    "  winnow train landmarks --truth faces.xml --truth 300w/ --points 36,39,42,45,33 --out eyes.winnow\n"
    "\n"
    "The truth is a list of pictures and points, dlib's XML, or a folder of .pts files. The model learns "
    "with\n"
    "the boxes of the detector that will be used, and names this detector.\n"
    "Some faces are held back: they give the second error of the table, and teach the model how sure it is "
    "of\n"
    "a point. With --negatives the model also tells how likely a box shows a face. Errors are fractions of\n"
    "the distance of the pupils if it is known which points are eyes, else of the side of the marked "
    "points.\n"
    "With --checkpoint, Ctrl-C keeps the stages that are done. The same command with --resume then goes on;\n"
    "the model is the same as without the break.\n"
    "Exit code: 0 done, 1 a file could not be read or written, 2 bad usage, 130 stopped by Ctrl-C,\n"
    "143 stopped by SIGTERM.";

struct LandmarkArguments {
  SharedTrainArguments shared;
  std::vector<std::string> truth, pictures;
  std::string truth_format;
  FaceSetOptions set;
  LandmarkOptions options;
  std::uint64_t seed = RunOptions().seed;
  bool no_mirror = false;
};

void add_options(CLI::App& app, LandmarkArguments& args) {
  LandmarkOptions& o = args.options;
  const LandmarkOptions usual;
  const OptionGroup faces(app, "Faces");
  one_a_time(faces.value("--truth", args.truth, "FILE|DIR",
                         "pictures with points, in any format that Winnow reads; may be repeated"));
  one_a_time(
      faces.value("--pictures", args.pictures, "DIR",
                  "folder of the pictures (that of the truth file); once for all truths, or once for each"));
  faces.value("--truth-format", args.truth_format, "NAME",
              "format of the truth, if its content does not show it");
  faces.value("--detector", args.set.detector, "NAME|FILE|truth",
              fmt::format("the detector whose boxes the model will get, or truth for the boxes of the labels "
                          "({})",
                          FaceSetOptions().detector));
  one_a_time(faces.value("--negatives", args.set.negatives, "N",
                         "pictures without faces, which teach the model what is no face: folder of pictures, "
                         "list of pictures or picture; may be repeated"));
  one_a_time(faces.value("--points", args.set.points, "N,N...",
                         "learn these points only, in this order (all points)"))
      ->delimiter(',');
  one_a_time(faces.value("--mirrored", o.mirrored, "N,N...",
                         "for each point the point that it becomes in a mirror (by names, or by the marks)"))
      ->delimiter(',');
  faces.value("--eyes", o.eyes, "L/R",
              "points of the eyes, as 0/1 or 36-41/42-47, whose distance divides errors (by names)");
  faces.flag("--no-mirror", args.no_mirror, "do not learn from mirrored faces");
  faces.value(
      "--held-back", o.held_back, "P",
      fmt::format("part of the pictures that is held back, for errors and confidence ({})", usual.held_back));
  add_seed(faces, args.seed, fmt::format("choose other random numbers ({})", args.seed));

  const OptionGroup trees(app, "Trees");
  trees.value("--stages", o.stages, "N", fmt::format("stages ({})", usual.stages));
  trees.value("--trees", o.trees, "N", fmt::format("trees of a stage ({})", usual.trees));
  trees.value("--depth", o.depth, "N", fmt::format("splits on the way to a leaf ({})", usual.depth));
  trees.value("--pixels", o.pixels, "N", fmt::format("pixels that a stage reads ({})", usual.pixels));
  trees.value("--splits", o.splits, "N", fmt::format("random splits that a node tries ({})", usual.splits));
  trees.value("--samples", o.samples, "N", fmt::format("samples of each face ({})", usual.samples));
  trees.value("--rate", o.rate, "R",
              fmt::format("part of what is missing that a tree takes away ({})", usual.rate));
  trees.value(
      "--calm", o.calm, "N",
      fmt::format("leaves of few samples add less, as if N more had nothing missing ({})", usual.calm));
  trees.value("--scale-jitter", o.scale_jitter, "P",
              fmt::format("how much the boxes of samples differ in size ({})", usual.scale_jitter));
  trees.value("--move-jitter", o.move_jitter, "P",
              fmt::format("how far the boxes of samples move, in sides ({})", usual.move_jitter));
  trees.value(
      "--basis", o.basis, "N",
      fmt::format("numbers of a leaf; 0: two for each point, which makes files large ({})", usual.basis));
  trees.value(
      "--confidence-trees", o.confidence_trees, "N",
      fmt::format("trees that tell how sure each point is; 0: no confidence ({})", usual.confidence_trees));
  trees.value("--presence-trees", o.presence_trees, "N",
              fmt::format("with --negatives, trees that tell faces from false alarms; 0: no presence ({})",
                          usual.presence_trees));
  args.shared.add_run_options(app, "samples; more samples lie in a file");
  args.shared.add_output_options(app, "file to write: .winnow");
}

// Returns a text that tells how many faces and false alarms presence keeps at a bound of 0.5.
std::string presence_text(const LandmarkResult& result, const LandmarkArguments& args) {
  if (!result.presence && result.landmarks.model().has_presence()) return ", presence as before";
  if (!result.presence) return args.set.negatives.empty() ? "" : ", no presence";
  const PresenceCheck& check = *result.presence;
  return fmt::format(", presence: keeps {} of {} held-back faces and {} of {} false alarms", check.kept_faces,
                     check.faces, check.kept_false_boxes, check.false_boxes);
}

// Whether `longer` begins with the numbers of `list`.
bool begins_with(const std::vector<float>& longer, const std::vector<float>& list) {
  return longer.size() > list.size() && std::equal(list.begin(), list.end(), longer.begin());
}

// Without --negatives, a resumed training keeps the presence that an earlier end of it learned, if stages and
// confidence are still the same.
void keep_presence(const std::string& earlier, LandmarkModel& model) {
  std::error_code error;
  if (!model.confidence || !std::filesystem::is_regular_file(earlier, error)) return;
  LandmarkModel before;
  try {
    before = Landmarks::load(earlier).model();
  } catch (const Error&) {
    return;  // the copy is damaged, and is written anew
  }
  if (!before.has_presence() || model.has_presence()) return;
  const PointConfidence kept = *before.confidence;
  const bool fits =
      begins_with(kept.slope, model.confidence->slope) && begins_with(kept.shift, model.confidence->shift);
  before.confidence = model.confidence;
  if (!fits || !before.same_as(model)) {
    say("the model loses its presence, which does not fit its stages or its confidence: give --negatives "
        "again");
    return;
  }
  model.confidence = kept;
}

std::vector<LabelledPicture> read_truths(LandmarkArguments& args) {
  std::vector<LabelledPicture> pictures;
  std::set<std::string> places;
  for (std::size_t i = 0; i < args.truth.size(); ++i) {
    const std::string folder = folder_of(args.pictures, i);
    Truth truth = read_truth(args.truth[i], {folder, "", args.truth_format});
    check_places(truth, places);
    for (const std::string& note : truth.notes) say(printable(args.truth[i] + ": " + note));
    require(i == 0 || truth.point_names == args.set.names,
            "the truths name their points differently: " + args.truth[0] + " and " + args.truth[i]);
    args.set.names = truth.point_names;
    for (LabelledPicture& picture : truth.pictures) pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace

int train_landmarks_command(const Arguments& arguments) {
  CLI::App app("Trains points of faces, or of other objects, from pictures with points.",
               "winnow train landmarks");
  app.footer(kExamples);
  LandmarkArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;
  SharedTrainArguments& shared = args.shared;
  shared.finish();
  shared.run.seed = args.seed;
  args.options.mirror = !args.no_mirror;
  require(!args.truth.empty(), "pictures with points are needed: --truth FILE");
  check_folders(args.pictures, args.truth.size());
  require(args.options.mirrored.empty() || !args.no_mirror, "--mirrored and --no-mirror exclude each other");
  require(std::filesystem::path(shared.out).extension() == ".winnow",
          "the model must end in .winnow: " + shared.out);
  const TrainFiles files = shared.checked_files();
  check_training(args.options, shared.run);
  ModelCard card = shared.made_card();
  const std::vector<LabelledPicture> pictures = read_truths(args);
  const FaceSet faces = find_faces(pictures, args.set, shared.run.machine,
                                   [](const std::string& note) { say(printable(note)); });
  std::size_t missed = 0;
  for (const TrainingFace& face : faces.faces) missed += face.found ? 0 : 1;
  say(counted(static_cast<long long>(faces.faces.size()), "face") +
      (missed > 0 ? ", of which the detector misses " + std::to_string(missed) +
                        "; they get the usual place of its boxes"
                  : "") +
      (faces.false_boxes.empty()
           ? ""
           : "; " + counted(static_cast<long long>(faces.false_boxes.size()), "false alarm") +
                 " in negatives"));
  const LearnedScheme learned = learned_scheme(faces, args.options);
  say(printable(learned.mirrored_sentence));
  say(printable(learned.norm_sentence));
  LandmarkRows rows(args.options, shared.log, files.owns(files.log));
  return watch_rows<LandmarkResult>(
      shared, files, rows, "stage",
      [&](const LandmarkWatcher& watcher) {
        return train_landmarks(faces, args.options, shared.run, watcher);
      },
      [&](LandmarkResult& result) {
        LandmarkModel model = result.landmarks.model();
        if (card.kind.empty()) card.kind = model.card.kind;
        model.card = card;
        if (files.resume && args.set.negatives.empty()) keep_presence(files.copy_of_model(), model);
        result.landmarks = Landmarks(std::move(model));
        files.save([&](const std::string& path) { result.landmarks.save(path, LandmarkFormat::kWinnow); });
        print(printable(shared.out) + ": " +
              counted(static_cast<long long>(result.landmarks.points()), "point") + ", " +
              counted(static_cast<long long>(result.landmarks.model().trees.tree_count()), "tree") +
              (result.landmarks.model().confidence ? "" : ", no confidence") + presence_text(result, args) +
              "\n");
      },
      [&](const LandmarkResult& result) { return training_page(faces, args.options, shared.run, result); });
}

}  // namespace winnow::cli
