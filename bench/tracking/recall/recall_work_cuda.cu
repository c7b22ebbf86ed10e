// Does the work that recall_cuda.cu times: `DeviceRecall::State` puts it on streams.
#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "scale/frames/frame.h"
#include "scale/gaussian/gaussian_pyramid_cuda.h"
#include "track/tld/sift/blur_cuda.h"
#include "tracking/recall/recall_kernels_cuda.cuh"
#include "tracking/recall/recall_state_cuda.cuh"

namespace bench {
using namespace winnow;

namespace {

constexpr const char* kDoing = kRecallDoing;
constexpr unsigned kThreads = 256;

unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>(std::max<std::size_t>(1, (count + kThreads - 1) / kThreads));
}

}  // namespace

DeviceRecall::State::State(int times, double occupancy)
    : repeat(times), least_occupancy(occupancy), board(times) {
  for (std::size_t i = 0; i < kStreams; ++i) streams.push_back(make_stream());
  allow_block_memory(reinterpret_cast<const void*>(&cluster_kernel));
  allow_block_memory(reinterpret_cast<const void*>(&index_kernel<true>));
  allow_block_memory(reinterpret_cast<const void*>(&index_kernel<false>));
}

void DeviceRecall::State::plan(const ObjectGrid& grid) {
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
  const LevelImage own{0, level.width, level.height, static_cast<std::int32_t>(frame_pitch(level.width)), 1};
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

VarianceWork DeviceRecall::State::variance_work(const Form* form) const {
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
void DeviceRecall::State::vary(const Form& form, const Call& call, cudaStream_t stream) const {
  cluster_kernel<<<call.clusters, static_cast<unsigned>(form.form.calls.threads), form.block_bytes, stream>>>(
      variance_work(&form), call.first_cluster);
  check_launch("variance by clusters");
}

void DeviceRecall::State::compact(const std::uint32_t* order, const Call& call, std::size_t number,
                                  cudaStream_t stream) {
  std::size_t bytes = scan_bytes;
  std::uint8_t* const own = temporary.data() + number % kStreams * scan_bytes;
  check_cuda(
      cub::DeviceScan::ExclusiveSum(own, bytes, status.data() + call.first_place,
                                    places.data() + call.first_place, static_cast<int>(call.places), stream),
      kDoing);
  scatter_kernel<<<blocks_for(call.places), kThreads, 0, stream>>>(
      status.data() + call.first_place, places.data() + call.first_place, order + call.first_place,
      call.places, list.data() + call.first_place, kept.data() + number);
  check_launch("compaction");
}

void DeviceRecall::State::index(bool fern_first, const std::uint32_t* windows_of, std::uint32_t number,
                                std::uint16_t* to, cudaStream_t stream) const {
  if (number == 0) return;
  const auto offsets = static_cast<std::uint32_t>(places_of_tables.sizes() * kFernPairs);
  const IndexWork work{
      windows_of, number,         window_list.data(), places_of_tables.offsets_in(tables.data()),
      offsets,    blurred.data(), level.width,        to};
  (fern_first ? index_kernel<true>
              : index_kernel<false>)<<<blocks_for(number), kThreads, offsets * sizeof(int2), stream>>>(work);
  check_launch("indices of ferns");
}

void DeviceRecall::State::vary_plain(cudaStream_t stream) const {
  plain_kernel<<<blocks_for(windows), kThreads, 0, stream>>>(variance_work(nullptr), windows);
  check_launch("variance");
}

void DeviceRecall::State::select(cudaStream_t stream) {
  std::size_t bytes = temporary.size();
  check_cuda(
      cub::DeviceSelect::Flagged(temporary.data(), bytes, thrust::counting_iterator<std::uint32_t>(0),
                                 status.data(), list.data(), kept.data(), static_cast<int>(windows), stream),
      kDoing);
}

void DeviceRecall::State::sum(std::uint32_t number, cudaStream_t stream) const {
  if (number == 0) return;
  confidence_kernel<<<blocks_for(number), kThreads, 0, stream>>>(
      indices.data(), number, places_of_tables.values_in(tables.data()), confidences.data());
  check_launch("confidence");
}

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

}  // namespace bench
