#include "tracking/recall_cuda.h"

#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <cstddef>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <map>
#include <stdexcept>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "pairs.h"
#include "scale/frames/frame.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "scale/integral_cuda.h"
#include "schedulers/scoreboard_cuda.cuh"
#include "track/tld/sift/blur_cuda.h"
#include "track/tld/sift/sift_cuda.h"
#include "tracking/recall_kernels_cuda.cuh"

namespace bench {
using namespace winnow;

namespace {

constexpr const char* kDoing = "timing the search of a frame";
constexpr unsigned kThreads = 256;

unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>(std::max<std::size_t>(1, (count + kThreads - 1) / kThreads));
}

int attribute(cudaDeviceAttr name) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, name, 0), kDoing);
  return value;
}

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

template <class T>
std::vector<T> download(const T* from, std::size_t count) {
  std::vector<T> values(count);
  check_cuda(cudaDeviceSynchronize(), kDoing);
  if (count > 0)
    check_cuda(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), kDoing);
  return values;
}

void require(bool right, const std::string& what) {
  if (!right) throw std::runtime_error(what + ": the device's answer is not the processor's");
}

// One way to group windows, and its lists on the device. A place is a window's number in the order of the
// clusters.
struct Form {
  ClusterForm form;
  Clusters clusters;
  std::vector<DeviceCluster> on_device;
  std::vector<std::uint32_t> order;  // the window of each place
  std::uint32_t block_bytes = 0;
  DeviceBuffer<DeviceCluster> cluster_list;
  DeviceBuffer<DevicePair> pair_list;
  DeviceBuffer<std::int32_t> line_list;
  DeviceBuffer<std::uint32_t> order_list;
};

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

// Clusters that one call of the kernel judges, and their windows' places.
struct Call {
  std::uint32_t first_cluster, clusters, first_place, places;
};

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

}  // namespace

struct DeviceRecall::State {
  int repeat;
  double least_occupancy;
  Scoreboard board;
  std::vector<Form> forms;
  std::vector<ClusterForm> shown;
  Size level;
  std::uint32_t windows = 0;
  std::int64_t stride = 0;
  DeviceBuffer<DeviceWindow> window_list;
  // the frame
  PinnedBuffer<std::uint8_t> staged, staged_tables;
  DeviceBuffer<std::uint8_t> pixels, blurred, tables, temporary;
  DeviceBuffer<std::uint32_t> sums, squares;
  DeviceBuffer<LevelImage> image;
  DeviceIntegral integral;
  SiftTables places_of_tables;
  // results
  DeviceBuffer<std::uint32_t> partial, status, places, list, kept;
  DeviceBuffer<std::uint16_t> indices;
  DeviceBuffer<std::int32_t> confidences;
  PinnedBuffer<std::uint16_t> host_indices;
  PinnedBuffer<std::uint32_t> host_list, host_kept, host_places;
  // Winnow's sieve
  DeviceBuffer<SiftTile> tiles;
  DeviceBuffer<std::uint64_t> tile_places, taken;
  DeviceBuffer<LikelyWindow> scratch;
  PinnedBuffer<LikelyWindow> likely;
  PinnedBuffer<std::uint64_t> count;
  // several calls
  static constexpr std::size_t kStreams = 4, kLeastCalls = 4;
  std::vector<CudaStream> streams;
  std::size_t scan_bytes = 0;
  ConfidenceSums confidence_sums;
  std::vector<std::int32_t> by_window;

  State(int times, double occupancy) : repeat(times), least_occupancy(occupancy), board(times) {
    for (std::size_t i = 0; i < kStreams; ++i) streams.push_back(make_stream());
    allow_block_memory(reinterpret_cast<const void*>(&cluster_kernel));
    allow_block_memory(reinterpret_cast<const void*>(&index_kernel<true>));
    allow_block_memory(reinterpret_cast<const void*>(&index_kernel<false>));
  }

