// Times fits of landmarks from host memory to host results, on any backend.
//
//   winnow_landmarks_bench [--backend cuda] [--results FILE.json --device NAME --commit HASH] [MODEL...]
//
// Without MODEL, the program times three models of random trees: one like dlib's 68-point file, the same with
// leaves of 16 bits, and one with a basis. Their fits read as many bytes as fits of trained models.
#include <winnow/error.h>
#include <winnow/landmarker.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "landmarks/fit_time.h"
#include "model/landmarks/landmark_samples_for_test.h"
#include "results_file.h"

namespace {

using namespace winnow;

constexpr int kRounds = 60;

struct Named {
  std::string name;
  LandmarkModel model;
};

// Random leaves move points far, but leaves of a trained model move points little. So random leaves are made
// smaller.
LandmarkModel calmed(LandmarkModel model) {
  constexpr int kBits = 7;
  for (float& value : model.float_leaves) value = std::ldexp(value, -kBits);
  for (std::int32_t& bits : model.fixed_leaves.unit_bits) bits += kBits;
  return model;
}

std::vector<Named> random_models() {
  const sample::LandmarkSizes dlib{.points = 68, .stages = 15, .trees = 500, .pixels = 500, .depth = 4};
  sample::LandmarkSizes basis = dlib;
  basis.stages = 10;
  basis.basis = 32;
  return {{"as dlib's 68 points", calmed(sample::random_landmarks(dlib, false, 1))},
          {"the same, 16 bits", calmed(sample::random_landmarks(dlib, true, 1))},
          {"10 stages, basis of 32", calmed(sample::random_landmarks(basis, true, 1))}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times fits of landmarks.");
  std::string backend = "auto";
  bench::ResultOptions results;
  std::vector<std::string> files;
  int threads = 1;
  app.add_option("--backend", backend);
  app.add_option("--threads", threads);
  app.add_option("--results", results.file);
  app.add_option("--device", results.device);
  app.add_option("--commit", results.commit);
  app.add_option("MODEL", files);
  CLI11_PARSE(app, argc, argv);
  try {
    std::vector<Named> models;
    for (const std::string& file : files) models.push_back({file, Landmarks::load(file).model()});
    if (models.empty()) models = random_models();
    bench::ResultList list{
        .name = "landmarks_fit",
        .title = "Landmarks from host memory to host results",
        .unit = "microseconds a face",
        .command = "winnow_landmarks_bench",
        .about = "Faces of 150 pixels in one picture of 1280x720 a call; medians of 60 calls.",
        .columns = {"model", "backend", "faces", "us"},
        .by = {{"model", "model"}, {"faces", "faces a call"}},
        .values = {{"us", "us a face", 2}}};
    for (const Named& named : models) {
      Landmarker landmarker(Landmarks(named.model), {parse_backend(backend), threads, {0}});
      for (const int faces : {1U, 7U, 64U, 256U})
        list.rows.push_back({named.name, backend_name(landmarker.backend()), faces,
                             bench::fit_microseconds(landmarker, bench::random_scene(static_cast<int>(faces)),
                                                     faces, kRounds)});
    }
    bench::print_results(list);
    if (!results.file.empty())
      bench::write_results(results.file, {"landmarks", "", results.device, results.commit}, {list});
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
