#include "evaluation/eval_run.h"

#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/image.h>
#include <winnow/pack.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "evaluation/eval_pictures.h"
#include "evaluation/eval_summary.h"
#include "search_arguments.h"
#include "terminal/arguments.h"
#include "terminal/outputs.h"
#include "terminal/standard_output.h"
#include "terminal/stop.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "training/picture_lists.h"

namespace winnow::cli {
namespace {

namespace fs = std::filesystem;

std::string size_words(Size size) { return fmt::format("{}x{}", size.width, size.height); }

class EvalRun {
 public:
  explicit EvalRun(const EvalJob& job) : job_(job) {
    load_models();
    read_truths();
    add_negatives();
    // If the rule does not fit the labels, this trial evaluation throws before the search, not after it.
    if (!job.truth.empty())
      evaluate(report_.pictures, std::vector<std::vector<Detection>>(report_.pictures.size()), job.rule);
    const std::string encoded =
        job.encode > 0 ? fmt::format(", encoded again with quality {}", job.encode) : "";
    crops_ = window_pictures(job.windows_positive, " (windows of the object" + encoded + ")");
    backgrounds_ = window_pictures(job.windows_negative, " (windows without)");
    if (!crops_.empty()) check_shapes();
    check_outputs();
  }

  int run() {
    reader_.start(report_.pictures.size() + crops_.size() + backgrounds_.size(), "object", job_.quiet);
    for (const std::string& problem : problems_) reader_.report(problem);
    search_pictures();
    search_windows();
    reader_.finish();
    if (stop_requested()) return stop_exit_code();
    if (!job_.truth.empty()) {
      for (std::size_t m = 0; m < report_.models.size(); ++m)
        report_.models[m].pictures = evaluate(report_.pictures, found_[m], rule_of(m));
    }
    write_eval(report_, job_.out);
    if (!job_.fddb.empty()) write_fddb();
    print(job_.json ? eval_summary_json(report_, job_.out) : eval_summary_text(report_, job_.out));
    return reader_.problems() > 0 ? kExitProblem : kExitDone;
  }

 private:
  // A file that cannot be written is reported before the search, not after it.
  void check_outputs() const {
    check_folder(job_.out, eval_files(job_.out));
    for (const std::string& file : eval_files(job_.out)) {
      require(job_.fddb.empty() || !same_place(file, job_.fddb),
              "--fddb must be another file than those of --out: " + job_.fddb);
    }
    if (job_.fddb.empty()) return;
    for (const auto* inputs : {&job_.models, &job_.truth, &job_.negatives}) {
      for (const std::string& input : *inputs)
        require(!same_place(input, job_.fddb), "--fddb would write over what is judged by: " + job_.fddb);
    }
    check_writable(job_.fddb, false);
  }

  void load_models() {
    report_.rule = job_.rule;
    if (!job_.title.empty()) report_.title = job_.title;
    std::set<std::string> names;
    for (const std::string& file : job_.models) {
      detectors_.emplace_back(DetectorModel::load(file), job_.detector);
      EvaluatedModel model;
      model.name = unique_name(names, model_name(detectors_.back().model().card(), file));
      model.file = file;
      model.backend = backend_name(detectors_.back().backend());
      model.kind = detectors_.back().model().kind();
      report_.models.push_back(std::move(model));
    }
    found_.resize(detectors_.size());
    choose_strides();
  }

  // If any model's step can be chosen (`has_step`), --stride holds for such models only. The other models
  // keep their own steps.
  void choose_strides() {
    const bool any = std::any_of(detectors_.begin(), detectors_.end(),
                                 [](const Detector& detector) { return has_step(detector.model()); });
    for (std::size_t m = 0; m < detectors_.size(); ++m) {
      options_.push_back(job_.options);
      if (any && !has_step(detectors_[m].model())) options_.back().step = {};
      const DetectorModel& model = detectors_[m].model();
      check_windows(model, report_.models[m].name, options_.back());
      options_.back() = complete_options(options_.back(), model.search_defaults());
      report_.models[m].detect = options_.back();
      report_.models[m].place = rule_of(m).place;
    }
  }

