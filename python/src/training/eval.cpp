// Binds evaluations, their rules and their reports.
#include <winnow/eval.h>

#include <winnow/error.h>

#include "arrays/records.h"
#include "constructor.h"
#include "detecting/detection.h"
#include "detecting/shared_detector.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

std::vector<std::vector<Detection>> parse_found(nb::handle lists) {
  std::vector<std::vector<Detection>> found;
  for (const nb::handle one : lists) found.push_back(parse_detections(one));
  return found;
}

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRight:
      return "right";
    case Verdict::kWrong:
      return "wrong";
    case Verdict::kIgnored:
      return "ignored";
  }
  return "unknown";
}

EvalRule make_rule(const MatchWord& match_word, double iou, std::vector<int> hold, double at_most,
                   std::tuple<int, int, int> span, const RankWord& rank_word, double margin, double aspect) {
  const std::string &match = match_word.text, &rank_by = rank_word.text;
  if (match != "iou" && match != "points")
    throw Error(ErrorCode::kUsage, "match is 'iou' or 'points', not '" + match + "'");
  if (rank_by != "score" && rank_by != "neighbors")
    throw Error(ErrorCode::kUsage, "rank_by is 'score' or 'neighbors', not '" + rank_by + "'");
  EvalRule rule{match == "iou" ? MatchKind::kIou : MatchKind::kPoints,
                iou,
                std::move(hold),
                at_most,
                {std::get<0>(span), std::get<1>(span), std::get<2>(span)},
                rank_by == "score" ? RankBy::kScore : RankBy::kNeighbors,
                {margin, aspect}};
  check_rule(rule);
  return rule;
}

}  // namespace

