#include "tracking/recall/recall_lists_cuda.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "base/device/cuda_device.h"

namespace bench {
using namespace winnow;

namespace {

int attribute(cudaDeviceAttr name) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, name, 0), "reading the limits of a device");
  return value;
}

}  // namespace

ProcessorLimits limits_here() {
  const DeviceRoom room = device_room();
  ProcessorLimits limits;
  limits.block_threads = attribute(cudaDevAttrMaxThreadsPerBlock);
  limits.block_registers = attribute(cudaDevAttrMaxRegistersPerBlock);
  limits.block_memory = room.block_memory;
  limits.threads = room.processor_threads;
  limits.registers = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
  limits.memory = room.processor_memory;
  limits.blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
  limits.block_overhead = room.block_overhead;
  limits.processors = current_processors();
  return limits;
}

Form make_form(const std::string& name, const KernelCalls& calls, Clusters clusters, const LevelPlan& plan,
               std::uint32_t line_values) {
  Form form;
  form.form = {name, calls, clusters.most_windows(), clusters.mean_windows(), 0};
  std::vector<DevicePair> pairs;
  std::vector<std::int32_t> lines;
  std::uint32_t most_lines = 0;
  for (const Cluster& cluster : clusters.clusters) {
    std::map<std::int32_t, std::uint32_t> slots;  // of a cluster's lines
    const auto first_line = static_cast<std::uint32_t>(lines.size());
    const auto slot_of = [&](std::int32_t line) {
      const auto [at, is_new] = slots.try_emplace(line, static_cast<std::uint32_t>(slots.size()));
      if (is_new) lines.push_back(line);
      return at->second;
    };
    std::uint32_t first = 0;
    const auto first_place = static_cast<std::uint32_t>(form.order.size());
    for (std::uint32_t i = cluster.first_pair; i < cluster.first_pair + cluster.pairs; ++i) {
      const ScanLinePair& pair = clusters.pairs[i];
      const Level& level = plan.levels[pair.size];
      const std::uint32_t top = slot_of(pair.top), bottom = slot_of(pair.bottom);
      pairs.push_back({top, bottom, first, static_cast<std::uint32_t>(level.step),
                       static_cast<std::uint32_t>(level.window.width), pair.size,
                       static_cast<std::uint32_t>(level.window.width * level.window.height)});
      for (std::uint32_t window = 0; window < pair.windows; ++window)
        form.order.push_back(pair.first_window + window);
      first += pair.windows;
    }
    const auto count = static_cast<std::uint32_t>(slots.size());
    most_lines = std::max(most_lines, count);
    form.on_device.push_back(
        {cluster.first_pair, cluster.pairs, first_line, count, cluster.windows, first_place});
  }
  form.form.mean_lines = static_cast<double>(lines.size()) /
                         static_cast<double>(std::max<std::size_t>(1, form.on_device.size()));
  form.block_bytes = most_lines * line_values * static_cast<std::uint32_t>(sizeof(std::uint32_t));
  upload(std::span<const DeviceCluster>(form.on_device), form.cluster_list);
  upload(std::span<const DevicePair>(pairs), form.pair_list);
  upload(std::span<const std::int32_t>(lines), form.line_list);
  upload(std::span<const std::uint32_t>(form.order), form.order_list);
  form.clusters = std::move(clusters);
  return form;
}

std::vector<Call> calls_of(const Form& form, std::int64_t blocks) {
  std::vector<Call> calls;
  const auto all = static_cast<std::uint32_t>(form.on_device.size());
  const auto at_once = static_cast<std::uint32_t>(blocks);
  for (std::uint32_t first = 0; first < all; first += at_once) {
    const std::uint32_t end = std::min(all, first + at_once), from = form.on_device[first].first_place;
    const auto to =
        end == all ? static_cast<std::uint32_t>(form.order.size()) : form.on_device[end].first_place;
    calls.push_back({first, end - first, from, to - from});
  }
  return calls;
}

}  // namespace bench