  void plan(const ObjectGrid& grid) {
    level = grid.level;
    windows = static_cast<std::uint32_t>(grid.windows.window_count);
    constexpr std::int64_t kSector = 8;  // values of a plane that are written at once
    stride = (level.width + kSector) / kSector * kSector;
    const auto values = static_cast<std::size_t>(stride) * static_cast<std::size_t>(level.height + 1);
    sums.reserve(values);
    squares.reserve(values);
    blurred.reserve(static_cast<std::size_t>(level.width) * static_cast<std::size_t>(level.height));
    staged.reserve(static_cast<std::size_t>(frame_bytes(level)));
    pixels.reserve(staged.size());
    const LevelImage own{0, level.width, level.height, static_cast<std::int32_t>(frame_pitch(level.width)),
                         1};
    upload(std::span<const LevelImage>(&own, 1), image);
    const DeviceIntegral::Place place{0, stride, stride};
    integral.plan(std::span<const Size>(&level, 1), std::span<const DeviceIntegral::Place>(&place, 1), true);

    std::vector<DeviceWindow> all;
    for (std::size_t size = 0; size < grid.windows.levels.size(); ++size) {
      const Level& each = grid.windows.levels[size];
      for (int row = 0; row < each.rows; ++row)
        for (int col = 0; col < each.cols; ++col)
          all.push_back({static_cast<std::uint16_t>(col * each.step),
                         static_cast<std::uint16_t>(row * each.row_step), static_cast<std::uint32_t>(size)});
    }
    upload(std::span<const DeviceWindow>(all), window_list);

    cudaFuncAttributes kernel{};
    check_cuda(cudaFuncGetAttributes(&kernel, cluster_kernel), kDoing);
    const std::vector<ScanLinePair> pairs = scan_line_pairs(grid.windows);
    const auto line_values = static_cast<std::uint32_t>(level.width + 1);
    const auto pair_count = static_cast<std::int64_t>(pairs.size());
    const ProcessorLimits limits = limits_here();
    const KernelCalls calls =
        plan_kernel_calls(limits, kernel.numRegs, pair_count, std::int64_t{line_values} * 4, least_occupancy);
    ProcessorLimits narrow = limits;
    narrow.block_memory = static_cast<int>(line_values * 8);
    const KernelCalls single =
        plan_kernel_calls(narrow, kernel.numRegs, pair_count, std::int64_t{line_values} * 4, 0);
    forms.clear();
    const auto add = [&](const char* name, const KernelCalls& by, Clusters clusters) {
      forms.push_back(make_form(name, by, std::move(clusters), grid.windows, line_values));
    };
    add("clusters in order", calls, clusters_in_order(pairs, calls.cluster_size));
    add("clusters by load", calls, clusters_by_load(pairs, calls.cluster_size));
    add("one pair a cluster", single, clusters_in_order(pairs, 1));
    shown.clear();
    for (const Form& form : forms) shown.push_back(form.form);

    for (auto* buffer : {&partial, &status, &places, &list}) buffer->reserve(windows);
    confidences.reserve(windows);
    indices.reserve(std::size_t{kFerns} * windows);
    host_indices.reserve(indices.size());
    host_list.reserve(windows);
    host_places.reserve(windows);
    std::size_t select_bytes = 0;
    check_cuda(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, status.data(), places.data(),
                                             static_cast<int>(windows)),
               kDoing);
    check_cuda(cub::DeviceSelect::Flagged(nullptr, select_bytes, list.data(), status.data(), list.data(),
                                          kept.data(), static_cast<int>(windows)),
               kDoing);
    scan_bytes = (scan_bytes + 255) / 256 * 256;
    temporary.reserve(std::max(select_bytes, scan_bytes * kStreams));
    kept.reserve(1024);
    host_kept.reserve(1024);
    by_window.assign(windows, 0);
  }

  VarianceWork variance_work(const Form* form) const {
    VarianceWork work{};
    if (form != nullptr) {
      work.clusters = form->cluster_list.data();
      work.pairs = form->pair_list.data();
      work.lines = form->line_list.data();
    }
    work.windows = window_list.data();
    work.sizes = places_of_tables.sizes_in(tables.data());
    work.sums = sums.data();
    work.squares = squares.data();
    work.stride = stride;
    work.line_values = static_cast<std::uint32_t>(level.width + 1);
    work.partial = partial.data();
    work.status = status.data();
    return work;
  }
  void vary(const Form& form, const Call& call, cudaStream_t stream) const {
    cluster_kernel<<<call.clusters, static_cast<unsigned>(form.form.calls.threads), form.block_bytes,
                     stream>>>(variance_work(&form), call.first_cluster);
    check_launch("variance by clusters");
  }
  // The places of `call` become a list of windows from `call.first_place` on, and a number in `kept[number]`.
  void compact(const std::uint32_t* order, const Call& call, std::size_t number, cudaStream_t stream) {
    std::size_t bytes = scan_bytes;
    std::uint8_t* const own = temporary.data() + number % kStreams * scan_bytes;
    check_cuda(cub::DeviceScan::ExclusiveSum(own, bytes, status.data() + call.first_place,
                                             places.data() + call.first_place, static_cast<int>(call.places),
                                             stream),
               kDoing);
    scatter_kernel<<<blocks_for(call.places), kThreads, 0, stream>>>(
        status.data() + call.first_place, places.data() + call.first_place, order + call.first_place,
        call.places, list.data() + call.first_place, kept.data() + number);
    check_launch("compaction");
  }
  template <bool kFernFirst>
  void index(const std::uint32_t* windows_of, std::uint32_t number, std::uint16_t* to,
             cudaStream_t stream) const {
    if (number == 0) return;
    const auto offsets = static_cast<std::uint32_t>(places_of_tables.sizes() * kFernPairs);
    const IndexWork work{
        windows_of, number,         window_list.data(), places_of_tables.offsets_in(tables.data()),
        offsets,    blurred.data(), level.width,        to};
    index_kernel<kFernFirst><<<blocks_for(number), kThreads, offsets * sizeof(int2), stream>>>(work);
    check_launch("indices of ferns");
  }

  void check_status(const std::vector<std::uint32_t>* order, const Recall& wanted, const std::string& what) {
    const std::vector<std::uint32_t> got = download(status.data(), windows);
    std::vector<std::uint32_t> varied;
    for (std::uint32_t i = 0; i < windows; ++i)
      if (got[i] != 0) varied.push_back(order != nullptr ? (*order)[i] : i);
    std::sort(varied.begin(), varied.end());
    require(varied == wanted.varied, what);
  }
  void check_indices(std::span<const std::uint32_t> listed, std::span<const std::uint16_t> got,
                     bool fern_first, const Recall& wanted, const std::string& what) const {
    require(listed.size() == wanted.varied.size(), what);
    for (std::size_t k = 0; k < listed.size(); ++k) {
      const auto at = std::lower_bound(wanted.varied.begin(), wanted.varied.end(), listed[k]);
      require(at != wanted.varied.end() && *at == listed[k], what);
      const FernPattern& pattern = wanted.patterns[static_cast<std::size_t>(at - wanted.varied.begin())];
      for (std::size_t fern = 0; fern < kFerns; ++fern)
        require(got[fern_first ? fern * listed.size() + k : k * kFerns + fern] == pattern[fern], what);
    }
  }

  void bring(const SearchedFrame& in, const Report& report);
  void time_forms(const Recall& wanted, const Report& report);
  void time_plain(const Recall& wanted, const Report& report);
  void time_sieve(std::span<const LikelyWindow> wanted, const Report& report);
  void time_calls(const Recall& wanted, const Report& report);
  void time_split(const SearchedFrame& in, const Recall& wanted, Team& team, const Report& report);
};

