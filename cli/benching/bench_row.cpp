#include "benching/bench_row.h"

#include <algorithm>

namespace winnow::cli {

void BenchRow::add(const Detections& found) {
  counters.windows += found.counters.windows;
  counters.skipped += found.counters.skipped;
  counters.flat += found.counters.flat;
  counters.weak += found.counters.weak;
  counters.reached.resize(std::max(counters.reached.size(), found.counters.reached.size()));
  for (std::size_t i = 0; i < found.counters.reached.size(); ++i)
    counters.reached[i] += found.counters.reached[i];
  objects += found.objects.size();
}

BenchRow begin_row(const BenchModel& model, const BenchJob& job, const Detector& detector) {
  BenchRow row;
  row.model = model.name;
  row.simd = detector.simd();
  row.threads = detector.threads();
  row.devices = job.machine.devices;
  row.batch = job.batch;
  row.pinned = job.pinned;
  return row;
}

BenchRow unmeasured_row(const std::string& model, BackendKind backend, const std::string& problem) {
  BenchRow row;
  row.model = model;
  row.backend = backend_name(backend);
  row.problem = problem;
  return row;
}

void note_backend(std::string& names, const std::string& name) {
  if (names == name) return;
  const std::string list = "," + names + ",";
  if (list.find("," + name + ",") != std::string::npos) return;
  names += (names.empty() ? "" : ",") + name;
}

double median(const std::vector<double>& rising) {
  return (rising[rising.size() / 2] + rising[(rising.size() - 1) / 2]) / 2;
}

}  // namespace winnow::cli
