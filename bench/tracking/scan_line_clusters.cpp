#include "tracking/scan_line_clusters.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <utility>

namespace bench {
namespace {

constexpr int kWarp = 32;

std::int64_t divided_up(std::int64_t count, std::int64_t by) { return (count + by - 1) / by; }

// How many blocks a multiprocessor runs at once.
std::int64_t blocks_of(const ProcessorLimits& limits, int kernel_registers, int threads,
                       std::int64_t memory) {
  return std::min<std::int64_t>({limits.blocks, limits.threads / threads,
                                 limits.registers / (std::max(1, kernel_registers) * threads),
                                 limits.memory / (memory + limits.block_overhead)});
}

}  // namespace

std::vector<ScanLinePair> scan_line_pairs(const winnow::LevelPlan& plan) {
  std::vector<ScanLinePair> pairs;
  for (std::size_t size = 0; size < plan.levels.size(); ++size) {
    const winnow::Level& level = plan.levels[size];
    for (int row = 0; row < level.rows; ++row) {
      const int top = row * level.row_step;
      pairs.push_back({static_cast<std::uint32_t>(size), top, top + level.window.height,
                       static_cast<std::uint32_t>(level.first_window + std::int64_t{row} * level.cols),
                       static_cast<std::uint32_t>(level.cols)});
    }
  }
  return pairs;
}

std::uint32_t Clusters::most_windows() const {
  std::uint32_t most = 0;
  for (const Cluster& cluster : clusters) most = std::max(most, cluster.windows);
  return most;
}

double Clusters::mean_windows() const {
  double sum = 0;
  for (const Cluster& cluster : clusters) sum += cluster.windows;
  return clusters.empty() ? 0 : sum / static_cast<double>(clusters.size());
}

Clusters clusters_in_order(std::span<const ScanLinePair> pairs, std::int64_t cluster_size) {
  Clusters all{{pairs.begin(), pairs.end()}, {}};
  const auto size = static_cast<std::size_t>(cluster_size);
  for (std::size_t first = 0; first < pairs.size(); first += size) {
    const std::size_t count = std::min(size, pairs.size() - first);
    std::uint32_t windows = 0;
    for (const ScanLinePair& pair : pairs.subspan(first, count)) windows += pair.windows;
    all.clusters.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), windows});
  }
  return all;
}

Clusters clusters_by_load(std::span<const ScanLinePair> pairs, std::int64_t cluster_size) {
  std::vector<ScanLinePair> order(pairs.begin(), pairs.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const ScanLinePair& a, const ScanLinePair& b) { return a.windows > b.windows; });
  const auto count =
      static_cast<std::size_t>(divided_up(static_cast<std::int64_t>(pairs.size()), cluster_size));
  std::vector<std::vector<ScanLinePair>> members(count);
  // The clusters with room: their windows so far, and their numbers; the fewest windows first.
  using Load = std::pair<std::uint32_t, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> open;
  for (std::size_t i = 0; i < count; ++i) open.push({0, i});
  std::vector<std::uint32_t> windows(count);
  for (const ScanLinePair& pair : order) {
    const std::size_t to = open.top().second;
    open.pop();
    members[to].push_back(pair);
    windows[to] += pair.windows;
    if (static_cast<std::int64_t>(members[to].size()) < cluster_size) open.push({windows[to], to});
  }
  Clusters all;
  for (std::size_t i = 0; i < count; ++i) {
    std::stable_sort(members[i].begin(), members[i].end(),
                     [](const ScanLinePair& a, const ScanLinePair& b) { return a.top < b.top; });
    all.clusters.push_back({static_cast<std::uint32_t>(all.pairs.size()),
                            static_cast<std::uint32_t>(members[i].size()), windows[i]});
    all.pairs.insert(all.pairs.end(), members[i].begin(), members[i].end());
  }
  return all;
}

KernelCalls plan_kernel_calls(const ProcessorLimits& limits, int kernel_registers, std::int64_t pairs,
                              std::int64_t line_bytes, double least_occupancy) {
  KernelCalls calls;
  // Step 1: a block's registers limit its threads. A multiprocessor should run the most threads.
  int most = 0;
  for (int threads = limits.block_threads; threads >= kWarp; threads -= kWarp) {
    if (kernel_registers * threads > limits.block_registers) continue;
    const int resident = static_cast<int>(blocks_of(limits, kernel_registers, threads, 1)) * threads;
    if (resident <= most) continue;
    most = resident;
    calls.threads = threads;
  }
  if (calls.threads == 0) throw std::runtime_error("no block of this kernel has enough registers");
  // Step 2: as many pairs as fit.
  const std::int64_t pair_bytes = 2 * line_bytes;
  calls.cluster_size = std::min(pairs, limits.block_memory / pair_bytes);
  if (calls.cluster_size < 1)
    throw std::runtime_error("two lines of this width do not fit in the memory of a block");
  // Step 3: fewer, if too few threads work.
  const auto occupancy = [&] {
    const std::int64_t blocks =
        blocks_of(limits, kernel_registers, calls.threads, calls.cluster_size * pair_bytes);
    return static_cast<double>(blocks * calls.threads) / limits.threads;
  };
  calls.occupancy = occupancy();
  while (calls.occupancy < least_occupancy && calls.cluster_size >= 2) {
    --calls.cluster_size;
    calls.occupancy = occupancy();
  }
  calls.block_memory = calls.cluster_size * pair_bytes;
  calls.clusters = divided_up(pairs, calls.cluster_size);
  calls.blocks = std::max<std::int64_t>(
      1, limits.processors * blocks_of(limits, kernel_registers, calls.threads, calls.block_memory));
  calls.calls = divided_up(calls.clusters, calls.blocks);
  return calls;
}

}  // namespace bench
