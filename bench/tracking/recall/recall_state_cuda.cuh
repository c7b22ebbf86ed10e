// What the files of `DeviceRecall` share: lists on the device, buffers, and the work that is timed.
//
// In:     as recall_cuda.h says.
// Out:    as recall_cuda.h says.
// Memory: a `State` owns all buffers.
// Thread: one thread at a time.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "scale/integral_cuda.h"
#include "schedulers/scoreboard_cuda.cuh"
#include "track/tld/sift/sift_cuda.h"
#include "tracking/recall/recall_cuda.h"
#include "tracking/recall/recall_lists_cuda.h"

namespace bench {

struct VarianceWork;  // recall_kernels_cuda.cuh

inline constexpr const char* kRecallDoing = "timing the search of a frame";

template <class T>
std::vector<T> download(const T* from, std::size_t count) {
  std::vector<T> values(count);
  winnow::check_cuda(cudaDeviceSynchronize(), kRecallDoing);
  if (count > 0)
    winnow::check_cuda(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost),
                       kRecallDoing);
  return values;
}

inline void require(bool right, const std::string& what) {
  if (!right) throw std::runtime_error(what + ": the device's answer is not the processor's");
}

struct DeviceRecall::State {
  int repeat;
  double least_occupancy;
  Scoreboard board;
  std::vector<Form> forms;
  std::vector<ClusterForm> shown;
  winnow::Size level;
  std::uint32_t windows = 0;
  std::int64_t stride = 0;
  winnow::DeviceBuffer<DeviceWindow> window_list;
  // the frame
  winnow::PinnedBuffer<std::uint8_t> staged, staged_tables;
  winnow::DeviceBuffer<std::uint8_t> pixels, blurred, tables, temporary;
  winnow::DeviceBuffer<std::uint32_t> sums, squares;
  winnow::DeviceBuffer<winnow::LevelImage> image;
  winnow::DeviceIntegral integral;
  winnow::SiftTables places_of_tables;
  // results
  winnow::DeviceBuffer<std::uint32_t> partial, status, places, list, kept;
  winnow::DeviceBuffer<std::uint16_t> indices;
  winnow::DeviceBuffer<std::int32_t> confidences;
  winnow::PinnedBuffer<std::uint16_t> host_indices;
  winnow::PinnedBuffer<std::uint32_t> host_list, host_kept, host_places;
  // Winnow's sieve
  winnow::DeviceBuffer<winnow::SiftTile> tiles;
  winnow::DeviceBuffer<std::uint64_t> tile_places, taken;
  winnow::DeviceBuffer<winnow::LikelyWindow> scratch;
  winnow::PinnedBuffer<winnow::LikelyWindow> likely;
  winnow::PinnedBuffer<std::uint64_t> count;
  // several calls
  static constexpr std::size_t kStreams = 4, kLeastCalls = 4;
  std::vector<winnow::CudaStream> streams;
  std::size_t scan_bytes = 0;
  ConfidenceSums confidence_sums;
  std::vector<std::int32_t> by_window;

  State(int times, double occupancy);
  void plan(const winnow::ObjectGrid& grid);
  // Brings a frame and the object's tables, and makes planes and blurred picture.
  void bring(const SearchedFrame& in, const Report& report);

  // Work for a stream. Without clusters a thread judges a window.
  void vary(const Form& form, const Call& call, cudaStream_t stream) const;
  void vary_plain(cudaStream_t stream) const;
  // The places of `call` become a list of windows from `call.first_place` on, and a number in `kept[number]`.
  void compact(const std::uint32_t* order, const Call& call, std::size_t number, cudaStream_t stream);
  void select(cudaStream_t stream);  // the same without clusters, by CUB's selection
  void index(bool fern_first, const std::uint32_t* listed, std::uint32_t number, std::uint16_t* to,
             cudaStream_t stream) const;
  void sum(std::uint32_t number, cudaStream_t stream) const;  // indices lie as [fern][window]

  void check_status(const std::vector<std::uint32_t>* order, const Recall& wanted,
                    const std::string& what) const;
  void check_indices(std::span<const std::uint32_t> listed, std::span<const std::uint16_t> got,
                     bool fern_first, const Recall& wanted, const std::string& what) const;

  void time_plain(const Recall& wanted, const Report& report);
  void time_forms(const Recall& wanted, const Report& report);
  void time_sieve(std::span<const winnow::LikelyWindow> wanted, const Report& report);
  void time_calls(const Recall& wanted, const Report& report);
  void time_split(const SearchedFrame& in, const Recall& wanted, Team& team, const Report& report);

 private:
  VarianceWork variance_work(const Form* form) const;
  cudaStream_t stream_of(std::size_t call) const { return streams[call % kStreams].get(); }
  void wait() const {
    for (const winnow::CudaStream& stream : streams)
      winnow::check_cuda(cudaStreamSynchronize(stream.get()), kRecallDoing);
  }
};

}  // namespace bench
