#include "hog/blocks/block_samples.h"

#include <algorithm>

namespace winnow {
namespace {

std::size_t padded(std::size_t count) {
  return (count + BlockSamples::kChunk - 1) / BlockSamples::kChunk * BlockSamples::kChunk;
}

}  // namespace

BlockSamples::BlockSamples(Size window, int grid, std::size_t positives, std::size_t negatives)
    : cells_{window.width / grid, window.height / grid},
      grid_(grid),
      first_negative_(padded(positives)),
      places_(first_negative_ + padded(negatives)) {
  sums_.assign(static_cast<std::size_t>(cells_.width + 1) * static_cast<std::size_t>(cells_.height + 1) *
                   kVoteBins * places_,
               0);
}

std::int64_t BlockSamples::bytes_of_one(Size window, int grid) {
  return std::int64_t{4} * (window.width / grid + 1) * (window.height / grid + 1) * kVoteBins;
}

std::size_t BlockSamples::window_bytes() const {
  return static_cast<std::size_t>(cells_.width * grid_ + 2) *
         static_cast<std::size_t>(cells_.height * grid_ + 2);
}

void BlockSamples::fill_chunk(std::size_t chunk, const std::uint8_t* const (&windows)[kChunk]) {
  const int columns = cells_.width + 1;
  const std::ptrdiff_t pitch = cells_.width * grid_ + 2;
  // Gathers one row of corners for all samples of the chunk at a time, so that whole cache lines are written.
  std::vector<std::uint32_t> row(static_cast<std::size_t>(columns) * kVoteBins * kChunk, 0);
  for (int y = 1; y <= cells_.height; ++y) {
    for (std::size_t i = 0; i < kChunk; ++i) {
      if (windows[i] == nullptr) continue;
      std::uint32_t run[kVoteBins] = {};
      for (int x = 1; x < columns; ++x) {
        for (int py = (y - 1) * grid_; py < y * grid_; ++py) {
          for (int px = (x - 1) * grid_; px < x * grid_; ++px) {
            const std::uint8_t* at = windows[i] + (py + 1) * pitch + px + 1;
            std::int32_t votes[kVoteBins];
            gradient_votes(at[1] - at[-1], at[pitch] - at[-pitch], votes);
            for (int k = 0; k < kVoteBins; ++k) run[k] += static_cast<std::uint32_t>(votes[k]);
          }
        }
        for (int k = 0; k < kVoteBins; ++k)
          row[static_cast<std::size_t>(x * kVoteBins + k) * kChunk + i] += run[k];
      }
    }
    for (int x = 0; x < columns; ++x) {
      for (int k = 0; k < kVoteBins; ++k) {
        const auto from = row.begin() + static_cast<std::ptrdiff_t>(x * kVoteBins + k) * kChunk;
        std::copy(
            from, from + kChunk,
            sums_.begin() + (sums(x, y, k) - sums_.data()) + static_cast<std::ptrdiff_t>(chunk * kChunk));
      }
    }
  }
}

}  // namespace winnow
