// Times the detector of a paper on heterogeneous TLD on a device, part by part and in several forms, beside
// Winnow's own sieve. Each result is compared with the processor's before it is timed.
//
// In:     frames with their grids and objects, and what the processor found in them.
// Out:    milliseconds by name, as `time` lists them. Throws if a result is wrong.
// Exact:  `Recall` of recall_cpu.h.
// Memory: owns all memory on the device; `plan` and the first frame allocate it.
// Thread: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tracking/recall/recall_cpu.h"
#include "tracking/scan_line_clusters.h"

namespace bench {

// How a form of the variance groups windows.
struct ClusterForm {
  std::string name;
  KernelCalls calls;
  std::uint32_t most_windows = 0;
  double mean_windows = 0, mean_lines = 0;  // of a cluster; lines that pairs share count once
};

class DeviceRecall {
 public:
  // `repeat`: timed runs of each part.
  DeviceRecall(int repeat, double least_occupancy);
  ~DeviceRecall();
  DeviceRecall(const DeviceRecall&) = delete;
  DeviceRecall& operator=(const DeviceRecall&) = delete;

  void plan(const winnow::ObjectGrid& grid);
  const std::vector<ClusterForm>& forms() const;

  using Report = std::function<void(const std::string& name, double ms)>;
  // Reports, of kernels and copies between two events:
  //   copy frame, blur, integral
  //   variance FORM, and indices fern-box FORM, for each form; indices box-fern plain
  //   compaction scan, compaction select
  //   copy indices, confidence device
  //   sieve: Winnow's own three kernels for all of it
  // and, from the call to its end on the host:
  //   calls one by one, calls by kind: algorithm 4's orders, in at least four calls
  //   split: variance, compaction, indices and their copy, then confidence by the team with arrays of its
  //     own
  //   split confidence: the last part of it
  void time(const SearchedFrame& in, const Recall& wanted, std::span<const winnow::LikelyWindow> likely,
            Team& team, const Report& report);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Empty if there is a device; else why there is none.
std::string why_no_device();

// Waits until the device has nothing to do, so that earlier work is in no time.
void wait_for_device();

}  // namespace bench
