// Times, checks and reports work on a device.
//
// In:     work to enqueue on a stream, its bytes, and values to compare with.
// Out:    one line of JSON for each variant, on standard output. `scans_cuda.cu` describes the keys.
// Exact:  integers are compared modulo 2^32; doubles exactly; floats exactly if the sum is at most 2^24.
// Memory: owns a stream and small buffers. `copy_us` allocates and frees the bytes it copies.
// Thread: one thread at a time.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "device_time.h"
#include "primitives/paper_scans_cuda.h"

namespace bench {

using Count = unsigned long long;

// Keeps the stream busy until the host has enqueued the work to be timed. The kernel ends after two
// milliseconds at the latest, in case enqueueing itself waits for the stream.
static __global__ void hold_kernel(const volatile int* go) {
  std::uint64_t start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (*go == 0 && now - start < 2'000'000);
}

// The number of values that differ, and the largest error. Integers are compared modulo 2^32.
struct Difference {
  // `largest_error` has the bits of a double. The bits of doubles of 0 or more sort like the doubles.
  Count wrong, largest_error;
};

// `border`: planes begin with a row and a column of zeros. Otherwise they are inclusive sums without zeros.
template <class T>
__global__ void compare_kernel(const T* got, std::int64_t stride, bool border, const std::uint64_t* wanted,
                               Batch batch, Difference* difference) {
  const int columns = batch.width + 1, rows = batch.height + 1, skip = border ? 0 : 1;
  const std::int64_t all = static_cast<std::int64_t>(columns) * rows * batch.count;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  Count wrong = 0;
  double error = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += step) {
    const std::int64_t x = i % columns - skip, y = i / columns % rows - skip, picture = i / columns / rows;
    if (x < 0 || y < 0) continue;
    const T value = got[(picture * (rows - skip) + y) * stride + x];
    if constexpr (std::is_integral_v<T>) {
      wrong += static_cast<std::uint32_t>(value) != static_cast<std::uint32_t>(wanted[i]) ? 1 : 0;
    } else {
      const double distance = fabs(static_cast<double>(value) - static_cast<double>(wanted[i]));
      const bool exact = std::is_same_v<T, double> || wanted[i] <= 1u << 24;
      wrong += exact && distance != 0 ? 1 : 0;
      error = max(error, distance);
    }
  }
  atomicAdd(&difference->wrong, wrong);
  atomicMax(&difference->largest_error, static_cast<Count>(__double_as_longlong(error)));
}

class Scoreboard {
 public:
  explicit Scoreboard(int repeat) : repeat_(repeat), go_(1), difference_(1) {}

  cudaStream_t stream() const { return stream_.get(); }
  bool all_right() const { return all_right_; }

  // The median time over `repeat` runs, after two runs that are not counted.
  template <class Enqueue>
  double time_us(Enqueue enqueue) {
    winnow::check_cuda(cudaDeviceSynchronize(), "waiting for what was filled");
    volatile int& go = go_[0];
    return median_us(
        repeat_, stream(),
        [&] {
          go = 0;
          hold_kernel<<<1, 1, 0, stream()>>>(go_.data());
          winnow::check_launch("holding the stream");
        },
        [&] { enqueue(stream()); }, [&] { go = 1; });
  }

  // The time of a copy that reads and writes `bytes` bytes in all.
  double copy_us(std::size_t bytes) {
    winnow::DeviceBuffer<std::uint8_t> from(bytes / 2), to(bytes / 2);
    winnow::check_cuda(cudaMemset(from.data(), 1, from.size()), "filling");
    return time_us([&](cudaStream_t on) {
      winnow::check_cuda(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyDeviceToDevice, on),
                         "copying");
    });
  }

  void measure_copy() {
    const std::size_t gib = std::size_t{1} << 30;
    const double us = copy_us(2 * gib);
    copy_bytes_per_us_ = static_cast<double>(2 * gib) / us;
    begin("copy of 1 GiB", 2 * gib);
    report("cudaMemcpyAsync", us);
  }

  // Starts a case, to which the next reports belong. `bytes`: the size of its inputs and outputs together.
  void begin(const std::string& name, std::size_t bytes) {
    case_ = name;
    if (bytes != bytes_) {
      bytes_ = bytes;
      same_copy_us_ = copy_us(bytes);
    }
  }

  nlohmann::ordered_json line(const std::string& variant, double us) const {
    const double speed = static_cast<double>(bytes_) / us;
    return {{"case", case_},
            {"variant", variant},
            {"us", us},
            {"bytes", bytes_},
            {"gb_per_s", speed / 1000},
            {"of_copy", speed / copy_bytes_per_us_},
            {"of_same_copy", same_copy_us_ / us}};
  }
  void report(const std::string& variant, double us) const {
    std::printf("%s\n", line(variant, us).dump().c_str());
    std::fflush(stdout);
  }
  void report(const std::string& variant, double us, Count wrong, double largest_error = 0) {
    nlohmann::ordered_json json = line(variant, us);
    json["wrong"] = wrong;
    if (largest_error > 0) json["largest_error"] = largest_error;
    all_right_ = all_right_ && (wrong == 0 || variant.starts_with("npp"));
    std::printf("%s\n", json.dump().c_str());
    std::fflush(stdout);
  }

  template <class T>
  Difference compare(const T* got, std::int64_t stride, bool border,
                     const winnow::DeviceBuffer<std::uint64_t>& wanted, const Batch& batch) {
    winnow::check_cuda(cudaMemsetAsync(difference_.data(), 0, sizeof(Difference), stream()), "clearing");
    compare_kernel<<<1024, 256, 0, stream()>>>(got, stride, border, wanted.data(), batch, difference_.data());
    winnow::check_launch("comparing");
    Difference difference{};
    winnow::check_cuda(cudaMemcpyAsync(&difference, difference_.data(), sizeof(difference),
                                       cudaMemcpyDeviceToHost, stream()),
                       "comparing");
    winnow::check_cuda(cudaStreamSynchronize(stream()), "comparing");
    return difference;
  }
  static Difference both(const Difference& a, const Difference& b) {
    return {a.wrong + b.wrong, std::max(a.largest_error, b.largest_error)};
  }
  void report(const std::string& variant, double us, const Difference& difference) {
    double error = 0;
    std::memcpy(&error, &difference.largest_error, sizeof(error));
    report(variant, us, difference.wrong, error);
  }

 private:
  int repeat_;
  winnow::CudaStream stream_ = winnow::make_stream();
  winnow::PinnedBuffer<int> go_;
  winnow::DeviceBuffer<Difference> difference_;
  std::string case_;
  std::size_t bytes_ = 0;
  double copy_bytes_per_us_ = 1, same_copy_us_ = 0;
  bool all_right_ = true;
};

// Overwrites a buffer before each variant, so that no variant finds the result of the previous variant.
template <class T>
void spoil(const winnow::DeviceBuffer<T>& buffer, cudaStream_t stream) {
  winnow::check_cuda(cudaMemsetAsync(buffer.data(), 0xA5, buffer.size() * sizeof(T), stream), "filling");
}

}  // namespace bench