// Level and tables travel; planes and blurred picture are made.
void DeviceRecall::State::bring(const SearchedFrame& in, const Report& report) {
  const GrayView view = in.frame.level();
  stage_rows(view, {0, view.height}, staged.data());
  const auto bytes = static_cast<std::size_t>(frame_bytes(level));
  const auto copy = [&](cudaStream_t stream) {
    check_cuda(cudaMemcpyAsync(pixels.data(), staged.data(), bytes, cudaMemcpyHostToDevice, stream), kDoing);
  };
  const GaussianLevelView as_level{pixels.data(), static_cast<std::int64_t>(bytes), level.width, level.height,
                                   static_cast<std::int32_t>(frame_pitch(level.width))};
  report("copy frame", board.time_us(copy) / 1000);
  report("blur",
         board.time_us([&](cudaStream_t stream) { blur_level(as_level, blurred.data(), stream); }) / 1000);
  report("integral", board.time_us([&](cudaStream_t stream) {
    integral.enqueue({pixels.data(), nullptr, image.data(), as_level.frame_bytes, 0}, 0, sums.data(),
                     squares.data(), stream);
  }) / 1000);
  places_of_tables = SiftTables(in.grid);
  staged_tables.reserve(places_of_tables.bytes());
  tables.reserve(places_of_tables.bytes());
  places_of_tables.write(in.grid, in.object, staged_tables.data());
  check_cuda(
      cudaMemcpy(tables.data(), staged_tables.data(), places_of_tables.bytes(), cudaMemcpyHostToDevice),
      kDoing);
  const GrayView host = in.frame.blurred();
  const std::vector<std::uint8_t> made = download(
      blurred.data(), static_cast<std::size_t>(level.width) * static_cast<std::size_t>(level.height));
  require(std::equal(made.begin(), made.end(), host.data), "blur");
}

