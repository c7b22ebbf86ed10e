// Computes on a device the bytes that `bins.h` describes, for many features of all samples at once.
//
// In:     features, rules and planes in host memory.
// Out:    one byte per feature and sample, in rows of device memory.
// Exact:  the bytes of `bin_chunk_ref`.
// Memory: owns copies of features and planes in device memory, allocated by the constructor. The caller owns
//         the rows. `enqueue` allocates nothing and does not wait.
// Thread: one thread at a time. The current device must be the one on which the `DeviceBins` was made.
// Cost:   loads from the first-level cache. A feature of two rectangles loads 36 bytes per sample, and the
//         average feature about 4 more (one corner). An H200 loads 132 x 128 bytes per clock at 1.75
//         GHz. So 162,336 features of 100,000 samples take at least 20 ms; 40 to 60 ms are expected. Copying
//         the planes (250 MB for these samples) takes as long as that if the host's memory is not pinned.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "base/device/cuda_memory.h"
#include "learn/bin_table.h"

namespace winnow {

// A feature in the form that a thread reads. Corners are numbered row by row within the window.
struct alignas(16) DeviceFeature {
  std::uint16_t corners[16];
  float weights[3];
  std::uint16_t rects, tilted;
  BinRule rule;
};

class DeviceBins {
 public:
  // `processors`: multiprocessors of the device. Throws kLimit if the window has more than 65,536 corners.
  DeviceBins(const RunFeatures& features, const SamplePlanes& planes, int processors);
  // Makes `count` rows. Row i belongs to feature `list[i]`, or to feature `first` + i if `list` is null.
  // `list` and `rows` lie in device memory.
  void enqueue(const int* list, int first, int count, std::uint8_t* rows, cudaStream_t stream) const;
  // The number of bytes in a row. The bytes after the last sample are meaningless.
  std::size_t pitch() const { return chunks_ * kSampleChunk; }

 private:
  FeatureKind kind_;
  std::size_t chunks_, corners_;
  int processors_;
  DeviceBuffer<DeviceFeature> features_;
  DeviceBuffer<std::uint32_t> sums_, tilted_;
  DeviceBuffer<float> norms_;
};

}  // namespace winnow
