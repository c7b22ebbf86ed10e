// Binds the trainings of cascades of HOG blocks and of linear SVMs over HOG.
#include <winnow/train_hog.h>

#include <winnow/error.h>

#include <string>
#include <utility>

#include "machine_arguments.h"
#include "training/train_watcher.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

using TrainedBlocks = Trained<HogCascadeResult, HogCascadeOptions>;
using TrainedSvm = Trained<HogSvmResult, HogSvmOptions>;

// Binds the properties that both kinds of results have: those of cascades and those of SVMs.
template <class Kind>
void show_rounds(nb::class_<Kind>& shown, const std::string& name) {
  shown
      .def_prop_ro(
          "rounds", [](const Kind& trained) { return trained.result.rounds; },
          "For each round, its rates on its own samples.")
      .def_prop_ro(
          "ended_early", [](const Kind& trained) { return trained.result.ended_early; },
          "The reason if there are fewer rounds than asked for, and a remedy; \"\" if there are as many.")
      .def_prop_ro(
          "stopped", [](const Kind& trained) { return trained.result.stopped; },
          "Whether `progress` stopped the training.")
      .def_prop_ro("backend", [](const Kind& trained) { return trained.result.backend; })
      .def_prop_ro("seconds", [](const Kind& trained) { return trained.result.seconds; })
      .def("__repr__", [name](const Kind& trained) {
        return name + "(" + std::to_string(trained.result.rounds.size()) + " rounds, " +
               trained.result.backend + ")";
      });
}

void bind_blocks(nb::module_& module) {
  nb::class_<TrainedBlocks> result(module, "HogCascadeResult",
                                   "A trained cascade of HOG blocks, and the rates of each round.");
  result.def_prop_ro("cascade", [](const TrainedBlocks& trained) { return trained.result.cascade; });
  show_rounds(result, "HogCascadeResult");
  const HogCascadeOptions usual;
  const RunOptions usual_run;
  module.def(
      "train_hog_cascade",
      [](const Pack& pack, Size window, int grid, int step, std::optional<int> rounds,
         std::optional<int> max_stages, std::optional<double> min_hit, int negatives, int blocks_per_round,
         std::optional<int> stages, std::optional<double> max_false, std::optional<int> max_blocks,
         WINNOW_MACHINE_PARAMETERS, std::int64_t memory, std::uint64_t seed, const Path& checkpoint,
         bool resume, const Progress& progress) {
        HogCascadeOptions options;
        options.window = window;
        options.grid = grid;
        options.step = step;
        const auto refuse = [](const std::string& why) { throw Error(ErrorCode::kUsage, why); };
        if (stages) {
          if (rounds || max_stages)
            refuse("with stages, each stage is a round: leave out rounds and max_stages");
          const HogStageOptions form;
          options.stages =
              HogStageOptions{*stages, min_hit.value_or(form.min_hit), max_false.value_or(form.max_false),
                              max_blocks.value_or(form.max_blocks)};
        } else {
          if (max_false || max_blocks) refuse("max_false and max_blocks need stages");
          options.rounds = rounds.value_or(options.rounds);
          options.max_stages = max_stages.value_or(options.max_stages);
          options.min_hit = min_hit.value_or(options.min_hit);
        }
        options.negatives = negatives;
        options.blocks_per_round = blocks_per_round;
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        return watch_training<HogCascadeResult>(
            options, {machine, memory, seed, checkpoint.text, resume}, progress.object,
            options.stages ? options.stages->stages : options.rounds, options.stages ? "stage" : "round",
            [&](const HogCascadeOptions& o, const RunOptions& run, const TrainWatcher& watcher) {
              return train_hog_cascade(pack, o, run, watcher);
            });
      },
      nb::arg("pack"), nb::kw_only(), nb::arg("window") = usual.window, nb::arg("grid") = usual.grid,
      nb::arg("step") = usual.step, nb::arg("rounds") = nb::none(), nb::arg("max_stages") = nb::none(),
      nb::arg("min_hit") = nb::none(), nb::arg("negatives") = usual.negatives,
      nb::arg("blocks_per_round") = usual.blocks_per_round, nb::arg("stages") = nb::none(),
      nb::arg("max_false") = nb::none(), nb::arg("max_blocks") = nb::none(), WINNOW_MACHINE_ARGUMENTS,
      nb::arg("memory") = usual_run.memory, nb::arg("seed") = usual_run.seed, nb::arg("checkpoint") = Path{},
      nb::arg("resume") = false, nb::arg("progress") = nb::none(),
      "Trains a cascade of HOG blocks. The same pack, options and seed give the same cascade on every\n"
      "backend.\n\n"
      "- `window`: the model's window, which is the middle of each sample. One pixel of border around\n"
      "  it is enough.\n"
      "- `rounds`: the number of rounds; 4 if None.\n"
      "- `max_stages`: the number of blocks in the last round; 512 if None.\n"
      "- `negatives`: how many are mined for each round. 0 means as many as positives, at least 1000.\n"
      "- `blocks_per_round`: about how many random blocks are tried for each new block; 0 tries all.\n"
      "- `stages`: train at most this many stages of several blocks in place of rounds. Each stage ends\n"
      "  with a limit.\n"
      "- `max_false`, `max_blocks`: with stages, a stage passes at most this fraction of its negatives\n"
      "  (0.65), and has at most this many blocks (100).\n"
      "- `min_hit`: the least fraction of positives that the whole cascade passes (0.98), or with\n"
      "  stages each stage (0.99).\n"
      "- `checkpoint`, `resume`, `progress`: as in `train_cascade`.\n\n"
      ">>> pack = winnow.make_pack('crops', 'backgrounds', window=(26, 26))\n"
      ">>> result = winnow.train_hog_cascade(pack, window=(24, 24), rounds=1, max_stages=4, negatives=80)\n"
      ">>> result.cascade.window, len(result.cascade.stages), result.rounds[0].weak\n"
      "((24, 24), 4, 4)");
}