void DeviceRecall::State::time_plain(const Recall& wanted, const Report& report) {
  const auto spoil_status = [&] {
    check_cuda(cudaMemset(status.data(), 0xA5, windows * sizeof(std::uint32_t)), kDoing);
  };
  spoil_status();
  const auto vary_plain = [&](cudaStream_t stream) {
    plain_kernel<<<blocks_for(windows), kThreads, 0, stream>>>(variance_work(nullptr), windows);
    check_launch("variance");
  };
  const double us = board.time_us(vary_plain);
  check_status(nullptr, wanted, "variance plain");
  report("variance plain", us / 1000);
  const auto select = [&](cudaStream_t stream) {
    std::size_t bytes = temporary.size();
    check_cuda(cub::DeviceSelect::Flagged(temporary.data(), bytes,
                                          thrust::counting_iterator<std::uint32_t>(0), status.data(),
                                          list.data(), kept.data(), static_cast<int>(windows), stream),
               kDoing);
  };
  const double select_us = board.time_us(select);
  const std::uint32_t number = download(kept.data(), 1).front();
  require(download(list.data(), number) == wanted.varied, "compaction select");
  report("compaction select", select_us / 1000);
  const auto time_indices = [&](bool fern_first, const std::string& name) {
    check_cuda(cudaMemset(indices.data(), 0xA5, indices.size() * sizeof(std::uint16_t)), kDoing);
    const double index_us = board.time_us([&](cudaStream_t stream) {
      fern_first ? index<true>(list.data(), number, indices.data(), stream)
                 : index<false>(list.data(), number, indices.data(), stream);
    });
    check_indices(wanted.varied, download(indices.data(), std::size_t{kFerns} * number), fern_first, wanted,
                  name);
    report(name, index_us / 1000);
  };
  time_indices(false, "indices box-fern plain");
  time_indices(true, "indices fern-box plain");
  if (number == 0) return;
  const double confidence_us = board.time_us([&](cudaStream_t stream) {
    confidence_kernel<<<blocks_for(number), kThreads, 0, stream>>>(
        indices.data(), number, places_of_tables.values_in(tables.data()), confidences.data());
    check_launch("confidence");
  });
  const std::vector<std::int32_t> got = download(confidences.data(), number);
  for (std::size_t i = 0; i < number; ++i)
    require(got[i] == wanted.confidences[wanted.varied[i]], "confidence device");
  report("confidence device", confidence_us / 1000);
}

void DeviceRecall::State::time_forms(const Recall& wanted, const Report& report) {
  for (const Form& form : forms) {
    const std::vector<Call> calls = calls_of(form, form.form.calls.blocks);
    check_cuda(cudaMemset(status.data(), 0xA5, windows * sizeof(std::uint32_t)), kDoing);
    const double us = board.time_us([&](cudaStream_t stream) {
      for (const Call& call : calls) vary(form, call, stream);
    });
    check_status(&form.order, wanted, "variance " + form.form.name);
    report("variance " + form.form.name, us / 1000);
    const Call all{0, 0, 0, windows};
    const double compact_us =
        board.time_us([&](cudaStream_t stream) { compact(form.order_list.data(), all, 0, stream); });
    const std::uint32_t number = download(kept.data(), 1).front();
    const std::vector<std::uint32_t> listed = download(list.data(), number);
    const double index_us =
        board.time_us([&](cudaStream_t stream) { index<true>(list.data(), number, indices.data(), stream); });
    check_indices(listed, download(indices.data(), std::size_t{kFerns} * number), true, wanted,
                  "indices " + form.form.name);
    report("indices fern-box " + form.form.name, index_us / 1000);
    if (&form != &forms[1]) continue;
    report("compaction scan", compact_us / 1000);
    report("copy indices", board.time_us([&](cudaStream_t stream) {
      check_cuda(cudaMemcpyAsync(host_indices.data(), indices.data(),
                                 std::size_t{kFerns} * number * sizeof(std::uint16_t), cudaMemcpyDeviceToHost,
                                 stream),
                 kDoing);
    }) / 1000);
  }
}

