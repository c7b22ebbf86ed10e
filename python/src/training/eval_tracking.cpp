// Binds the evaluation of trackers, its figures and its reports.
#include <winnow/eval_tracking.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays/number_arrays.h"
#include "arrays/records.h"
#include "constructor.h"
#include "typed.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
namespace {

template <std::size_t count>
DoubleArray curve_of(const std::array<double, count>& curve) {
  return {owned_numbers(std::vector<double>(curve.begin(), curve.end()), {count})};
}

void bind_figures(nb::module_& module) {
  nb::class_<TrackingFigures>(module, "TrackingFigures",
                              "Figures of a tracker on one sequence, or means of several. A figure is NaN if "
                              "no frame counts for it.")
      .def_prop_ro(
          "success", [](const TrackingFigures& figures) { return curve_of(figures.success); },
          "For each of the overlaps 0, 0.05, ... 1: the share of frames with the object that exceed it.")
      .def_ro("auc", &TrackingFigures::auc, "The mean of `success`.")
      .def_prop_ro(
          "within", [](const TrackingFigures& figures) { return curve_of(figures.within); },
          "For 0 to 50 pixels: the share of frames with the object in which the middles are at most that "
          "far\napart.")
      .def_ro("precision", &TrackingFigures::precision, "The share of boxes that are right.")
      .def_ro("recall", &TrackingFigures::recall, "The share of frames with the object whose box is right.")
      .def_ro("f", &TrackingFigures::f, "The harmonic mean of precision and recall.")
      .def_ro("lost_absent", &TrackingFigures::lost_absent,
              "The share of frames without the object in which the tracker gave no box.")
      .def_ro("lost_present", &TrackingFigures::lost_present,
              "The share of frames with the object in which the tracker gave no box.")
      .def("__repr__", [](const TrackingFigures& figures) {
        return nb::str("TrackingFigures(AUC {:.3f}, {:.3f} within 20 pixels, F {:.3f})")
            .format(figures.auc, figures.within[kReportedPixels], figures.f);
      });
  nb::class_<TrackingReliability>(
      module, "TrackingReliability",
      "The confidence that a tracker states for boxes, beside the share that is right.")
      .def_prop_ro(
          "bins",
          [](nb::handle self) {
            static const nb::handle type = record_type({{"boxes", "i8", offsetof(TrackingBin, boxes)},
                                                        {"stated", "f8", offsetof(TrackingBin, stated)},
                                                        {"right", "f8", offsetof(TrackingBin, right)},
                                                        {"distance", "f8", offsetof(TrackingBin, distance)}},
                                                       sizeof(TrackingBin))
                                               .release();
            return RecordArray{records(
                std::span<const TrackingBin>(nb::cast<const TrackingReliability&>(self).bins), type, self)};
          },
          "For each tenth of the confidence: boxes, stated (the mean), right (the share of right boxes),\n"
          "distance (the mean distance of boxes in frames with the object).")
      .def_prop_ro("boxes", &TrackingReliability::boxes, "The number of boxes in all bins.")
      .def_prop_ro("difference", &TrackingReliability::difference,
                   "The mean of |stated - right| over all boxes.")
      .def("__repr__", [](const TrackingReliability& self) {
        const std::int64_t boxes = self.boxes();
        return nb::str("TrackingReliability({} {}, difference {:.4f})")
            .format(boxes, boxes == 1 ? "box" : "boxes", self.difference());
      });
}

void bind_evaluation(nb::module_& module) {
  nb::class_<TrackingEvaluation>(module, "TrackingEvaluation",
                                 "The comparison of a tracker's boxes with marked boxes; see "
                                 "`evaluate_tracking`.")
      .def_ro("present", &TrackingEvaluation::present, "The number of judged frames with the object.")
      .def_ro("absent", &TrackingEvaluation::absent, "The number of judged frames without the object.")
      .def_ro("boxes", &TrackingEvaluation::boxes, "The number of boxes in judged frames.")
      .def_ro("right", &TrackingEvaluation::right, "The number of boxes that are right.")
      .def_prop_ro(
          "overlap", [](const TrackingEvaluation& judged) { return judged.rule.overlap; },
          "A box is right if its overlap is at least this.")
      .def_prop_ro(
          "frames",
          [](nb::handle self) {
            static const nb::handle type =
                record_type({{"present", "?", offsetof(JudgedFrame, present)},
                             {"found", "?", offsetof(JudgedFrame, found)},
                             {"overlap", "f8", offsetof(JudgedFrame, overlap)},
                             {"distance", "f8", offsetof(JudgedFrame, distance)},
                             {"confidence", "f8", offsetof(JudgedFrame, confidence)}},
                            sizeof(JudgedFrame))
                    .release();
            return RecordArray{records(
                std::span<const JudgedFrame>(nb::cast<const TrackingEvaluation&>(self).frames), type, self)};
          },
          "For each frame behind the first: present, found, overlap, distance, confidence.")
      .def_prop_ro("figures", [](const TrackingEvaluation& judged) { return judged.figures; })
      .def_prop_ro(
          "reliability", [](const TrackingEvaluation& judged) { return judged.reliability; },
          "The tracker's `TrackingReliability`; None if no box has a confidence.")
      .def("__repr__", [](const TrackingEvaluation& judged) {
        return nb::str("TrackingEvaluation({}, {} of {} boxes right)")
            .format(counted(judged.frames.size(), "frame"), judged.right, judged.boxes);
      });
  module.def(
      "evaluate_tracking",
      [](const BoxTrack& truth, const BoxTrack& result, double overlap) {
        return evaluate_tracking(truth, result, {overlap});
      },
      nb::arg("truth"), nb::arg("result"), nb::kw_only(), nb::arg("overlap") = TrackingRule{}.overlap,
      nb::call_guard<nb::gil_scoped_release>(),
      "Compares a tracker's boxes with marked boxes, frame by frame. The first frame is not judged.\n\n"
      "overlap: a box is right if its intersection over union with the object is at least this.\n\n"
      ">>> truth = winnow.read_box_track('gt.txt', format='tld')\n"
      ">>> result = winnow.BoxTrack([(10, 10, 40, 40), (12, 10, 40, 40), (np.nan,) * 4])\n"
      ">>> winnow.evaluate_tracking(truth, result)\n"
      "TrackingEvaluation(2 frames, 1 of 1 boxes right)");
  module.def(
      "mean_figures",
      [](const std::vector<TrackingEvaluation>& sequences) { return mean_figures(sequences); },
      nb::arg("sequences"),
      "The mean of each figure over the sequences that have it.\n\n"
      ">>> truth = winnow.read_box_track('gt.txt', format='tld')\n"
      ">>> winnow.mean_figures([winnow.evaluate_tracking(truth, truth)])\n"
      "TrackingFigures(AUC 0.952, 1.000 within 20 pixels, F 1.000)");
  module.def(
      "joined_reliability",
      [](const std::vector<TrackingEvaluation>& sequences) { return joined_reliability(sequences); },
      nb::arg("sequences"),
      "The reliability of the boxes of all sequences together; None if no box has a confidence.\n\n"
      ">>> truth = winnow.read_box_track('gt.txt', format='tld')\n"
      ">>> sure = winnow.BoxTrack(truth.boxes, confidence=[1, 0.5, 0.5])\n"
      ">>> winnow.joined_reliability([winnow.evaluate_tracking(truth, sure)])\n"
      "TrackingReliability(1 box, difference 0.5000)");
}

void bind_report(nb::module_& module) {
  nb::class_<MarkedSequence> shown_sequence(
      module, "MarkedSequence",
      "A sequence on which a report compares trackers.\n\n"
      ">>> winnow.MarkedSequence('car', winnow.read_box_track('gt.txt', format='tld'))\n"
      "MarkedSequence(car, 3 frames)");
  def_constructor(
      shown_sequence,
      +[](MarkedSequence* self, std::string name, BoxTrack truth, Path file) {
        new (self) MarkedSequence{std::move(name), std::move(file.text), std::move(truth)};
      },
      nb::arg("name"), nb::arg("truth"), nb::kw_only(), nb::arg("file") = Path{});
  shown_sequence.def_prop_ro("name", [](const MarkedSequence& sequence) { return text_of(sequence.name); })
      .def_prop_ro("truth", [](const MarkedSequence& sequence) { return sequence.truth; })
      .def("__repr__", [](const MarkedSequence& sequence) {
        return text_of("MarkedSequence(" + sequence.name + ", " +
                       counted(sequence.truth.frames.size(), "frame") + ")");
      });
  nb::class_<EvaluatedTracker> shown_tracker(
      module, "EvaluatedTracker",
      "One of the trackers that a report compares: its evaluation on each sequence of the report.\n\n"
      ">>> truth = winnow.read_box_track('gt.txt', format='tld')\n"
      ">>> winnow.EvaluatedTracker('mine', [winnow.evaluate_tracking(truth, truth)])\n"
      "EvaluatedTracker(mine, 1 sequence)");
  def_constructor(
      shown_tracker,
      +[](EvaluatedTracker* self, std::string name, std::vector<TrackingEvaluation> sequences,
          std::vector<Path> files) {
        EvaluatedTracker tracker{std::move(name), {}, std::move(sequences)};
        for (Path& file : files) tracker.files.push_back(std::move(file.text));
        new (self) EvaluatedTracker(std::move(tracker));
      },
      nb::arg("name"), nb::arg("sequences"), nb::kw_only(), nb::arg("files") = nb::list());
  shown_tracker.def_prop_ro("name", [](const EvaluatedTracker& tracker) { return text_of(tracker.name); })
      .def_prop_ro("sequences", [](const EvaluatedTracker& tracker) { return tracker.sequences; })
      .def("__repr__", [](const EvaluatedTracker& tracker) {
        return text_of("EvaluatedTracker(" + tracker.name + ", " +
                       counted(tracker.sequences.size(), "sequence") + ")");
      });
  nb::class_<TrackingReport> shown(
      module, "TrackingReport",
      "A comparison of trackers on marked sequences, for `write_tracking_eval`.\n\n"
      ">>> truth = winnow.read_box_track('gt.txt', format='tld')\n"
      ">>> tracker = winnow.EvaluatedTracker('mine', [winnow.evaluate_tracking(truth, truth)])\n"
      ">>> report = winnow.TrackingReport([winnow.MarkedSequence('car', truth)], [tracker])\n"
      ">>> [os.path.basename(path) for path in winnow.write_tracking_eval(report, 'report')]\n"
      "['eval.json', 'frames.csv', 'index.html']");
  def_constructor(
      shown,
      +[](TrackingReport* self, std::vector<MarkedSequence> sequences, std::vector<EvaluatedTracker> trackers,
          std::optional<std::string> title) {
        TrackingReport report;
        if (title) report.title = std::move(*title);
        report.sequences = std::move(sequences);
        report.trackers = std::move(trackers);
        new (self) TrackingReport(std::move(report));
      },
      nb::arg("sequences"), nb::arg("trackers"), nb::kw_only(), nb::arg("title") = nb::none());
  shown
      .def(
          "json", [](const TrackingReport& report) { return text_of(tracking_eval_json(report)); },
          "The figures as JSON.\n\n"
          ">>> import json\n"
          ">>> list(json.loads(winnow.TrackingReport([], []).json()))[0]\n"
          "'title'")
      .def(
          "csv", [](const TrackingReport& report) { return text_of(tracking_eval_csv(report)); },
          "A line for each judged frame of each tracker and sequence, as CSV.\n\n"
          ">>> winnow.TrackingReport([], []).csv().startswith('tracker,')\n"
          "True")
      .def(
          "page", [](const TrackingReport& report) { return text_of(tracking_eval_page(report)); },
          "One self-contained page of HTML.\n\n"
          ">>> '<html' in winnow.TrackingReport([], []).page()\n"
          "True");
  module.def(
      "write_tracking_eval",
      [](const TrackingReport& report, const Path& folder) {
        {
          const nb::gil_scoped_release free;
          write_tracking_eval(report, folder.text);
        }
        std::vector<Path> files;
        for (std::string& file : tracking_eval_files(folder.text)) files.push_back({std::move(file)});
        return files;
      },
      nb::arg("report"), nb::arg("folder"),
      "Writes eval.json, frames.csv and index.html. Gives their paths.\n\n"
      ">>> len(winnow.write_tracking_eval(winnow.TrackingReport([], []), 'empty'))\n"
      "3");
}

}  // namespace

void bind_eval_tracking(nb::module_& module) {
  bind_figures(module);
  bind_evaluation(module);
  bind_report(module);
}

}  // namespace winnow::python