  EvalRule rule_of(std::size_t m) const {
    EvalRule rule = job_.rule;
    if (job_.own_place) rule.place = detectors_[m].model().card().place.value_or(ObjectPlace{});
    return rule;
  }

  void read_truths() {
    for (std::size_t i = 0; i < job_.truth.size(); ++i) {
      Truth truth = read_truth(job_.truth[i], job_.truth_options[i]);
      require(job_.rule.match != MatchKind::kIou || truth.format != TruthFormat::kPoints,
              job_.truth[i] + " holds points, not boxes: --match points judges by them");
      report_.truth.push_back(truth_words(job_.truth[i], truth));
      check_places(truth, places_);
      for (const std::string& note : truth.notes) say(printable(job_.truth[i] + ": " + note));
      for (LabelledPicture& picture : truth.pictures) report_.pictures.push_back(std::move(picture));
    }
    const bool any = std::any_of(report_.pictures.begin(), report_.pictures.end(), [](const auto& picture) {
      return std::any_of(picture.labels.begin(), picture.labels.end(),
                         [](const Label& label) { return !label.ignore; });
    });
    require(any || job_.truth.empty(), "the truth names no object that could be found");
  }

  void add_negatives() {
    std::vector<std::string> paths;
    for (const std::string& name : job_.negatives) {
      std::error_code ignored;
      const std::string ending = fs::path(name).extension().string();
      const bool folder = fs::is_directory(name, ignored) || ending == ".yaml" || ending == ".yml";
      const std::vector<std::string> more =
          folder ? pictures_without_objects(name, [](const std::string& note) { say(printable(note)); })
                 : pictures_of({name});
      require(!folder || !more.empty(), "there is no picture in " + name);
      paths.insert(paths.end(), more.begin(), more.end());
    }
    for (const std::string& path : paths) {
      if (!places_.insert(real_place(path)).second) continue;
      report_.pictures.push_back({path, fs::path(path).filename().string(), {}});
    }
    for (const std::string& name : job_.negatives) report_.truth.push_back(name + " (without objects)");
  }

  // Refuses models whose windows differ in shape, because no crop fits all of them.
  void check_shapes() const {
    int height = 0;
    for (const Detector& detector : detectors_) height = std::max(height, detector.model().window().height);
    // A crop's width is `ratio` times its height. One pixel more or less changes this ratio by up to `slack`.
    const auto ratio = [](Size window) { return static_cast<double>(window.width) / window.height; };
    const auto slack = [&](Size window) { return std::max(1., ratio(window)) / height; };
    const Size first = detectors_.front().model().window();
    for (std::size_t m = 1; m < detectors_.size(); ++m) {
      const Size window = detectors_[m].model().window();
      require(std::abs(ratio(first) - ratio(window)) <= slack(first) + slack(window),
              fmt::format("no crop fits both {} ({}) and {} ({}): judge their windows in two calls",
                          report_.models.front().name, size_words(first), report_.models[m].name,
                          size_words(window)));
    }
  }

  std::vector<std::string> window_pictures(const std::vector<std::string>& names, const std::string& what) {
    for (const std::string& name : names) report_.truth.push_back(name + what);
    return pictures_of(names);
  }

  // Lists the pictures that the names mean. Problems are kept, and are reported once the progress line
  // exists.
  std::vector<std::string> pictures_of(const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) {
      const PictureList list = list_pictures(name);
      require(!list.paths.empty() || !list.problems.empty(), "there is no picture in " + name);
      paths.insert(paths.end(), list.paths.begin(), list.paths.end());
      problems_.insert(problems_.end(), list.problems.begin(), list.problems.end());
    }
    return paths;
  }

  // Whether a model reads colours.
  bool reads_color() const {
    return !job_.options.gray &&
           std::any_of(detectors_.begin(), detectors_.end(),
                       [](const Detector& detector) { return detector.model().reads_color(); });
  }

