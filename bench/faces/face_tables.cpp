// winnow_face_tables: makes tables of a thesis on faces (a pipeline on an iPhone 7) anew, with the times of
// today's machine. The program writes them in the form that tools/results.py reads.
// - reduction, compaction, integral: primitives, beside the standard library's algorithms.
// - grouping: the time to group boxes that lie in four layouts.
// - haar: frames a second of detection by input scale and step, with and without a face.
// - landmarks: fits a second for models that are cut to their first stages.
// - flow: frames a second of flow by points, levels, windows and iterations.
// - pipeline: frames a second of detection, points and flow together.
// - curve: the time of each of 850 frames, with and without flow.
// - error: errors of points by the thesis's measure, in pictures whose points people marked.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "faces/grouping_tables.h"
#include "faces/landmark_tables.h"
#include "faces/primitive_tables.h"
#include "faces/step_tables.h"
#include "follow/frame_curve.h"

namespace {

using bench::ResultList;

constexpr const char* kNames =
    "reduction, compaction, integral, grouping, haar, landmarks, flow, pipeline, curve, error";

struct Settings {
  std::vector<std::string> models, truths,
      names = {"reduction", "compaction", "integral", "grouping", "haar",
               "landmarks", "flow",       "pipeline", "curve",    "error"};
  std::vector<int> stages = {3, 5, 7, 10, 12, 15}, boxes = {100, 500, 1024, 1500, 2048, 2500, 3500};
  std::vector<std::size_t> values = {250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000};
  std::vector<int> points = {100, 500, 1000, 2000, 5000};
  std::vector<double> scales = {1, 0.75, 0.5, 0.25, 0.125};
  std::string backend = "cpu", detector = "built-in:face", cascade, picture, drawing;
  int threads = 1, repeat = 31, frames = 850;
  bench::ResultOptions out;
};

std::vector<bench::NamedLandmarks> models_of(const Settings& settings) {
  std::vector<bench::NamedLandmarks> models;
  for (const std::string& file : settings.models) {
    const winnow::Landmarks landmarks = winnow::Landmarks::load(file);
    models.push_back({std::filesystem::path(file).stem().string(), landmarks.model()});
  }
  return models.empty() ? bench::random_landmarks_like_dlib() : models;
}

std::vector<std::string> truths_of(const Settings& settings) {
  const char* data = std::getenv("WINNOW_DATA");
  if (!settings.truths.empty() || data == nullptr) return settings.truths;
  std::vector<std::string> truths;
  for (const char* set : {"helen-train", "afw-train"})
    truths.push_back((std::filesystem::path(data) / "faces" / set / "points.csv").string());
  return truths;
}

// The file with the picture of a face: the named file, or the first picture of LFW in WINNOW_DATA, or "".
std::string picture_of(const Settings& settings) {
  const char* data = std::getenv("WINNOW_DATA");
  if (!settings.picture.empty() || data == nullptr) return settings.picture;
  const std::filesystem::path lfw = std::filesystem::path(data) / "faces" / "lfw";
  std::string first;
  if (std::filesystem::is_directory(lfw))
    for (const auto& entry : std::filesystem::directory_iterator(lfw))
      if (entry.path().extension() == ".jpg" && (first.empty() || entry.path().string() < first))
        first = entry.path().string();
  return first;
}

void say(const std::string& table, const std::string& what) {
  std::fprintf(stderr, "winnow_face_tables: %s: %s\n", table.c_str(), what.c_str());
}

winnow::GrayImage face_of(const Settings& settings, const std::string& table) {
  const std::string file = picture_of(settings);
  if (!file.empty()) return winnow::read_picture(file).gray;
  say(table, "rows with a face are left out, since no PICTURE is named, and WINNOW_DATA has no faces/lfw");
  return {};
}

std::string name_of(const std::string& file) { return std::filesystem::path(file).filename().string(); }

// The command that makes one of the tables, with names of files without their folders.
std::string command_of(const Settings& settings, const std::string& table) {
  const bool shows_face = table == "haar" || table == "pipeline" || table == "curve";
  std::string command = "winnow_face_tables";
  if (shows_face && !picture_of(settings).empty()) command += " " + name_of(picture_of(settings));
  if (settings.backend == "cuda") command += " --backend cuda";
  if (table == "haar" && !settings.cascade.empty()) command += " --cascade " + name_of(settings.cascade);
  if (table == "landmarks" || table == "error" || table == "pipeline" || table == "curve")
    for (const std::string& model : settings.models) command += " --model " + name_of(model);
  return command + " --tables " + table;
}

using Tables = std::vector<ResultList>;

void add_error(const Settings& settings, const bench::TableRun& run, Tables& all) {
  const std::vector<std::string> truths = truths_of(settings);
  if (settings.models.empty() || truths.empty())
    return say("error", "skipped, since a model (--model) or a truth (--truth) is not named");
  all.push_back(
      bench::error_results(models_of(settings).front(), settings.detector, truths, run.machine, run.command));
}

// `cascade_of` gives the named cascade, or the installed cascade with the thesis's windows and stumps, or "".
constexpr const char* kUsualCascade = "haarcascade_frontalface_alt";
std::string cascade_of(const Settings& settings) {
  if (!settings.cascade.empty()) return winnow::resolve_model(settings.cascade);
  for (const winnow::ModelEntry& entry : winnow::find_models())
    if (entry.name == kUsualCascade) return entry.path;
  return "";
}

void add_haar(const Settings& settings, const bench::TableRun& run, Tables& all) {
  const std::string file = cascade_of(settings);
  if (file.empty())
    return say("haar",
               "skipped, since " + std::string(kUsualCascade) + " is not installed; name one with --cascade");
  const winnow::GrayImage face = face_of(settings, "haar");
  all.push_back(
      bench::haar_results(winnow::Cascade::load(file), face.view(), {720, 1280}, settings.scales, run));
}

void add_pipeline(const Settings& settings, const bench::TableRun& run, Tables& all) {
  const winnow::GrayImage face = face_of(settings, "pipeline");
  const std::string model = settings.models.empty() ? "built-in:face-68" : settings.models.front();
  const std::vector<winnow::Size> sizes = {{1280, 720}, {720, 1280}, {360, 640}};
  all.push_back(bench::pipeline_results(winnow::DetectorModel::load(settings.detector),
                                        winnow::Landmarks::load(model), face.view(), sizes, run));
}

void add_curve(const Settings& settings, const bench::TableRun& run, Tables& all) {
  const winnow::GrayImage face = face_of(settings, "curve");
  const std::string model = settings.models.empty() ? "built-in:face-68" : settings.models.front();
  const bench::CurveRun curve{.frames = settings.frames, .machine = run.machine};
  const auto curves = bench::frame_curves(winnow::DetectorModel::load(settings.detector),
                                          winnow::Landmarks::load(model), face.view(), curve);
  all.push_back(bench::curve_results(curves, curve, settings.backend, run.command));
  if (settings.drawing.empty()) return;
  std::ofstream out(settings.drawing);
  out << bench::curve_picture(curves, curve);
  if (!out.flush()) throw std::runtime_error(settings.drawing + ": cannot be written");
}

void add_table(const Settings& settings, const std::string& name, Tables& all) {
  const winnow::MachineOptions machine{winnow::parse_backend(settings.backend), settings.threads, {0}};
  const bench::TableRun run{machine, settings.repeat, command_of(settings, name)};
  const bool device = machine.backend == winnow::BackendKind::kCuda;
  const std::vector<winnow::Size> sizes = {{640, 480}, {1280, 720}, {1920, 1080}, {3840, 2160}, {4096, 2160}};
  if (name == "reduction") {
    all.push_back(bench::reduction_results(settings.values, device, run.repeat));
  } else if (name == "compaction") {
    all.push_back(bench::compaction_results(settings.values, device, run.repeat));
  } else if (name == "integral") {
    all.push_back(bench::integral_results(sizes, device, run.repeat));
  } else if (name == "grouping") {
    all.push_back(device ? bench::device_grouping_results(settings.boxes, run.repeat)
                         : bench::grouping_results(settings.boxes, run.repeat));
  } else if (name == "haar") {
    add_haar(settings, run, all);
  } else if (name == "landmarks") {
    all.push_back(
        bench::stage_results(models_of(settings), settings.stages, machine, run.repeat, run.command));
  } else if (name == "flow") {
    all.push_back(bench::flow_results(settings.points, {1280, 720}, run));
  } else if (name == "pipeline") {
    add_pipeline(settings, run, all);
  } else if (name == "curve") {
    add_curve(settings, run, all);
  } else if (name == "error") {
    add_error(settings, run, all);
  } else {
    throw std::runtime_error("no table is called " + name + "; there are " + kNames);
  }
}

// The machine that runs the tables: a processor, or the devices that a search would use.
std::string machine_in_words(const Settings& settings) {
  if (!settings.out.device.empty()) return settings.out.device;
  if (settings.backend == "cuda")
    for (const winnow::BackendInfo& info : winnow::list_backends())
      if (info.kind == winnow::BackendKind::kCuda) return info.detail;
  return bench::host_in_words();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Prints anew tables of a thesis on faces.");
  Settings settings;
  app.add_option("PICTURE", settings.picture, "a picture of one face (LFW's first in WINNOW_DATA)");
  app.add_option("--tables", settings.names, kNames);
  app.add_option("--backend", settings.backend, "cpu or cuda");
  app.add_option("--threads", settings.threads, "threads of the host")->check(CLI::PositiveNumber);
  app.add_option("--model", settings.models, "files of landmarks; models of random trees without");
  app.add_option("--detector", settings.detector, "the detector of faces whose boxes are marked");
  app.add_option("--cascade", settings.cascade,
                 "name or file of a cascade of upright Haar features, for haar");
  app.add_option("--truth", settings.truths, "files of points (HELEN's and AFW's in WINNOW_DATA)");
  app.add_option("--stages", settings.stages, "numbers of stages");
  app.add_option("--boxes", settings.boxes, "numbers of boxes")->check(CLI::PositiveNumber);
  app.add_option("--values", settings.values, "numbers of values")->check(CLI::PositiveNumber);
  app.add_option("--points", settings.points, "numbers of points of flow")->check(CLI::PositiveNumber);
  app.add_option("--scales", settings.scales, "input scales")->check(CLI::Range(0.05, 1.0));
  app.add_option("--frames", settings.frames, "frames of the curve")->check(CLI::PositiveNumber);
  app.add_option("--drawing", settings.drawing, "a file .svg, in which the curve is drawn");
  app.add_option("--repeat", settings.repeat, "runs of each")->check(CLI::PositiveNumber);
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    Tables all;
    for (const std::string& name : settings.names) add_table(settings, name, all);
    for (const ResultList& results : all) bench::print_results(results);
    const bool on_device = settings.backend == "cuda";
    if (!settings.out.file.empty())
      bench::write_results(settings.out.file,
                           {on_device ? "Steps of faces on a device" : "Steps of faces on a processor",
                            on_device ? "The device runs each step alone, beside the figures of the thesis."
                                      : "One thread runs each step alone, beside the figures of the thesis.",
                            machine_in_words(settings), settings.out.commit},
                           all);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_face_tables: %s\n", error.what());
    return 1;
  }
  return 0;
}