void bind_svm(nb::module_& module) {
  nb::class_<TrainedSvm> result(module, "HogSvmResult", "A trained HOG SVM, and the rates of each round.");
  result.def_prop_ro("svm", [](const TrainedSvm& trained) { return trained.result.svm; });
  show_rounds(result, "HogSvmResult");
  const HogSvmOptions usual;
  const RunOptions usual_run;
  module.def(
      "train_hog_svm",
      [](const Pack& pack, const HogShape& shape, int rounds, int negatives, double cost, double hard,
         bool squared, double false_alarms, bool symmetric, const HogColorsWord& colors,
         WINNOW_MACHINE_PARAMETERS, std::int64_t memory, std::uint64_t seed, const Path& checkpoint,
         bool resume, const Progress& progress) {
        HogSvmOptions options;
        options.shape = shape;
        options.rounds = rounds;
        options.negatives = negatives;
        options.cost = cost;
        options.hard = hard;
        options.squared = squared;
        options.false_alarms = false_alarms;
        options.symmetric = symmetric;
        options.colors = parse_hog_colors(colors.text);
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        return watch_training<HogSvmResult>(
            options, {machine, memory, seed, checkpoint.text, resume}, progress.object, rounds, "round",
            [&](const HogSvmOptions& o, const RunOptions& run, const TrainWatcher& watcher) {
              return train_hog_svm(pack, o, run, watcher);
            });
      },
      nb::arg("pack"), nb::kw_only(), nb::arg("shape") = usual.shape, nb::arg("rounds") = usual.rounds,
      nb::arg("negatives") = usual.negatives, nb::arg("cost") = usual.cost, nb::arg("hard") = usual.hard,
      nb::arg("squared") = usual.squared, nb::arg("false_alarms") = usual.false_alarms,
      nb::arg("symmetric") = usual.symmetric, nb::arg("colors") = hog_colors_name(usual.colors),
      WINNOW_MACHINE_ARGUMENTS, nb::arg("memory") = usual_run.memory, nb::arg("seed") = usual_run.seed,
      nb::arg("checkpoint") = Path{}, nb::arg("resume") = false, nb::arg("progress") = nb::none(),
      "Trains a linear SVM over HOG. The same pack, options and seed give the same SVM on every backend.\n\n"
      "- `shape`: its window is the middle of each sample. A border as wide as a block's stride is\n"
      "  enough.\n"
      "- `negatives`: the number for each round. 0 means twice as many as positives, at least 1000.\n"
      "- `cost`: the weight of errors, compared with the norm of the SVM's weights.\n"
      "- `hard`: the least score of a window that is mined as a false alarm.\n"
      "- `squared`: whether errors are squared.\n"
      "- `false_alarms`: the bias is set so that a score of 0 gives at most this many false alarms per\n"
      "  window of the pictures without the object. 0 keeps the bias that was learned.\n"
      "- `symmetric`: the weights of the window's left half mirror those of its right half.\n"
      "- `colors`, for a pack with colours: 'use' learns samples in colour, 'leave' in grey, and 'both'\n"
      "  each sample in colour and in grey.\n"
      "- `checkpoint`, `resume`, `progress`: as in `train_cascade`.\n\n"
      ">>> pack = winnow.make_pack('crops', 'backgrounds', window=(24, 24))\n"
      ">>> result = winnow.train_hog_svm(pack, shape=winnow.HogShape(window=(24, 24)), rounds=1, "
      "negatives=80)\n"
      ">>> result.svm.window, result.rounds[0].negatives\n"
      "((24, 24), 80)");
}

// Adds a form of `training_page` for this kind of result.
template <class Kind>
void bind_page(nb::module_& module, const char* doc) {
  module.def(
      "training_page",
      [](const Pack& pack, const Kind& trained) {
        std::string page;
        {
          const nb::gil_scoped_release free;
          page = training_page(pack, trained.options, trained.run, trained.result);
        }
        return text_of(page);
      },
      nb::arg("pack"), nb::arg("result"), doc);
}

}  // namespace

void bind_train_hog(nb::module_& module) {
  bind_blocks(module);
  bind_svm(module);
  bind_page<TrainedBlocks>(
      module, "The page about a training of a cascade of HOG blocks, with a drawing of its blocks.");
  bind_page<TrainedSvm>(module, "The page about a training of a HOG SVM, with a drawing of its weights.");
}

}  // namespace winnow::python
