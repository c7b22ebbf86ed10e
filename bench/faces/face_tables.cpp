// winnow_face_tables: measures tables of a thesis on faces (a pipeline on an iPhone 7) on today's machine.
// The program writes tables in the form that tools/results.py reads.
// - landmarks: fits a second for models that are cut to their first stages.
// - error: errors of points by the thesis's measure, in pictures whose points people marked.
// - grouping: the time to group boxes that lie in four layouts.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "faces/grouping_tables.h"
#include "faces/landmark_tables.h"

namespace {

using bench::ResultList;

struct Settings {
  std::vector<std::string> models, truths, names = {"landmarks", "error", "grouping"};
  std::vector<int> stages = {3, 5, 7, 10, 12, 15}, boxes = {100, 500, 1024, 1500, 2048, 2500, 3500};
  std::string backend = "cpu", detector = "built-in:face";
  int threads = 1, repeat = 31;
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

// The command that makes one of the tables, with names of files without their folders.
std::string command_of(const Settings& settings, const std::string& table) {
  std::string command = "winnow_face_tables";
  if (settings.backend == "cuda") command += " --backend cuda";
  for (const std::string& model : settings.models)
    command += " --model " + std::filesystem::path(model).filename().string();
  return command + " --tables " + table;
}

std::vector<ResultList> tables(const Settings& settings) {
  const winnow::MachineOptions machine{winnow::parse_backend(settings.backend), settings.threads, {0}};
  std::vector<ResultList> all;
  for (const std::string& name : settings.names) {
    if (name == "landmarks") {
      all.push_back(bench::stage_results(models_of(settings), settings.stages, machine, settings.repeat,
                                         command_of(settings, name)));
    } else if (name == "error") {
      const std::vector<std::string> truths = truths_of(settings);
      if (settings.models.empty() || truths.empty()) {
        std::printf("error: skipped, since a model or a truth is not named\n");
        continue;
      }
      all.push_back(bench::error_results(models_of(settings).front(), settings.detector, truths, machine,
                                         command_of(settings, name)));
    } else if (name == "grouping") {
      all.push_back(machine.backend == winnow::BackendKind::kCuda
                        ? bench::device_grouping_results(settings.boxes, settings.repeat)
                        : bench::grouping_results(settings.boxes, settings.repeat));
    } else {
      throw std::runtime_error("no table is called " + name);
    }
  }
  return all;
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
  app.add_option("--tables", settings.names, "landmarks, error, grouping");
  app.add_option("--backend", settings.backend, "cpu or cuda");
  app.add_option("--threads", settings.threads, "threads of the host")->check(CLI::PositiveNumber);
  app.add_option("--model", settings.models, "files of landmarks; models of random trees without");
  app.add_option("--detector", settings.detector, "the detector of faces whose boxes are marked");
  app.add_option("--truth", settings.truths, "files of points (HELEN's and AFW's in WINNOW_DATA)");
  app.add_option("--stages", settings.stages, "numbers of stages");
  app.add_option("--boxes", settings.boxes, "numbers of boxes")->check(CLI::PositiveNumber);
  app.add_option("--repeat", settings.repeat, "runs of each")->check(CLI::PositiveNumber);
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<ResultList> all = tables(settings);
    for (const ResultList& results : all) bench::print_results(results);
    const bool on_device = settings.backend == "cuda";
    if (!settings.out.file.empty())
      bench::write_results(
          settings.out.file,
          {on_device ? "Landmarks and groups on a device" : "Landmarks and groups on a processor",
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
