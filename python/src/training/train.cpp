// Binds the training and joining of cascades.
#include <winnow/train.h>

#include <winnow/error.h>

#include <utility>

#include "machine_arguments.h"
#include "training/train_watcher.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

using TrainedCascade = Trained<TrainResult, CascadeOptions>;

const char* step_name(TrainStep::What what) {
  switch (what) {
    case TrainStep::What::kMining:
      return "mining";
    case TrainStep::What::kWeak:
      return "weak";
    case TrainStep::What::kStageDone:
      return "stage";
  }
  return "unknown";
}

FeatureSet parse_features(const FeaturesWord& word) {
  return enumerator(word.text, "set of features", FeatureSet::kHaar, FeatureSet::kLbp, feature_set_name);
}

}  // namespace

void bind_train(nb::module_& module) {
  nb::class_<TrainedStage>(module, "TrainedStage",
                           "The rates of a stage on the samples that it was trained on.")
      .def_ro("weak", &TrainedStage::weak)
      .def_ro("hit", &TrainedStage::hit, "The fraction of the stage's own positives that the stage passes.")
      .def_ro("false_alarm", &TrainedStage::false_alarm,
              "The fraction of the stage's own negatives that the stage passes.")
      .def_ro("positives", &TrainedStage::positives)
      .def_ro("negatives", &TrainedStage::negatives)
      .def_ro("kept", &TrainedStage::carried_over, "The number of negatives that the stage before had, too.")
      .def_ro("mined_windows", &TrainedStage::mined_windows,
              "The number of windows that were searched for the negatives that are new in this stage.")
      .def_ro("mining_seconds", &TrainedStage::mining_seconds)
      .def_ro("boosting_seconds", &TrainedStage::boosting_seconds)
      .def("__repr__", [](const TrainedStage& stage) {
        return nb::str("TrainedStage({} weak, hit {:.4f}, false alarm {:.4f})")
            .format(stage.weak, stage.hit, stage.false_alarm);
      });
  nb::class_<TrainStep>(module, "TrainStep", "How far a training is; see `train_cascade`.")
      .def_prop_ro(
          "what", [](const TrainStep& step) { return StepWord{step_name(step.what)}; },
          "'mining' (negatives were found), 'weak' (a weak classifier was added) or 'stage' (the stage is\n"
          "done).")
      .def_prop_ro(
          "stage", [](const TrainStep& step) { return step.stage + 1; },
          "The stage or round that is trained. The first is 1, as in the lines of the command.")
      .def_prop_ro("so_far", [](const TrainStep& step) { return step.so_far; })
      .def_ro("wanted_negatives", &TrainStep::wanted_negatives)
      .def_ro("seconds", &TrainStep::seconds, "Seconds since the start of the training.")
      .def("__repr__", [](const TrainStep& step) {
        return nb::str("TrainStep({}, stage {}, {} weak, {} negatives, {:.1f} s)")
            .format(step_name(step.what), step.stage + 1, step.so_far.weak, step.so_far.negatives,
                    step.seconds);
      });
  nb::class_<TrainedCascade>(module, "TrainResult", "A trained cascade, and the rates of each stage.")
      .def_prop_ro("cascade", [](const TrainedCascade& trained) { return trained.result.cascade; })
      .def_prop_ro("stages", [](const TrainedCascade& trained) { return trained.result.stages; })
      .def_prop_ro(
          "ended_early", [](const TrainedCascade& trained) { return trained.result.ended_early; },
          "The reason if there are fewer stages than asked for, and a remedy; \"\" if there are as many.")
      .def_prop_ro(
          "stopped", [](const TrainedCascade& trained) { return trained.result.stopped; },
          "Whether `progress` stopped the training.")
      .def_prop_ro("backend", [](const TrainedCascade& trained) { return trained.result.backend; })
      .def_prop_ro("seconds", [](const TrainedCascade& trained) { return trained.result.seconds; })
      .def("__repr__", [](const TrainedCascade& trained) {
        return "TrainResult(" + std::to_string(trained.result.stages.size()) + " stages, " +
               trained.result.backend + ")";
      });

  const CascadeOptions usual;
  const RunOptions usual_run;
  module.def(
      "train_cascade",
      [](const Pack& pack, const FeaturesWord& features, const BoostWord& boost, const WeakWord& weak,
         bool soft, std::optional<int> stages, std::optional<double> min_hit, double max_false,
         std::optional<int> max_weak, int depth, int negatives, double negative_noise, int pool,
         int features_per_round, WINNOW_MACHINE_PARAMETERS, std::int64_t memory, std::uint64_t seed,
         const Path& checkpoint, bool resume, const Progress& progress) {
        CascadeOptions options;
        options.features = parse_features(features);
        options.boost = enumerator(boost.text, "kind of boosting", BoostKind::kGentle, BoostKind::kDiscrete,
                                   boost_kind_name);
        options.weak = enumerator(weak.text, "kind of weak classifier", WeakKind::kTree, WeakKind::kTable,
                                  weak_kind_name);
        options.depth = depth;
        options.negatives = negatives;
        options.negative_noise = negative_noise;
        options.pool = pool;
        options.features_per_round = features_per_round;
        if (soft) {
          const SoftOptions form;
          options.form = SoftOptions{stages.value_or(form.rounds), min_hit.value_or(form.min_hit),
                                     max_weak.value_or(form.max_weak)};
        } else {
          const StageOptions form;
          options.form = StageOptions{stages.value_or(form.stages), min_hit.value_or(form.min_hit), max_false,
                                      max_weak.value_or(form.max_weak)};
        }
        const MachineOptions machine = machine_of(WINNOW_MACHINE_VALUES);
        const int units = options.stages();
        return watch_training<TrainResult>(
            std::move(options), {machine, memory, seed, checkpoint.text, resume}, progress.object, units,
            soft ? "round" : "stage",
            [&](const CascadeOptions& o, const RunOptions& run, const TrainWatcher& watcher) {
              return train_cascade(pack, o, run, watcher);
            });
      },
      nb::arg("pack"), nb::kw_only(), nb::arg("features") = feature_set_name(usual.features),
      nb::arg("boost") = boost_kind_name(usual.boost), nb::arg("weak") = weak_kind_name(usual.weak),
      nb::arg("soft") = false, nb::arg("stages") = nb::none(), nb::arg("min_hit") = nb::none(),
      nb::arg("max_false") = StageOptions().max_false, nb::arg("max_weak") = nb::none(),
      nb::arg("depth") = usual.depth, nb::arg("negatives") = 0, nb::arg("negative_noise") = 0.0,
      nb::arg("pool") = 0, nb::arg("features_per_round") = 0, WINNOW_MACHINE_ARGUMENTS,
      nb::arg("memory") = usual_run.memory, nb::arg("seed") = usual_run.seed, nb::arg("checkpoint") = Path{},
      nb::arg("resume") = false, nb::arg("progress") = nb::none(),
      "Trains a cascade: `stages` stages, or with soft=True one running sum in `stages` rounds. The same "
      "pack,\n"
      "options and seed give the same cascade on every backend.\n\n"
      "features: 'haar', 'haar-more', 'haar-tilted' or 'lbp'. boost: 'gentle', 'real' or 'discrete'.\n"
      "weak: 'tree' or 'table'. None takes the default of the form: 20 stages with a min_hit of 0.995\n"
      "and at most 200 weak classifiers each, or 6 rounds with 0.98 and 400 in all. checkpoint: a\n"
      "folder that keeps the state of the training; resume=True goes on from that state. progress: True\n"
      "shows a bar of tqdm or, if tqdm is not installed, a line for each stage. A function is called\n"
      "between steps, with a `TrainStep`. If it gives False, the training saves its state and stops. So\n"
      "it does after Ctrl-C and after an exception in the function.\n\n"
      ">>> pack = winnow.make_pack('crops', 'backgrounds', window=(24, 24))\n"
      ">>> result = winnow.train_cascade(pack, stages=2, features='lbp', negatives=200)\n"
      ">>> result.cascade.window, len(result.stages)\n"
      "((24, 24), 2)");
  module.def(
      "join_cascades",
      [](const std::vector<Cascade>& members, const Pack& pack, double min_hit, int threads,
         std::int64_t memory) {
        RunOptions run;
        run.machine.threads = threads;
        run.memory = memory;
        return join_cascades(members, pack, JoinRule{min_hit}, run);
      },
      nb::arg("members"), nb::arg("pack"), nb::kw_only(), nb::arg("min_hit") = JoinRule().min_hit,
      nb::arg("threads") = 0, nb::arg("memory") = usual_run.memory, nb::call_guard<nb::gil_scoped_release>(),
      "Makes one soft cascade of several that were trained on the same samples with other seeds or "
      "features.\n\n"
      ">>> pack = winnow.make_pack('crops', 'backgrounds', window=(24, 24))\n"
      ">>> members = [winnow.train_cascade(pack, soft=True, stages=2, max_weak=8, negatives=200, pool=400,\n"
      "...                                 seed=seed).cascade for seed in (1, 2)]\n"
      ">>> winnow.join_cascades(members, pack).weak_count == sum(member.weak_count for member in members)\n"
      "True");
  module.def(
      "training_page",
      [](const Pack& pack, const TrainedCascade& trained) {
        std::string page;
        {
          const nb::gil_scoped_release free;
          page = training_page(pack, trained.options, trained.run, trained.result);
        }
        return text_of(page);
      },
      nb::arg("pack"), nb::arg("result"),
      "One self-contained page of HTML about a training. The pack must be that of the training.\n\n"
      ">>> pack = winnow.make_pack('crops', 'backgrounds', window=(24, 24))\n"
      ">>> result = winnow.train_cascade(pack, stages=1, features='lbp', negatives=200)\n"
      ">>> '<html' in winnow.training_page(pack, result)\n"
      "True");
  module.def(
      "count_features",
      [](const FeaturesWord& features, Size window) {
        constexpr int kMost = 128;  // the longest side in a training; longer sides would take minutes
        if (window.width > kMost || window.height > kMost)
          throw Error(ErrorCode::kUsage, "a window has at most 128 pixels a side");
        return count_features(parse_features(features), window);
      },
      nb::arg("features"), nb::arg("window"), nb::call_guard<nb::gil_scoped_release>(),
      "How many features of a set a window has.\n\n"
      ">>> winnow.count_features('haar', (24, 24))\n"
      "162336");
}

}  // namespace winnow::python
