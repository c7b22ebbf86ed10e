#include "learn/sample_planes.h"

#include "scale/integral.h"

namespace winnow {
namespace {

std::size_t corner_count(Size window) {
  return static_cast<std::size_t>(window.width + 1) * static_cast<std::size_t>(window.height + 1);
}
std::size_t padded(std::size_t samples) { return (samples + kSampleChunk - 1) / kSampleChunk * kSampleChunk; }

}  // namespace

SamplePlanes::SamplePlanes(Size window, bool tilted, std::size_t samples)
    : window_(window),
      samples_(samples),
      corners_(corner_count(window)),
      sums_(corners_ * padded(samples)),
      tilted_(tilted ? sums_.size() : 0),
      norms_(padded(samples), 1.f) {}

void SamplePlanes::put(std::size_t sample, GrayView pixels) {
  const int width = window_.width + 1, height = window_.height + 1;
  thread_local std::vector<std::uint32_t> own;
  own.resize(2 * corners_);
  const auto plane = [&](std::size_t number) {
    return PlaneView{own.data() + number * corners_, width, height,
                     static_cast<std::ptrdiff_t>(sizeof(std::uint32_t)) * width};
  };
  integral_ref(pixels, {plane(0), {}, tilted_.empty() ? PlaneView{} : plane(1)});
  norms_[sample] = sample_norm(pixels).factor;
  const std::size_t at = sample / kSampleChunk * corners_ * kSampleChunk + sample % kSampleChunk;
  for (std::size_t c = 0; c < corners_; ++c) sums_[at + c * kSampleChunk] = own[c];
  if (tilted_.empty()) return;
  for (std::size_t c = 0; c < corners_; ++c) tilted_[at + c * kSampleChunk] = own[corners_ + c];
}

WindowNorm sample_norm(GrayView pixels) {
  std::uint32_t sum = 0, square = 0;
  for (int y = 1; y + 1 < pixels.height; ++y) {
    for (int x = 1; x + 1 < pixels.width; ++x) {
      const std::uint32_t p = pixels.row(y)[x];
      sum += p;
      square += p * p;
    }
  }
  return window_norm(static_cast<double>(pixels.width - 2) * (pixels.height - 2), sum, square);
}

std::int64_t sample_plane_bytes(Size window, bool tilted, std::size_t samples) {
  return static_cast<std::int64_t>(corner_count(window) * padded(samples) * sizeof(std::uint32_t)) *
         (tilted ? 2 : 1);
}

}  // namespace winnow
