// Times what `winnow detect` does with files: decoding, searching, merging, and making lines.
//
// In:     inputs that can be read several times, so no camera and no stream.
// Out:    a `BenchRow` with parts for each model and backend. Problems of inputs go to standard error, each
//         once. kBackend if the backend is not here. kIo if no picture can be read.
// Exact:  counters and objects are those of `winnow detect`; times and backends are those of this machine.
// Memory: as `Scan` (winnow/scan.h). Lines are made and dropped.
// Thread: the main thread.
#pragma once

#include <winnow/feed.h>
#include <winnow/scan.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "benching/bench_row.h"

namespace winnow::cli {

class ScanBench {
 public:
  // kUsage for an input that cannot be read several times.
  explicit ScanBench(std::vector<Input> inputs);

  BenchRow measure(const BenchModel& model, const BenchJob& job);
  // Whether an input could not be read, or a picture not be searched.
  bool has_problems() const { return !reported_.empty(); }

 private:
  struct Run;

  // Reads all inputs and passes them to `work`. Makes lines if `row` is given, and adds the answers to `row`.
  Run run(std::unique_ptr<ScanWork> work, const BenchJob& job, BenchRow* row);
  double decoding(int threads, bool color, const BenchJob& job);
  void report(const std::string& problem);

  std::vector<Input> inputs_;
  std::set<std::string> reported_;                       // the problems on standard error
  std::map<std::pair<int, bool>, double> decode_times_;  // by threads and colour; milliseconds a picture
};

}  // namespace winnow::cli