  void search_pictures() {
    std::vector<LabelledPicture> kept;
    std::vector<Detections> answers(detectors_.size());
    std::vector<double> seconds(detectors_.size());
    const auto work = [&](const PictureView& picture) {
      std::size_t objects = 0;
      for (std::size_t m = 0; m < detectors_.size(); ++m) {
        const auto start = std::chrono::steady_clock::now();
        detectors_[m].detect(picture, options_[m], answers[m]);
        seconds[m] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        objects += answers[m].objects.size();
      }
      return objects;
    };
    const auto keep = [&](std::size_t index, bool searched) {
      if (!searched) {
        ++report_.unread;
        return;
      }
      for (std::size_t m = 0; m < detectors_.size(); ++m) {
        report_.models[m].seconds += seconds[m];
        report_.models[m].windows_searched += answers[m].counters.windows;
        found_[m].push_back(answers[m].objects);
      }
      kept.push_back(std::move(report_.pictures[index]));
    };
    if (reader_.each(paths_of(report_.pictures), work, keep, reads_color()))
      report_.pictures = std::move(kept);
  }

  struct WindowScores {
    std::vector<double> positives, negatives;
    std::int64_t count = 0, windows = 0;
  };

  void search_windows() {
    if (crops_.empty() && backgrounds_.empty()) return;
    std::vector<WindowScores> scores(detectors_.size());
    std::vector<std::optional<double>> crop_scores(detectors_.size());
    const auto score = [&](const PictureView& picture) {
      Picture again;
      // A crop is always encoded with its colours, so that a model's figures do not depend on the other
      // models.
      if (job_.encode > 0) again = encode_again(picture, job_.encode);
      const PictureView crop = job_.encode > 0 ? again.view() : picture;
      for (std::size_t m = 0; m < detectors_.size(); ++m)
        crop_scores[m] = window_score(detectors_[m], crop, options_[m]);
      return std::size_t{0};
    };
    const auto add_score = [&](std::size_t, bool judged) {
      report_.unjudged += judged ? 0 : 1;
      for (std::size_t m = 0; judged && m < detectors_.size(); ++m) {
        ++scores[m].count;
        if (crop_scores[m]) scores[m].positives.push_back(*crop_scores[m]);
      }
    };
    if (!reader_.each(crops_, score, add_score, reads_color() || job_.encode > 0)) return;
    std::vector<DetectOptions> raw = options_;
    for (DetectOptions& options : raw) {
      options.raw = true;
      options.enlarge = 1;
      options.border = 0;  // counts windows of the pictures alone, not of their mirrored borders
    }
    std::vector<Detections> answers(detectors_.size());
    const auto alarm = [&](const PictureView& picture) {
      std::size_t objects = 0;
      for (std::size_t m = 0; m < detectors_.size(); ++m) {
        detectors_[m].detect(picture, raw[m], answers[m]);
        objects += answers[m].objects.size();
      }
      return objects;
    };
    const auto add_alarms = [&](std::size_t, bool judged) {
      report_.unjudged += judged ? 0 : 1;
      for (std::size_t m = 0; judged && m < detectors_.size(); ++m) {
        scores[m].windows += answers[m].counters.windows;
        for (const Detection& each : answers[m].objects) scores[m].negatives.push_back(each.score);
      }
    };
    if (!reader_.each(backgrounds_, alarm, add_alarms, reads_color())) return;
    for (std::size_t m = 0; m < detectors_.size(); ++m) {
      const WindowScores& s = scores[m];
      report_.models[m].windows = evaluate_windows(s.positives, s.count, s.negatives, s.windows);
    }
  }

  void write_fddb() const { write_text(job_.fddb, fddb_text(report_.pictures, found_.front())); }

  const EvalJob& job_;
  std::vector<Detector> detectors_;
  std::vector<DetectOptions> options_;  // for each model
  EvalReport report_;
  std::set<std::string> places_;  // the pictures' files, by `real_place`
  std::vector<std::string> crops_, backgrounds_, problems_;
  std::vector<std::vector<std::vector<Detection>>> found_;  // for each model, for each picture
  EvalPictures reader_;
};

}  // namespace

int run_eval(const EvalJob& job) {
  watch_for_stop();
  return EvalRun(job).run();
}

}  // namespace winnow::cli
