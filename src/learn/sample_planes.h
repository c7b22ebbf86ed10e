// Integral sums of all samples at once, laid out so that one feature of many samples is read in lanes.
// In: samples of one size. Out: for each block of kSampleBlock samples, for each corner of the window, the
// sums of these samples side by side; and each sample's norm as the detector would find it. exact. Owns its
// memory: 4 bytes a corner and sample, twice that with turned sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <winnow/image.h>

#include "sieve/stages_rule.h"

namespace winnow {

inline constexpr std::size_t kSampleBlock = 64;

class SamplePlanes {
 public:
  SamplePlanes() = default;
  SamplePlanes(Size window, bool tilted, std::size_t samples);

  // A block's samples from `first` on, which is a multiple of kSampleBlock; blocks may be filled at once by
  // several threads. `pixels(i)` is sample i's view.
  template <class Pixels>
  void fill_block(std::size_t first, const Pixels& pixels) {
    for (std::size_t i = first; i < first + kSampleBlock && i < samples_; ++i) put(i, pixels(i));
  }

  std::size_t samples() const { return samples_; }
  std::size_t blocks() const { return (samples_ + kSampleBlock - 1) / kSampleBlock; }
  std::size_t corners() const { return corners_; }
  int stride() const { return window_.width + 1; }
  // kSampleBlock values for each corner, row by row.
  const std::uint32_t* sums(std::size_t block) const {
    return sums_.data() + block * corners_ * kSampleBlock;
  }
  const std::uint32_t* tilted(std::size_t block) const {
    return tilted_.data() + (tilted_.empty() ? 0 : block * corners_ * kSampleBlock);
  }
  const float* norms(std::size_t block) const { return norms_.data() + block * kSampleBlock; }

 private:
  void put(std::size_t sample, GrayView pixels);

  Size window_;
  std::size_t samples_ = 0, corners_ = 0;
  std::vector<std::uint32_t> sums_, tilted_;
  std::vector<float> norms_;
};

// The detector's verdict about a window's contrast, from its pixels.
WindowNorm sample_norm(GrayView pixels);

// Bytes that planes of so many samples take.
std::int64_t sample_plane_bytes(Size window, bool tilted, std::size_t samples);

}  // namespace winnow
