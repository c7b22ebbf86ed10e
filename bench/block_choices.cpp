// winnow_block_choices: trains cascades of HOG blocks with different choices of blocks, and judges each on
// the same windows of people and of pictures without people.
// - Each round tries all blocks, or about 125 blocks drawn at random for each stage, as in a thesis.
// - Corners of blocks lie on a grid of 4 pixels or of 8 pixels.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>
#include <stdexcept>

#include "pairs.h"
#include "plain_search.h"
#include "results_file.h"

namespace {

using namespace winnow;
using bench::ResultList;

struct Settings {
  std::string data = "../shared/data/people", backend = "auto";
  std::vector<std::string> choices = {"4:125", "8:125", "4:0"};
  int stages = 256, negatives = 5000;
  std::int64_t gibibytes = 8;
  bench::ResultOptions out;
};

struct Choice {
  int grid = 4, blocks = 0;
};
Choice parse(const std::string& text) {
  Choice choice;
  if (std::sscanf(text.c_str(), "%d:%d", &choice.grid, &choice.blocks) != 2)
    throw std::runtime_error("a choice is GRID:BLOCKS, such as 4:125; 0 blocks are all");
  return choice;
}

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(entry.path().string());
  return files;
}

struct Judged {
  WindowEvaluation windows;
  double blocks = 0;  // mean blocks judged per window of pictures without people
};
Judged judge(const HogCascade& cascade, const Settings& settings) {
  Detector detector(cascade, {parse_backend(settings.backend), 0, {0}});
  std::vector<double> positives, negatives;
  std::int64_t count = 0, windows = 0, weak = 0;
  for (const std::string& file : files_in(settings.data + "/test/pos")) {
    const Picture picture = read_picture(file);
    ++count;
    if (const auto score = window_score(detector, picture.view())) positives.push_back(*score);
  }
  DetectOptions options = bench::plain_search(1.2, 0);
  options.raw = true;
  options.min_score = -1000;  // so that only the cascade's own limits reject windows
  for (const std::string& file : files_in(settings.data + "/test/neg")) {
    const Detections found = detector.detect(read_picture(file).view(), options);
    windows += found.counters.windows;
    weak += found.counters.weak;
    for (const Detection& object : found.objects) negatives.push_back(object.score);
  }
  return {evaluate_windows(positives, count, negatives, windows),
          static_cast<double>(weak) / static_cast<double>(windows)};
}

ResultList compare(const Settings& settings, const std::function<void(const ResultList&)>& keep) {
  PackOptions options;
  options.window = {66, 130};
  options.crop = {15, 15, 66, 130};
  options.jitter.copies = 2;
  options.jitter.roll = 0;
  options.jitter.scale = 0.09;
  options.jitter.shift = 0.02;
  const Pack pack = make_pack({settings.data + "/train/pos"}, {settings.data + "/train/neg"}, options);
  ResultList results{
      "block_choices",
      "Choices among all blocks and drawn blocks, " + std::to_string(settings.stages) + " stages",
      "percent of people missed, at 1e-3 to 1e-5 false positives a window",
      "winnow_block_choices --stages " + std::to_string(settings.stages),
      "Trained as `people`, but for the number of stages, and judged on the same windows: "
      "`people/test`, stride 8, scale 1.2, grey. Each row is one run; another seed moves a figure by "
      "about 0.7 points. \"Tried\" is the number of blocks that a stage chooses from.",
      {"grid", "tried", "blocks", "1e-3", "1e-4", "1e-5", "blocks a window", "seconds"},
      {{"grid", "grid, pixels"}, {"tried", "tried"}},
      {{"blocks", "blocks on the grid", 0},
       {"1e-3", "1e-3", 1},
       {"1e-4", "1e-4", 1},
       {"1e-5", "1e-5", 1},
       {"blocks a window", "blocks a window", 2}}};
  for (const std::string& text : settings.choices) {
    const Choice choice = parse(text);
    HogCascadeOptions how;
    how.grid = choice.grid;
    how.blocks_per_round = choice.blocks;
    how.max_stages = settings.stages;
    how.negatives = settings.negatives;
    RunOptions run;
    run.machine.backend = parse_backend(settings.backend);
    run.memory = settings.gibibytes << 30;
    const HogCascadeResult trained = train_hog_cascade(pack, how, run);
    const Judged judged = judge(trained.cascade, settings);
    const auto misses = [&](double rate) { return 100 * judged.windows.miss_rate_at(rate); };
    results.rows.push_back({choice.grid,
                            choice.blocks == 0 ? "all" : std::to_string(choice.blocks) + " at random",
                            list_hog_blocks(how.window, choice.grid).size(), misses(1e-3), misses(1e-4),
                            misses(1e-5), judged.blocks, trained.seconds});
    std::fprintf(stderr, "%s\n", results.rows.back().dump().c_str());
    keep(results);  // a training may take long, and the next training may be interrupted
  }
  return results;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Trains cascades of HOG blocks that choose their blocks in different ways, and judges them.");
  Settings settings;
  app.add_option("--data", settings.data, "the folder with train/pos, train/neg, test/pos and test/neg");
  app.add_option("--choices", settings.choices, "GRID:BLOCKS; 0 blocks are all");
  app.add_option("--stages", settings.stages, "stages of each cascade")->check(CLI::PositiveNumber);
  app.add_option("--round-negatives", settings.negatives, "negatives mined for each round");
  app.add_option("--memory", settings.gibibytes, "GiB for what a training keeps")->check(CLI::PositiveNumber);
  app.add_option("--backend", settings.backend, "the backend");
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    for (const char* folder : {"/train/pos", "/train/neg", "/test/pos", "/test/neg"}) {
      if (std::filesystem::is_directory(settings.data + folder)) continue;
      std::printf("winnow_block_choices: skipped, since %s%s is not there\n", settings.data.c_str(), folder);
      return 0;
    }
    const std::string device = settings.out.device.empty() ? bench::host_in_words() : settings.out.device;
    const ResultList results = compare(settings, [&](const ResultList& so_far) {
      if (settings.out.file.empty()) return;
      bench::write_results(settings.out.file,
                           {"The choice of HOG blocks",
                            "A training chooses the blocks of a cascade among all blocks, or among some that "
                            "are drawn at random.",
                            device, settings.out.commit},
                           {so_far});
    });
    bench::print_results(results);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_block_choices: %s\n", error.what());
    return 1;
  }
  return 0;
}
