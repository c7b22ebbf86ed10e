#include "base/device/cuda_device.h"
#include "scale/frames/frame.h"
#include "scale/frames/pixel_table_cuda.h"

namespace winnow {
namespace {

constexpr int kThreads = 256;
static_assert(kFramePitch == sizeof(uint4));

struct TableBytes {
  std::uint8_t values[256];
};

__global__ void __launch_bounds__(kThreads)
    replace_kernel(const __grid_constant__ TableBytes bytes, uint4* frames, std::int64_t count) {
  __shared__ std::uint8_t table[256];
  table[threadIdx.x] = bytes.values[threadIdx.x];
  __syncthreads();
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const auto replaced = [&](std::uint32_t word) {
    std::uint32_t result = 0;
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8)
      result |= static_cast<std::uint32_t>(table[word >> shift & 0xff]) << shift;
    return result;
  };
  const uint4 from = frames[i];
  frames[i] = {replaced(from.x), replaced(from.y), replaced(from.z), replaced(from.w)};
}

}  // namespace

void replace_pixels(const PixelTable& table, std::uint8_t* frames, std::int64_t bytes, cudaStream_t stream) {
  const std::int64_t count = bytes / kFramePitch;
  if (count == 0) return;
  TableBytes copy;
  for (std::size_t i = 0; i < table.size(); ++i) copy.values[i] = table[i];
  replace_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
      copy, reinterpret_cast<uint4*>(frames), count);
  check_launch("replacing pixels");
}

}  // namespace winnow