void DeviceRecall::State::time_sieve(std::span<const LikelyWindow> wanted, const Report& report) {
  const std::size_t tile_count = std::max<std::size_t>(1, places_of_tables.tiles());
  tiles.reserve(tile_count);
  tile_places.reserve(tile_count);
  taken.reserve(1);
  count.reserve(1);
  const std::size_t room = std::max<std::size_t>(4096, wanted.size());
  scratch.reserve(room);
  likely.reserve(room);
  SiftWork work{};
  work.sizes = places_of_tables.sizes_in(tables.data());
  work.offsets = places_of_tables.offsets_in(tables.data());
  work.values = places_of_tables.values_in(tables.data());
  work.sums = sums.data();
  work.squares = squares.data();
  work.plane_stride = stride;
  work.blurred = blurred.data();
  work.pitch = level.width;
  work.size_count = places_of_tables.sizes();
  work.tile_count = places_of_tables.tiles();
  work.tiles = tiles.data();
  work.places = tile_places.data();
  work.scratch = scratch.data();
  work.capacity = std::min(scratch.size(), likely.size());
  work.taken = taken.data();
  work.list = likely.data();
  work.count = count.data();
  const double us = board.time_us([&](cudaStream_t stream) { sift_on_device(work, stream); });
  check_cuda(cudaDeviceSynchronize(), kDoing);
  require(count[0] == wanted.size(), "the sieve");
  for (std::size_t i = 0; i < wanted.size(); ++i)
    require(likely[i].window == wanted[i].window && likely[i].sum == wanted[i].sum &&
                likely[i].pattern == wanted[i].pattern,
            "the sieve");
  report("sieve", us / 1000);
}

// Algorithm 4: the same kernels, compactions and copies, call after call, or kind after kind.
void DeviceRecall::State::time_calls(const Recall& wanted, const Report& report) {
  const Form& form = forms[1];
  const auto clusters = static_cast<std::int64_t>(form.on_device.size());
  const std::int64_t least = static_cast<std::int64_t>(kLeastCalls);
  const std::vector<Call> calls = calls_of(
      form, std::max<std::int64_t>(1, std::min(form.form.calls.blocks, (clusters + least - 1) / least)));
  if (calls.size() > kept.size()) throw std::runtime_error("too many calls of the kernel");
  const auto stream_of = [&](std::size_t i) { return streams[i % kStreams].get(); };
  const auto copy = [&](std::size_t i) {
    const Call& call = calls[i];
    check_cuda(cudaMemcpyAsync(host_places.data() + call.first_place, places.data() + call.first_place,
                               call.places * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream_of(i)),
               kDoing);
  };
  const auto wait = [&] {
    for (const CudaStream& stream : streams) check_cuda(cudaStreamSynchronize(stream.get()), kDoing);
  };
  const auto one_by_one = [&] {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      vary(form, calls[i], stream_of(i));
      compact(form.order_list.data(), calls[i], i, stream_of(i));
      copy(i);
    }
    wait();
  };
  const auto by_kind = [&] {
    for (std::size_t i = 0; i < calls.size(); ++i) vary(form, calls[i], stream_of(i));
    for (std::size_t i = 0; i < calls.size(); ++i) compact(form.order_list.data(), calls[i], i, stream_of(i));
    for (std::size_t i = 0; i < calls.size(); ++i) copy(i);
    wait();
  };
  const auto check = [&](const char* what) {
    check_status(&form.order, wanted, what);
    const std::vector<std::uint32_t> flags = download(status.data(), windows);
    for (const Call& call : calls) {
      std::uint32_t before = 0;
      for (std::uint32_t i = call.first_place; i < call.first_place + call.places; ++i) {
        require(host_places[i] == before, what);
        before += flags[i];
      }
    }
  };
  std::vector<double> times[2];
  for (int run = -1; run < repeat; ++run) {  // the first run is not counted
    check_cuda(cudaMemset(status.data(), 0xA5, windows * sizeof(std::uint32_t)), kDoing);
    check_cuda(cudaDeviceSynchronize(), kDoing);
    const double first = milliseconds(one_by_one);
    if (run < 0) check("calls one by one");
    check_cuda(cudaMemset(status.data(), 0xA5, windows * sizeof(std::uint32_t)), kDoing);
    check_cuda(cudaDeviceSynchronize(), kDoing);
    const double second = milliseconds(by_kind);
    if (run < 0) {
      check("calls by kind");
      continue;
    }
    times[0].push_back(first);
    times[1].push_back(second);
  }
  report("calls one by one", median(times[0]));
  report("calls by kind", median(times[1]));
}

