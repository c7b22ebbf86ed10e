// Follows an object at one size of frames, and times the parts of each frame, alone and beside one another.
//
// In:     frames of one size, and the object's box in the first of them.
// Out:    times and counts by name, for `track_tables` (table_rows.h). Throws if a variant gives another
//         answer than one thread of the host.
// Memory: the frames must outlive the run.
// Thread: one thread at a time.
#pragma once

#include <winnow/image.h>
#include <winnow/tracker.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pairs.h"
#include "track/flow/flow_runner.h"
#include "track/tld/object_tracker.h"
#include "track/tld/sift/window_sieve.h"
#include "tracking/recall/recall_cpu.h"
#include "tracking/recall/recall_cuda.h"
#include "tracking/table_rows.h"

namespace bench {

struct SizeRunOptions {
  int every = 1, repeat = 5;  // 1 of so many frames is timed; runs of each part in a frame
  int threads = 0;            // 0: all cores
  double occupancy = 0.5;     // the least of algorithm 2
  std::uint64_t seed = 1;
};

// What devices need; all null without a device.
struct RunDevices {
  std::unique_ptr<winnow::FlowRunner> flow;
  std::unique_ptr<winnow::SieveFrames> frames;
  std::unique_ptr<winnow::WindowSieve> sieve;
#if WINNOW_HAVE_CUDA
  std::unique_ptr<DeviceRecall> recall;
#endif
};
// `why`: why there is no device; empty if there is one.
RunDevices open_devices(const SizeRunOptions& options, std::string& why);

class SizeRun {
 public:
  SizeRun(const SizeRunOptions& options, RunDevices& devices, const std::vector<winnow::GrayImage>& frames,
          const winnow::RealBox& box);
  SizeMeasures run();

 private:
  void add(const std::string& name, double figure) {
    if (is_timed_) out_.measures.add(name, figure);
  }
  // The median of several runs.
  template <class Work>
  void time(const std::string& name, Work&& work) {
    if (!is_timed_) return work();
    std::vector<double> times;
    for (int run = 0; run < options_.repeat; ++run) times.push_back(milliseconds(work));
    add(name, median(times));
  }
  void next(std::size_t number);
  void make_frame(winnow::GrayView frame);
  // The parts on the processor, then on the device.
  void time_recall(const SearchedFrame& in, const std::vector<winnow::LikelyWindow>& likely);
  void time_arrays(const Recall& recall, std::span<const std::uint16_t> values);
  void time_flow(std::size_t number, const std::vector<winnow::LikelyWindow>& likely);
  // Detector and flow, one after the other and at the same time.
  void time_overlap(winnow::GrayView before, winnow::GrayView frame,
                    const std::vector<winnow::FlowPlace>& points,
                    const std::vector<winnow::FlowResult>& wanted,
                    const std::vector<winnow::LikelyWindow>& likely);
  void wait() const;  // for the device

  const SizeRunOptions& options_;
  RunDevices& devices_;
  const std::vector<winnow::GrayImage>& frames_;
  winnow::RealBox box_;
  winnow::ObjectFrame frame_;
  winnow::ObjectGrid grid_;
  winnow::LearntObject object_;
  Team one_{1}, many_;
  winnow::Tracker tracker_;
  std::vector<std::unique_ptr<winnow::FlowRunner>> flows_;
  ConfidenceSums sums_;
  std::vector<std::uint32_t> planes_[2];
  bool is_timed_ = true;
  SizeMeasures out_;
};

}  // namespace bench
