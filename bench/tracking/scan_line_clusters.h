// Groups the windows of a grid for blocks of threads, as a paper on heterogeneous TLD does (Gurcan and
// Temizel 2015): pairs of scan lines in clusters, and clusters in calls of a kernel.
//
// In:     a grid of windows (`plan_boxes`), and the limits of a device.
// Out:    clusters of pairs. A pair is a row of windows of one size: all its windows begin at one line of the
//         integral planes and end at another.
// Exact:  whole numbers; ties go to the pair and to the cluster that come first.
// Memory: the caller owns all lists.
// Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scale/plan.h"

namespace bench {

struct ScanLinePair {
  std::uint32_t size;  // the number of the windows' size in the plan
  std::int32_t top, bottom;
  std::uint32_t first_window;  // windows of a pair follow one another
  std::uint32_t windows;       // the paper's equation 1, with the window that it forgets
};

// All pairs, in the order of their windows.
std::vector<ScanLinePair> scan_line_pairs(const winnow::LevelPlan& plan);

struct Cluster {
  std::uint32_t first_pair, pairs;
  std::uint32_t windows;
};

struct Clusters {
  std::vector<ScanLinePair> pairs;  // cluster after cluster
  std::vector<Cluster> clusters;
  std::uint32_t most_windows() const;
  double mean_windows() const;
};

// Each cluster takes the next `cluster_size` pairs: large windows come last, so the last clusters have few.
Clusters clusters_in_order(std::span<const ScanLinePair> pairs, std::int64_t cluster_size);
// As many clusters, and none with more pairs. The pairs with the most windows go first, each to the cluster
// that has the fewest windows so far. In a cluster pairs lie from top to bottom.
Clusters clusters_by_load(std::span<const ScanLinePair> pairs, std::int64_t cluster_size);

// What a device allows.
struct ProcessorLimits {
  int block_threads = 1024, block_registers = 65536, block_memory = 48 * 1024;
  int threads = 2048, registers = 65536, memory = 96 * 1024, blocks = 32;  // of a multiprocessor
  int block_overhead = 0;                                                  // memory beside a block's own
  int processors = 1;
};

struct KernelCalls {
  int threads = 0;                        // of a block
  std::int64_t cluster_size = 0;          // pairs
  std::int64_t block_memory = 0;          // bytes
  double occupancy = 0;                   // the part of a multiprocessor's threads that work
  std::int64_t clusters = 0, blocks = 0;  // blocks: those that all multiprocessors run at once
  std::int64_t calls = 0;
};

// The paper's algorithm 2. Clusters grow as long as their lines fit in a block's memory, and shrink until the
// occupancy is at least `least_occupancy`, which the paper does not print. Throws if the lines of one pair do
// not fit. `kernel_registers`: of a thread.
KernelCalls plan_kernel_calls(const ProcessorLimits& limits, int kernel_registers, std::int64_t pairs,
                              std::int64_t line_bytes, double least_occupancy);

}  // namespace bench
