// winnow_training: times boosting on a backend and prints one line of JSON.
// - Each round tries all Haar features of a window (162,336 of 24x24).
// - The N samples are seeded noise, half of them positives.
// - The program times how the table of bins is made from planes, and the rounds. A round finds the best split
//   of all features, with new weights.
// - `found` is a hash of the splits of all rounds. The hash is the same on every backend.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/training.h"
#include "base/random.h"
#include "base/share_work.h"
#include "base/simd.h"
#include "learn/steps.h"
#include "machine_card.h"
#include "model/model_kinds.h"
#ifdef WINNOW_HAVE_CUDA
#include "base/device/cuda_device.h"
#endif

namespace {

using namespace winnow;

struct Settings {
  std::size_t samples = 10'000;
  int side = 24, rounds = 9, tables = 3, threads = 1;
  std::int64_t memory = std::int64_t{8} << 30;
  std::string backend = "auto", features = "haar";
};

double ms_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

nlohmann::ordered_json spread(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {{"median", times[times.size() / 2]}, {"least", times.front()}, {"most", times.back()}};
}

// Makes noise in cells of 6 pixels and of 1 pixel. Positives have a faintly brighter middle.
std::vector<GrayImage> noise(const Settings& settings) {
  std::vector<GrayImage> samples;
  const auto side = static_cast<std::uint32_t>(settings.side);
  for (std::size_t i = 0; i < settings.samples; ++i) {
    GrayImage sample(settings.side, settings.side);
    const bool positive = i < settings.samples / 2;
    for (std::uint32_t y = 0; y < side; ++y) {
      for (std::uint32_t x = 0; x < side; ++x) {
        std::uint32_t value = hash(1, i, y / 6, x / 6, 6) % 100 + hash(1, i, y, x, 1) % 100;
        if (positive && y / 6 % 3 != 0 && x / 6 % 3 != 0) value += 20;
        sample.row(static_cast<int>(y))[x] = static_cast<std::uint8_t>(value);
      }
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::string device_name(BackendKind kind) {
#ifdef WINNOW_HAVE_CUDA
  if (kind == BackendKind::kCuda) return cuda_devices().front().name;
#endif
  return kind == BackendKind::kCpu ? simd_target() : "";
}

FeatureSet set_of(const std::string& name) {
  for (const FeatureSet set : {FeatureSet::kHaar, FeatureSet::kHaarTilted, FeatureSet::kLbp}) {
    if (name == feature_set_name(set)) return set;
  }
  throw std::runtime_error("features are haar, haar-tilted or lbp");
}

nlohmann::ordered_json measure(const Settings& settings) {
  const BackendKind kind = find_backend(parse_backend(settings.backend)).kind;
  const TrainSteps& steps = find_training<TrainSteps>(kind, kCascadeKind);
  const Size window{settings.side, settings.side};
  RunFeatures features;
  features.list = list_features(set_of(settings.features), window, 0, 1);
  features.compiled = bin_features(features.list);
  const std::vector<GrayImage> samples = noise(settings);
  SamplePlanes planes(window, features.list.tilted, samples.size());
  share_work(settings.threads, planes.chunks(), 1, [&](std::size_t, std::size_t chunk) {
    planes.fill_chunk(chunk * kSampleChunk, [&](std::size_t i) { return samples[i].view(); });
  });
  const double rules_ms =
      ms_of([&] { choose_rules(steps, planes, settings.threads, WeakKind::kTree, features); });
  const std::size_t positives = samples.size() / 2;

  std::unique_ptr<BinTable> table;
  std::vector<double> table_ms, round_ms;
  for (int i = 0; i < settings.tables; ++i) {
    table.reset();
    table_ms.push_back(ms_of([&] {
      table = steps.make_table({&features, &planes, positives, settings.memory, settings.threads, 0});
    }));
  }
  std::vector<int> all(static_cast<std::size_t>(features.list.size()));
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::uint32_t> weights(samples.size());
  std::uint64_t found = 0;
  const auto most =
      static_cast<std::uint32_t>(std::min<std::size_t>(1 << 24, (std::size_t{1} << 31) / samples.size()));
  for (int round = -1; round < settings.rounds; ++round) {  // the first round is not counted
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = 1 + static_cast<std::uint32_t>(hash(2, round, i) % (most - 1));
    Split split;
    const double ms = ms_of([&] { split = table->best_split(all, weights, BoostKind::kGentle); });
    if (round >= 0) round_ms.push_back(ms);
    found = hash(found, split.feature, split.last, split.left.positive, split.left.negative);
  }

  const double each = static_cast<double>(all.size()) * static_cast<double>(samples.size());
  nlohmann::ordered_json report;
  report["bench"] = "training";
  report["backend"] = backend_name(kind);
  report["device"] = device_name(kind);
  report["threads"] = settings.threads;
  report["features"] = settings.features;
  report["window"] = settings.side;
  report["feature_count"] = all.size();
  report["samples"] = samples.size();
  report["kept_part"] = std::min(1., static_cast<double>(settings.memory) / each);
  report["rules_ms"] = rules_ms;
  report["table_ms"] = spread(table_ms);
  report["round_ms"] = spread(round_ms);
  report["table_feature_samples_per_s"] = each / report["table_ms"]["median"].get<double>() * 1e3;
  report["rounds_per_s"] = 1e3 / report["round_ms"]["median"].get<double>();
  report["feature_samples_per_s"] = each / report["round_ms"]["median"].get<double>() * 1e3;
  report["found"] = found;
  report["machine"] = machine_card();
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Times what boosting spends its time on.");
  app.add_option("-n,--samples", settings.samples, "samples, half of them positives")
      ->check(CLI::Range(2, 4'000'000));
  app.add_option("--side", settings.side, "the window's side")->check(CLI::Range(8, 128));
  app.add_option("--features", settings.features, "haar, haar-tilted or lbp");
  app.add_option("--rounds", settings.rounds, "rounds that are counted")->check(CLI::Range(1, 1'000'000));
  app.add_option("--tables", settings.tables, "how often the table is made")->check(CLI::Range(1, 1000));
  app.add_option("--threads", settings.threads, "of the host")->check(CLI::Range(1, 1024));
  app.add_option("--memory", settings.memory, "bytes for rows that are kept");
  app.add_option("--backend", settings.backend, "auto, cpu, cuda or reference");
  CLI11_PARSE(app, argc, argv);
  try {
    simd_target();  // reads WINNOW_SIMD before anything is measured
    std::printf("%s\n", measure(settings).dump().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_training: %s\n", error.what());
    return 1;
  }
  return 0;
}
