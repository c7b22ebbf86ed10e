// winnow_witness: runs the same pictures through OpenCV's cascade detector and Winnow's.
// Every box, count and score must be equal. The last line is "N passed, N failed". The exit status is 1 on
// any difference, and 2 for bad usage.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <opencv2/core/version.hpp>
#include <thread>

#include "crash_note.h"
#include "judge.h"
#include "report.h"
#include "stopwatch.h"
#include "synthetic.h"

namespace {

using namespace witness;

using MakeJudge = std::unique_ptr<Judge> (*)(const ModelFile&, const Settings&);

std::string default_data() {
  const char* set = std::getenv("WINNOW_DATA");
  return set != nullptr ? set : WINNOW_SOURCE_DIR "/../shared/data";
}

// Reads "model,picture,seed". Only the picture's name may have commas.
CaseId parse_only(const std::string& text) {
  const std::size_t first = text.find(','), last = text.rfind(',');
  if (first == std::string::npos || first == last)
    throw CLI::ValidationError("--only", "is MODEL,PICTURE,SEED");
  CaseId id{text.substr(0, first), text.substr(first + 1, last - first - 1), 0};
  if (!CLI::detail::lexical_cast(text.substr(last + 1), id.seed))
    throw CLI::ValidationError("--only", "ends in a seed, which is a number");
  return id;
}

std::vector<std::string> picture_names(const Settings& settings, const Pictures& pictures) {
  std::vector<std::string> names = synthetic_names(settings.subset);
  if (!pictures.has_data()) {
    std::printf("skipped: the pictures of %s, which is not there (WINNOW_DATA or --data names it)\n",
                pictures.folder().c_str());
    return names;
  }
  const std::vector<std::string> files = pictures.choose(settings.pictures);
  names.insert(names.end(), files.begin(), files.end());
  if (!settings.subset && !files.empty())
    for (const std::string& name : {std::string("photos/bald_guys.jpg"), files.front()})
      if (std::filesystem::exists(pictures.folder() + "/" + name)) names.push_back("tiled/" + name);
  return names;
}

int list_files(const Settings& settings) {
  const Pictures pictures(settings.data, settings.seed);
  if (!pictures.has_data()) throw std::runtime_error("there is no data folder " + pictures.folder());
  for (const std::string& name : picture_names(settings, pictures))
    if (!name.starts_with("synthetic/")) std::printf("%s\n", name.c_str());
  return 0;
}

// Made models get this fraction of the budget, and one picture in `kMadeEvery`: many of their windows are
// candidates.
constexpr double kMadeBudgetFraction = 0.15;
constexpr std::size_t kMadeEvery = 4;

void run_model(const std::string& model_name, const std::vector<std::string>& names, std::uint64_t seed,
               double budget, double seconds, const Settings& settings, MakeJudge make_judge,
               Pictures& pictures, Report& report) {
  std::unique_ptr<Judge> judge;
  const Stopwatch watch;
  try {
    const ModelFile model = find_model(model_name);
    if (model.made) budget *= kMadeBudgetFraction;
    judge = make_judge(model, settings);
  } catch (const std::exception& error) {
    report.open_model(model_name, "");
    report.add_error({model_name, "", seed}, error.what());
    report.close_model();
    return;
  }
  report.open_model(model_name, judge->note());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (seconds > 0 && watch.seconds() > seconds) {
      report.not_run(static_cast<long>(names.size() - i));
      break;
    }
    const CaseId id{model_name, names[i], seed};
    set_crash_note(report.again(id));
    try {
      const SharedGray picture = pictures.get(names[i], judge->window());
      const Case c = draw_case(id, judge->window(), picture->size(), budget);
      report.add(c, judge->judge(c, prepare(c, picture)));
    } catch (const std::exception& error) {
      report.add_error(id, error.what());
    }
  }
  report.close_model();
}

struct Share {
  std::size_t first = 1, step = 1;
};

