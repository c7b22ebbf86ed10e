// Builds integral histograms of plain votes on a device as a thesis of 2010 did. The steps are: votes of each
// pixel, scans of rows in segments of 512, a transpose, and scans of the new rows.
//
// In:     a grey picture in device memory, rows `width` bytes apart.
// Out:    nine sums for each pixel, transposed, in one of five forms.
// Exact:  votes are those of hard_votes.h. Floats and doubles are rounded in the order of the scans; whole
//         numbers are exact modulo 2^32.
// Memory: owns two copies of the sums, allocated by the constructor.
// Thread: one thread at a time. The device that was current at construction must be current.
#pragma once

#include <winnow/box.h>

#include <cstdint>
#include <vector>

#include "base/device/cuda_memory.h"

namespace bench {

enum class SumKind {
  kFloat,   // nine planes of float
  kFloat4,  // two planes of four floats per pixel, one plane of one float per pixel
  kDouble,  // nine planes of double
  kWhole,   // nine planes of whole numbers
  kWhole4   // two planes of four whole numbers per pixel, one plane of one whole number per pixel
};

class VoteHistograms {
 public:
  VoteHistograms(SumKind kind, winnow::Size size);

  void enqueue(const std::uint8_t* pixels, cudaStream_t stream);
  // Enqueues the votes alone, without sums.
  void enqueue_votes(const std::uint8_t* pixels, cudaStream_t stream);
  // A bin's sums, row by row of the picture. Waits for the device. The vector must have the number type of
  // the `SumKind`.
  void read(int bin, std::vector<float>& sums) const;
  void read(int bin, std::vector<double>& sums) const;
  void read(int bin, std::vector<std::uint32_t>& sums) const;

 private:
  // Planes of one type: the sums, and room for their transpose.
  template <class T>
  struct Planes {
    int count = 0;
    winnow::DeviceBuffer<T> sums, other, totals;

    void plan(int planes, winnow::Size size);
    void enqueue(winnow::Size size, cudaStream_t stream);
  };
  SumKind kind_;
  winnow::Size size_;
  Planes<float> floats_;
  Planes<double> doubles_;
  Planes<std::uint32_t> wholes_;
  Planes<float4> float4s_;
  Planes<uint4> whole4s_;
};

}  // namespace bench