// The paper's whole search: the host waits for the number of windows, then for the indices.
void DeviceRecall::State::time_split(const SearchedFrame& in, const Recall& wanted, Team& team,
                                     const Report& report) {
  const Form& form = forms[1];
  const std::vector<Call> calls = calls_of(form, form.form.calls.blocks);
  if (calls.size() > kept.size()) throw std::runtime_error("too many calls of the kernel");
  const auto stream_of = [&](std::size_t i) { return streams[i % kStreams].get(); };
  const auto wait = [&] {
    for (const CudaStream& stream : streams) check_cuda(cudaStreamSynchronize(stream.get()), kDoing);
  };
  double confidence_ms = 0;
  const auto search = [&] {
    for (std::size_t i = 0; i < calls.size(); ++i) vary(form, calls[i], stream_of(i));
    for (std::size_t i = 0; i < calls.size(); ++i) compact(form.order_list.data(), calls[i], i, stream_of(i));
    for (std::size_t i = 0; i < calls.size(); ++i)
      check_cuda(cudaMemcpyAsync(host_kept.data() + i, kept.data() + i, sizeof(std::uint32_t),
                                 cudaMemcpyDeviceToHost, stream_of(i)),
                 kDoing);
    wait();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::uint32_t number = host_kept[i];
      const std::size_t at = calls[i].first_place;
      index<true>(list.data() + at, number, indices.data() + at * kFerns, stream_of(i));
      check_cuda(cudaMemcpyAsync(host_indices.data() + at * kFerns, indices.data() + at * kFerns,
                                 std::size_t{kFerns} * number * sizeof(std::uint16_t), cudaMemcpyDeviceToHost,
                                 stream_of(i)),
                 kDoing);
      check_cuda(cudaMemcpyAsync(host_list.data() + at, list.data() + at, number * sizeof(std::uint32_t),
                                 cudaMemcpyDeviceToHost, stream_of(i)),
                 kDoing);
    }
    wait();
    confidence_ms = milliseconds([&] {
      for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::size_t at = calls[i].first_place, number = host_kept[i];
        confidence_sums.find({host_list.data() + at, number}, {host_indices.data() + at * kFerns, number, 1},
                             in.object.ferns.values(), true, team, by_window);
      }
    });
  };
  std::vector<double> times, confidence;
  for (int run = -1; run < repeat; ++run) {
    std::fill(by_window.begin(), by_window.end(), 0);
    const double ms = milliseconds(search);
    require(by_window == wanted.confidences, "split");
    if (run < 0) continue;
    times.push_back(ms);
    confidence.push_back(confidence_ms);
  }
  report("split", median(times));
  report("split confidence", median(confidence));
}

DeviceRecall::DeviceRecall(int repeat, double least_occupancy) {
  require_cuda_device(0);
  state_ = std::make_unique<State>(repeat, least_occupancy);
}
DeviceRecall::~DeviceRecall() = default;
void DeviceRecall::plan(const ObjectGrid& grid) { state_->plan(grid); }
const std::vector<ClusterForm>& DeviceRecall::forms() const { return state_->shown; }

void DeviceRecall::time(const SearchedFrame& in, const Recall& wanted, std::span<const LikelyWindow> likely,
                        Team& team, const Report& report) {
  state_->bring(in, report);
  state_->time_plain(wanted, report);
  state_->time_forms(wanted, report);
  state_->time_sieve(likely, report);
  state_->time_calls(wanted, report);
  state_->time_split(in, wanted, team, report);
}

void wait_for_device() { check_cuda(cudaDeviceSynchronize(), kDoing); }

std::string why_no_device() {
  std::string why;
  const std::vector<CudaDeviceInfo> devices = cuda_devices(&why);
  if (devices.empty()) return why.empty() ? "there is none" : why;
  return devices.front().usable ? "" : devices.front().why_not;
}

}  // namespace bench