Share parse_share(const std::string& text) {
  Share share;
  char rest;
  if (std::sscanf(text.c_str(), "%zu/%zu%c", &share.first, &share.step, &rest) != 2 || share.first < 1 ||
      share.first > share.step)
    throw CLI::ValidationError("--part", "takes I/N with 1 <= I <= N, not " + text);
  return share;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  settings.data = default_data();
  bool self = false, state = false, steps = false, people = false, list = false, no_made = false;
  std::string only, json, share = "1/1";
  CLI::App app(
      "Compares Winnow with OpenCV's cv::CascadeClassifier: raw candidates, groups, neighbours and scores.\n"
      "Example: winnow_witness --models 'haarcascade_frontalface_*' --pictures 50");
  app.add_flag("--subset", settings.subset, "few and small pictures: about a minute");
  app.add_option("--models", settings.models, "names (or, with a '/', paths) of cascades, with * and ?");
  CLI::Option* pictures_given =
      app.add_option("--pictures", settings.pictures, "how many files of the data folder");
  app.add_option("--data", settings.data,
                 "the data folder, default WINNOW_DATA or ../shared/data beside the source");
  app.add_option("--backend", settings.backend, "reference, cpu or auto");
  app.add_option("--simd", settings.simd, "SIMD target of the cpu backend");
  CLI::Option* threads_given =
      app.add_option("--threads", settings.threads, "threads; with --self up to so many");
  app.add_option("--seed", settings.seed, "other pictures and parameters");
  app.add_option("--jobs-limit", settings.limit_seconds, "seconds, shared out evenly among the models");
  app.add_option("--json", json, "write the report there too");
  app.add_flag("--no-made", no_made, "without cascades that the program makes: cut, random, old format");
  app.add_option("--part", share,
                 "I/N: every N-th model from the I-th on, to share the work among processes");
  app.add_option("--only", only, "MODEL,PICTURE,SEED: this one case");
  CLI::Option* modes[] = {
      app.add_flag("--self", self, "reference against cpu instead: SIMD targets, threads, batches, counters"),
      app.add_flag("--state", state, "OpenCV against itself instead: a used classifier and a fresh one"),
      app.add_flag("--steps", steps, "single steps instead: grey, JPEG, grouping"),
      app.add_flag("--people", people, "a HOG SVM instead: every window and the groups of 100 pictures"),
      app.add_flag("--list", list,
                   "print the pictures that are files instead: their paths in the data folder")};
  for (CLI::Option* a : modes)
    for (CLI::Option* b : modes)
      if (a != b) a->excludes(b);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (settings.subset && !*pictures_given) settings.pictures = 40;
  if (self && !*threads_given)
    settings.threads = std::max(4, static_cast<int>(std::thread::hardware_concurrency()));
  // The most windows of a usual case. OpenCV takes about a third of a microsecond for each window.
  const double budget = settings.subset ? 30e3 : 150e3;
  try {
    if (list) return list_files(settings);
    install_crash_note();
    const auto [first, step] = parse_share(share);
    const Stopwatch watch;
    std::printf("Winnow %s, OpenCV %s, seed %llu, data %s\n", winnow::version(), CV_VERSION,
                static_cast<unsigned long long>(settings.seed), settings.data.c_str());
    if (steps || people) {
      const StepCounts counts = people ? run_people(settings) : run_steps(settings);
      std::printf("%ld passed, %ld failed\n", counts.passed, counts.failed);
      return counts.failed > 0 ? 1 : 0;
    }
    if (!settings.simd.empty()) winnow::force_simd_target(settings.simd);
    if (settings.backend == "auto" && !self && !state) {
      for (const winnow::BackendInfo& info : winnow::list_backends())
        if (info.kind == winnow::BackendKind::kCpu && info.available) settings.backend = "cpu";
      std::printf("backend auto: %s\n", settings.backend.c_str());
    }
    const MakeJudge make_judge = self ? make_self_judge : state ? make_state_judge : make_opencv_judge;
    Report report("winnow_witness", self ? "--self " : state ? "--state " : "", settings);
    if (!only.empty()) {
      const CaseId id = parse_only(only);
      Pictures pictures(settings.data, id.seed);
      run_model(id.model, {id.picture}, id.seed, budget, 0, settings, make_judge, pictures, report);
      return report.finish(json, watch.seconds());
    }
    const std::vector<ModelFile> files = list_models(settings.models);
    if (files.empty()) throw std::runtime_error("no cascade is called " + settings.models);
    std::vector<std::string> models;
    for (const ModelFile& file : files) models.push_back(file.name);
    if (!no_made) {
      const std::vector<std::string> made = made_models(files, settings.subset, settings.seed);
      models.insert(models.end(), made.begin(), made.end());
    }
    Pictures pictures(settings.data, settings.seed);
    const std::vector<std::string> names = picture_names(settings, pictures);
    std::printf("%zu models of files and %zu made ones, %zu pictures\n", files.size(),
                models.size() - files.size(), names.size());
    for (std::size_t i = first - 1; i < models.size(); i += step) {
      std::vector<std::string> mine = names;
      if (i >= files.size()) {
        mine.clear();
        const std::size_t every = models[i].starts_with("ties/") ? 8 * kMadeEvery : kMadeEvery;
        for (std::size_t n = 0; n < names.size(); ++n)
          if (n % every == i % every || names[n] == "synthetic/ties") mine.push_back(names[n]);
      }
      const double left = settings.limit_seconds - watch.seconds();
      const double to_come = std::ceil(static_cast<double>(models.size() - i) / static_cast<double>(step));
      const double model_seconds = settings.limit_seconds > 0 ? std::max(0.001, left / to_come) : 0;
      run_model(models[i], mine, settings.seed, budget, model_seconds, settings, make_judge, pictures,
                report);
    }
    return report.finish(json, watch.seconds());
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_witness: %s\n", error.what());
    return 1;
  }
}
