// Holds what `winnow bench` measured of one model on one backend.
//
// In:     times and answers of searches.
// Out:    plain data, which `BenchOutput` prints.
// Memory: plain data of the caller.
// Thread: any.
#pragma once

#include <winnow/detector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace winnow::cli {

struct BenchModel {
  std::string name;
  DetectorModel model;
};

struct BenchJob {
  MachineOptions machine;
  DetectOptions options;
  std::optional<int> batch;  // pictures in a call; without a value 1, or as many as `Scan` takes
  int repeat = 1;            // the number of measurements
  bool pinned = false;       // whether the decoded pictures lie in pinned memory
};

// Milliseconds a picture in a run from files to lines. These parts do not add up to the run's time: reading goes
// on beside the search, and several searches may be under way at once.
struct BenchParts {
  double decode = 0;  // in a run that reads the same files and does nothing else
  double search = 0;  // of a call, with merging, shared among its pictures
  double lines = 0;   // making the lines of the answer
};

struct BenchRow {
  std::string model;
  // The backend that searched: "cpu", or "cpu,cuda" for two. If nothing was measured, the backend that was
  // asked for.
  std::string backend;
  std::string problem;  // why nothing was measured; then all fields below are empty
  std::string simd;
  int threads = 0;
  std::vector<int> devices;
  std::optional<int> batch;
  bool pinned = false;
  std::vector<double> times;  // milliseconds a picture, one for each measurement, rising
  // Sums over all pictures of one measurement.
  Counters counters;
  std::size_t objects = 0, pictures = 0;
  Size size;                        // of the first picture; {} for files
  std::optional<BenchParts> parts;  // for files
  std::int64_t problems = 0;        // the number of pictures that could not be read or searched

  void add(const Detections& found);
};

// A row with what is known before the first measurement.
BenchRow begin_row(const BenchModel& model, const BenchJob& job, const Detector& detector);
// A row that says why nothing was measured.
BenchRow unmeasured_row(const std::string& model, BackendKind backend, const std::string& problem);
// Adds a backend's name to a list such as "cpu,cuda", unless the list has the name.
void note_backend(std::string& names, const std::string& name);
// The mean of the two middle elements, which are the same element for an odd number. Not for an empty list.
double median(const std::vector<double>& rising);

}  // namespace winnow::cli