void bind_eval(nb::module_& module) {
  const EvalRule usual;
  nb::class_<EvalRule> shown_rule(
      module, "EvalRule",
      "When a detection is right: by overlap with a label ('iou'), or by the label's 'points'.\n\n"
      ">>> winnow.EvalRule(iou=0.4).iou\n"
      "0.4");
  def_constructor(
      shown_rule,
      +[](EvalRule* self, const MatchWord& match, double iou, std::vector<int> hold, double at_most,
          std::tuple<int, int, int> span, const RankWord& rank_by, double margin, double aspect) {
        new (self) EvalRule(make_rule(match, iou, std::move(hold), at_most, span, rank_by, margin, aspect));
      },
      nb::kw_only(), nb::arg("match") = "iou", nb::arg("iou") = usual.iou,
      nb::arg("hold") = nb::make_tuple(0, 1, 2, 4), nb::arg("at_most") = usual.at_most,
      nb::arg("span") = nb::make_tuple(0, 1, 4), nb::arg("rank_by") = "score", nb::arg("margin") = 0.0,
      nb::arg("aspect") = 0.0);
  shown_rule.def_ro("iou", &EvalRule::iou)
      .def_prop_ro(
          "margin", [](const EvalRule& rule) { return rule.place.margin; },
          "The background that is cut off each side of a box, as a fraction of the side.")
      .def_prop_ro(
          "aspect", [](const EvalRule& rule) { return rule.place.aspect; },
          "Boxes and labels get this width for a height of 1; 0 leaves their widths as they are.")
      .def_ro("hold", &EvalRule::hold, "The numbers of the label's points that must lie in the box.")
      .def_ro(
          "at_most", &EvalRule::at_most,
          "The longest side that the box may have, in spans of the label. The span is a distance between\n"
          "three of the label's points, which the argument `span` names.");

  nb::class_<JudgedDetection>(module, "JudgedDetection", "A detection and the verdict on it.")
      .def_ro("picture", &JudgedDetection::picture, "The picture's number.")
      .def_prop_ro("box", [](const JudgedDetection& judged) { return judged.detection.box; })
      .def_ro("rank", &JudgedDetection::rank)
      .def_prop_ro(
          "verdict", [](const JudgedDetection& judged) { return VerdictWord{verdict_name(judged.verdict)}; },
          "'right', 'wrong' or 'ignored'.")
      .def_ro("label", &JudgedDetection::label,
              "The label's number in its picture; None for a wrong detection.");
  nb::class_<Evaluation>(module, "Evaluation", "The comparison of detections with labels; see `evaluate`.")
      .def_ro("pictures", &Evaluation::pictures)
      .def_ro("labels", &Evaluation::labels)
      .def_ro("ignored_labels", &Evaluation::ignored_labels)
      .def_prop_ro(
          "judged", [](const Evaluation& e) { return e.judged; }, "The judged detections, the best first.")
      .def_prop_ro("found", &Evaluation::found,
                   "The number of labels that are found if all detections count.")
      .def_prop_ro("wrong", &Evaluation::wrong, "The number of false positives if all detections count.")
      .def_prop_ro(
          "curve",
          [](nb::handle self) {
            static const nb::handle type = record_type({{"rank", "f8", offsetof(CurvePoint, rank)},
                                                        {"found", "i8", offsetof(CurvePoint, found)},
                                                        {"wrong", "i8", offsetof(CurvePoint, wrong)}},
                                                       sizeof(CurvePoint))
                                               .release();
            return RecordArray{
                records(std::span<const CurvePoint>(nb::cast<const Evaluation&>(self).curve), type, self)};
          },
          "Labels found and false positives if all detections below a rank are dropped: rank, found, wrong.")
      .def("recall_at", &Evaluation::recall_at, nb::arg("wrong"),
           "The largest recall with at most this many false positives.\n\n"
           ">>> pictures = [winnow.LabelledPicture('a.jpg', [winnow.Label((0, 0, 9, 9))])]\n"
           ">>> winnow.evaluate(pictures, [[(0, 0, 9, 9)]]).recall_at(0)\n"
           "1.0")
      .def_prop_ro("average_precision", &Evaluation::average_precision)
      .def("miss_rate_at", &Evaluation::miss_rate_at, nb::arg("wrong_per_picture"),
           "The smallest miss rate with at most this many false positives per picture. It is 1 if the curve\n"
           "begins with more. Beyond the curve's end it is the miss rate at the end.\n\n"
           ">>> pictures = [winnow.LabelledPicture('a.jpg', [winnow.Label((0, 0, 9, 9))])]\n"
           ">>> judged = winnow.evaluate(pictures, [[(0, 0, 9, 9), (50, 0, 9, 9)]])\n"
           ">>> judged.miss_rate_at(0.1), judged.miss_rate_at(1)\n"
           "(1.0, 0.0)")
      .def_prop_ro("log_average_miss_rate", &Evaluation::log_average_miss_rate,
                   "The geometric mean of `miss_rate_at` at nine rates from 0.01 to 1 false positives per "
                   "picture, in even steps\n"
                   "of the exponent; each miss rate is at least 1e-10.")
      .def_prop_ro("ends_at", &Evaluation::ends_at,
                   "False positives per picture where the curve ends, so where every detection counts.")
      .def("__repr__", [](const Evaluation& e) {
        return "Evaluation(" + std::to_string(e.found()) + " of " + std::to_string(e.labels) + " labels, " +
               std::to_string(e.wrong()) + " wrong, " + std::to_string(e.pictures) + " pictures)";
      });
  module.def(
      "evaluate",
      [](const std::vector<LabelledPicture>& pictures, const ManyDetections& found, const EvalRule& rule) {
        const std::vector<std::vector<Detection>> lists = parse_found(found.object);
        const nb::gil_scoped_release free;
        return evaluate(pictures, lists, rule);
      },
      nb::arg("pictures"), nb::arg("found"), nb::arg("rule") = EvalRule(),
      "Compares found[i], `Detections` or their objects, with the labels of pictures[i].\n\n"
      ">>> pictures = winnow.read_truth('info.dat')\n"
      ">>> detector = winnow.Detector('face')\n"
      ">>> found = [detector.detect(winnow.read_picture(picture.path)) for picture in pictures]\n"
      ">>> winnow.evaluate(pictures, found)\n"
      "Evaluation(1 of 1 labels, 0 wrong, 1 pictures)");
  module.def(
      "fddb_text",
      [](const std::vector<LabelledPicture>& pictures, const ManyDetections& found) {
        return text_of(fddb_text(pictures, parse_found(found.object)));
      },
      nb::arg("pictures"), nb::arg("found"),
      "The detections in FDDB's form.\n\n"
      ">>> winnow.fddb_text([winnow.LabelledPicture('a.jpg')], [[(1, 2, 9, 9)]])\n"
      "'a.jpg\\n1\\n1 2 9 9 0\\n'");

  nb::class_<WindowEvaluation>(module, "WindowEvaluation",
                               "How single windows were judged; see `evaluate_windows`.")
      .def_ro("positives", &WindowEvaluation::positives)
      .def_ro("windows", &WindowEvaluation::windows)
      .def_prop_ro(
          "curve",
          [](nb::handle self) {
            static const nb::handle type = record_type({{"score", "f8", offsetof(WindowPoint, score)},
                                                        {"found", "i8", offsetof(WindowPoint, found)},
                                                        {"wrong", "i8", offsetof(WindowPoint, wrong)}},
                                                       sizeof(WindowPoint))
                                               .release();
            return RecordArray{records(
                std::span<const WindowPoint>(nb::cast<const WindowEvaluation&>(self).curve), type, self)};
          },
          "For each score, from the highest on, the crops found and the wrong windows with this score or\n"
          "more: score, found, wrong.")
      .def("miss_rate_at", &WindowEvaluation::miss_rate_at, nb::arg("wrong_per_window"),
           "The smallest miss rate with at most this many false positives per window.\n\n"
           ">>> winnow.evaluate_windows([3.0, 2.0], 2, [1.0], 1000).miss_rate_at(1e-4)\n"
           "0.0")
      .def_prop_ro("ends_at", &WindowEvaluation::ends_at,
                   "False positives per window where the curve ends, so where every window counts that\n"
                   "passed all stages.");
  module.def(
      "evaluate_windows",
      [](const std::vector<double>& positives, std::int64_t count, const std::vector<double>& negatives,
         std::int64_t windows) { return evaluate_windows(positives, count, negatives, windows); },
      nb::arg("positives"), nb::arg("count"), nb::arg("negatives"), nb::arg("windows"),
      "Draws the curve of crops with the object, and of windows without it. `positives` and `negatives`\n"
      "have the scores of those that passed all stages. `count` is the number of all crops, and\n"
      "`windows` that of all windows.\n\n"
      ">>> winnow.evaluate_windows([3.0, 2.0], 2, [2.5], 1000).curve['wrong'].tolist()\n"
      "[0, 1, 1]");
  module.def(
      "window_score",
      [](SharedDetector& detector, const AnyPicture& crop, const std::optional<ChannelsWord>& channels,
         std::optional<double> min_score) {
        PictureArgument argument(crop.object,
                                 {parse_channels(channels), detector.detector().model().reads_color()});
        if (argument.on_device()) throw Error(ErrorCode::kUsage, "a crop on a device cannot be judged");
        return detector.with_detector([&](Detector& own) {
          if (!min_score) return window_score(own, argument.host());
          DetectOptions options;
          options.min_score = *min_score;
          return window_score(own, argument.host(), options);
        });
      },
      nb::arg("detector"), nb::arg("crop"), nb::kw_only(), nb::arg("channels") = nb::none(),
      nb::arg("min_score") = nb::none(),
      "The score of a crop that is judged as one window. None if a stage rejects the crop, or a search\n"
      "with this `min_score` would drop it.\n\n"
      ">>> flat = np.zeros((24, 24), np.uint8)\n"
      ">>> winnow.window_score(winnow.Detector('face', backend='cpu'), flat) is None\n"
      "True");

  nb::class_<EvaluatedModel> shown_model(module, "EvaluatedModel",
                                         "One of the models that a report compares.");
  def_constructor(
      shown_model,
      +[](EvaluatedModel* self, std::string name, Path file, std::optional<Evaluation> pictures,
          std::optional<WindowEvaluation> windows, double seconds, std::int64_t windows_searched,
          std::string backend, std::string kind) {
        new (self)
            EvaluatedModel{std::move(name), std::move(file.text), std::move(pictures), std::move(windows),
                           seconds,         windows_searched,     std::move(backend),  std::move(kind)};
      },
      nb::arg("name"), nb::kw_only(), nb::arg("file") = Path{}, nb::arg("pictures") = nb::none(),
      nb::arg("windows") = nb::none(), nb::arg("seconds") = 0.0, nb::arg("windows_searched") = 0,
      nb::arg("backend") = "", nb::arg("kind") = "");
  shown_model.def_prop_ro("name", [](const EvaluatedModel& model) { return text_of(model.name); })
      .def_ro("seconds", &EvaluatedModel::seconds);
  nb::class_<EvalReport> shown_report(
      module, "EvalReport",
      "A comparison of models on labelled pictures, for `write_eval`.\n\n"
      ">>> pictures = winnow.read_truth('info.dat')\n"
      ">>> found = [winnow.Detector('face').detect(winnow.read_picture('photo.jpg'))]\n"
      ">>> model = winnow.EvaluatedModel('face', pictures=winnow.evaluate(pictures, found))\n"
      ">>> report = winnow.EvalReport(pictures, [model], title='My faces')\n"
      ">>> [os.path.basename(path) for path in winnow.write_eval(report, 'report')]\n"
      "['eval.json', 'curves.csv', 'index.html']");
  def_constructor(
      shown_report,
      +[](EvalReport* self, std::vector<LabelledPicture> pictures, std::vector<EvaluatedModel> models,
          std::optional<std::string> title, std::vector<Path> truth, const EvalRule& rule,
          std::int64_t unread) {
        EvalReport report;
        if (title) report.title = std::move(*title);
        for (Path& path : truth) report.truth.push_back(std::move(path.text));
        report.pictures = std::move(pictures);
        report.models = std::move(models);
        report.rule = rule;
        report.unread = unread;
        new (self) EvalReport(std::move(report));
      },
      nb::arg("pictures"), nb::arg("models"), nb::kw_only(), nb::arg("title") = nb::none(),
      nb::arg("truth") = nb::list(), nb::arg("rule") = EvalRule(), nb::arg("unread") = 0);
  shown_report
      .def(
          "json", [](const EvalReport& report) { return text_of(eval_json(report)); },
          "The figures as JSON.\n\n"
          ">>> import json\n"
          ">>> list(json.loads(winnow.EvalReport([], []).json()))[0]\n"
          "'title'")
      .def(
          "csv", [](const EvalReport& report) { return text_of(eval_csv(report)); },
          "The curves as CSV.\n\n"
          ">>> winnow.EvalReport([], []).csv().startswith('model,')\n"
          "True")
      .def(
          "page",
          [](const EvalReport& report) {
            std::string page;
            {
              const nb::gil_scoped_release free;
              page = eval_page(report);
            }
            return text_of(page);
          },
          "One self-contained page of HTML.\n\n"
          ">>> '<html' in winnow.EvalReport([], []).page()\n"
          "True");
  module.def(
      "write_eval",
      [](const EvalReport& report, const Path& folder) {
        {
          const nb::gil_scoped_release free;
          write_eval(report, folder.text);
        }
        std::vector<Path> files;
        for (std::string& file : eval_files(folder.text)) files.push_back({std::move(file)});
        return files;
      },
      nb::arg("report"), nb::arg("folder"),
      "Writes eval.json, curves.csv and index.html. Gives their paths.\n\n"
      ">>> len(winnow.write_eval(winnow.EvalReport([], []), 'empty'))\n"
      "3");
}

}  // namespace winnow::python
