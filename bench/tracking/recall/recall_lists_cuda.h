// Groups windows in lists for kernels: clusters, their pairs of scan lines, and the lines that a block reads.
//
// In:     clusters of a grid (scan_line_clusters.h), and how a device calls the kernel.
// Out:    lists in device memory.
// Memory: a `Form` owns its lists.
// Thread: one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/device/cuda_memory.h"
#include "scale/plan.h"
#include "tracking/recall/recall_cuda.h"
#include "tracking/scan_line_clusters.h"

namespace bench {

struct DeviceWindow {
  std::uint16_t x, y;
  std::uint32_t size;
};

struct DevicePair {
  std::uint32_t top_slot, bottom_slot;  // the lines' places in a block's memory
  std::uint32_t first, step, width, size, pixels;
};

struct DeviceCluster {
  std::uint32_t first_pair, pairs, first_line, lines, windows, first_place;
};

// One way to group windows, and its lists on the device. A place is a window's number in the order of the
// clusters.
struct Form {
  ClusterForm form;
  Clusters clusters;
  std::vector<DeviceCluster> on_device;
  std::vector<std::uint32_t> order;  // the window of each place
  std::uint32_t block_bytes = 0;
  winnow::DeviceBuffer<DeviceCluster> cluster_list;
  winnow::DeviceBuffer<DevicePair> pair_list;
  winnow::DeviceBuffer<std::int32_t> line_list;
  winnow::DeviceBuffer<std::uint32_t> order_list;
};

// Uploads the lists. `line_values`: of a line of the planes.
Form make_form(const std::string& name, const KernelCalls& calls, Clusters clusters,
               const winnow::LevelPlan& plan, std::uint32_t line_values);

// Clusters that one call of the kernel judges, and their windows' places.
struct Call {
  std::uint32_t first_cluster, clusters, first_place, places;
};

std::vector<Call> calls_of(const Form& form, std::int64_t blocks);

ProcessorLimits limits_here();

}  // namespace bench
