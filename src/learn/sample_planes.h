// Keeps the integral sums of all samples. SIMD lanes can read the same corner of neighbouring samples at
// once.
//
// In:     samples of the window's size, chunk by chunk.
// Out:    per chunk of kSampleChunk samples and per corner of the window, the integral sums of these samples,
//         side by side; for each sample its norm.
// Exact:  sums modulo 2^32; the norm that the detector finds for the same pixels.
// Memory: owned, allocated by the constructor: 4 bytes per corner and sample, or 8 bytes with tilted sums.
//         The number of samples is rounded up to whole chunks. Pointers into planes live as long as the
//         planes. Views of pixels are read only during the call.
// Thread: several threads may fill different chunks at once. Later any number of threads may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "sieve/stages_rule.h"

namespace winnow {

inline constexpr std::size_t kSampleChunk = 64;

class SamplePlanes {
 public:
  SamplePlanes() = default;
  SamplePlanes(Size window, bool tilted, std::size_t samples);

  // Fills the chunk that begins with sample `first`, a multiple of kSampleChunk. `pixels(i)` is sample i's
  // view.
  template <class Pixels>
  void fill_chunk(std::size_t first, const Pixels& pixels) {
    for (std::size_t i = first; i < first + kSampleChunk && i < samples_; ++i) put(i, pixels(i));
  }

  std::size_t samples() const { return samples_; }
  std::size_t chunks() const { return (samples_ + kSampleChunk - 1) / kSampleChunk; }
  std::size_t corners() const { return corners_; }
  int stride() const { return window_.width + 1; }
  // The sums of a chunk: kSampleChunk values for each corner, corner by corner along the rows of the window.
  // Lanes beyond the last sample have sums of 0 and a norm of 1.
  const std::uint32_t* sums(std::size_t chunk) const {
    return sums_.data() + chunk * corners_ * kSampleChunk;
  }
  // Call this only if the planes were made with `tilted`.
  const std::uint32_t* tilted(std::size_t chunk) const {
    return tilted_.data() + (tilted_.empty() ? 0 : chunk * corners_ * kSampleChunk);
  }
  const float* norms(std::size_t chunk) const { return norms_.data() + chunk * kSampleChunk; }

 private:
  void put(std::size_t sample, GrayView pixels);

  Size window_;
  std::size_t samples_ = 0, corners_ = 0;
  std::vector<std::uint32_t> sums_, tilted_;
  std::vector<float> norms_;
};

// Computes a window's norm from its pixels: whether the window is flat, and the factor for feature values.
WindowNorm sample_norm(GrayView pixels);

// The bytes that the planes of `samples` samples take.
std::int64_t sample_plane_bytes(Size window, bool tilted, std::size_t samples);

}  // namespace winnow
