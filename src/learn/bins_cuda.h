// `bins.h` on a device: many features of all samples at once.
// In: features, rules and planes of the host. Out: a byte a feature and sample, in rows of device memory.
// exact: the rules' own functions. Owns copies of features and planes in device memory, asked for once;
// `enqueue` does not wait. Costs what the loads do, which the first cache answers: 36 bytes a sample of a
// feature of two rectangles and a corner or so more, so that 162,336 features of 100,000 samples take no less
// than 20 ms at 132 x 128 bytes a clock of 1.75 GHz; 40 to 60 are expected of an H200. The copy of the planes
// (250 MB then) takes as long again from memory that is not pinned.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "base/cuda_memory.h"
#include "learn/bin_table.h"

namespace winnow {

// A feature as a thread reads it: corners are numbers of the window's corners.
struct alignas(16) DeviceFeature {
  std::uint16_t corners[16];
  float weights[3];
  std::uint16_t rects, tilted;
  BinRule rule;
};

class DeviceBins {
 public:
  // kLimit if the window has too many corners.
  DeviceBins(const RunFeatures& features, const SamplePlanes& planes, int processors);
  // Of `count` features, row i of `rows` is of feature `list[i]`, or of `first` + i without a list, which is
  // in device memory.
  void enqueue(const int* list, int first, int count, std::uint8_t* rows, cudaStream_t stream) const;
  // Bytes of a row; those behind the last sample mean nothing.
  std::size_t pitch() const { return blocks_ * kSampleBlock; }

 private:
  FeatureKind kind_;
  std::size_t blocks_, corners_;
  int processors_;
  DeviceBuffer<DeviceFeature> features_;
  DeviceBuffer<std::uint32_t> sums_, tilted_;
  DeviceBuffer<float> norms_;
};

}  // namespace winnow
