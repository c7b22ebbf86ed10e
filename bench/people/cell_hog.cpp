#include "people/cell_hog.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "people/hard_votes.h"

// The costly loops are compiled for several instruction sets. The functions that choose among these loops run
// before the program begins, which sanitizers do not allow.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define WINNOW_BENCH_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define WINNOW_BENCH_CLONES
#endif

namespace bench {
namespace {

// A table of the bins of all gradients, by dy and dx.
constexpr int kLargest = 255, kSide = 2 * kLargest + 1;
const std::vector<std::uint8_t>& bin_table() {
  static const std::vector<std::uint8_t> table = [] {
    std::vector<std::uint8_t> bins;
    for (int dy = -kLargest; dy <= kLargest; ++dy)
      for (int dx = -kLargest; dx <= kLargest; ++dx)
        bins.push_back(static_cast<std::uint8_t>(hard_bin(dx, dy)));
    return bins;
  }();
  return table;
}

WINNOW_BENCH_CLONES void vote_row(const std::uint8_t* left, const std::uint8_t* right,
                                  const std::uint8_t* above, const std::uint8_t* below, int width,
                                  std::int32_t* places, float* lengths) {
  for (int x = 0; x < width; ++x) {
    const std::int32_t dx = right[x] - left[x], dy = below[x] - above[x];
    places[x] = (dy + kLargest) * kSide + dx + kLargest;
    lengths[x] = std::sqrt(static_cast<float>(dx * dx + dy * dy)) / 255.f;
  }
}

// Added to a block's length before the block is divided by it. This is OpenCV's constant, for pixels from 0
// to 1.
constexpr float kLengthFloor = 3.6f / 255.f;

// Normalises a block by L2-Hys: to unit length, clipped at 0.2, to unit length again. The function is inline,
// because functions that are compiled for several instruction sets call it.
[[gnu::always_inline]] inline void normalise_values(float* block) {
  constexpr int kLanes = 12, kValues = 36;
  for (int pass = 0; pass < 2; ++pass) {
    float squares[kLanes] = {}, sum = 0;
    for (int i = 0; i < kValues; i += kLanes)
      for (int lane = 0; lane < kLanes; ++lane) squares[lane] += block[i + lane] * block[i + lane];
    for (int lane = 0; lane < 4; ++lane) squares[lane] += squares[lane + 4] + squares[lane + 8];
    sum = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    const float scale = 1.f / (std::sqrt(sum) + (pass == 0 ? kLengthFloor : 1e-3f));
    if (pass == 0) {
      for (int i = 0; i < kValues; ++i) block[i] = std::min(block[i] * scale, 0.2f);
    } else {
      for (int i = 0; i < kValues; ++i) block[i] *= scale;
    }
  }
}

// Normalises neighbouring blocks. The cells of the first block begin at `cell`. Rows of cells lie `pitch`
// values apart.
[[gnu::always_inline]] inline void normalise_row(const float* cell, std::ptrdiff_t pitch, int count,
                                                 float* blocks) {
  for (int x = 0; x < count; ++x, cell += kBins, blocks += 4 * kBins) {
    for (int i = 0; i < 2 * kBins; ++i) blocks[i] = cell[i], blocks[2 * kBins + i] = cell[pitch + i];
    normalise_values(blocks);
  }
}
WINNOW_BENCH_CLONES void normalise_blocks(const float* cell, std::ptrdiff_t pitch, int count, float* blocks) {
  normalise_row(cell, pitch, count, blocks);
}

// Adds the products of a row of blocks and its weights to twelve sums.
[[gnu::always_inline]] inline void add_products(const float* values, const float* weights, int count,
                                                float (&sums)[12]) {
  for (int i = 0; i < count; i += 12)
    for (int lane = 0; lane < 12; ++lane) sums[lane] += values[i + lane] * weights[i + lane];
}

[[gnu::always_inline]] inline float total(const float (&sums)[12]) {
  float all = 0;
  for (const float sum : sums) all += sum;
  return all;
}

// The blocks of a window across and down, and the values in a row of blocks.
constexpr int kAcross = 7, kDown = 15, kRow = kAcross * 4 * kBins;

// The score of the window whose cells begin at `cells`, without the bias.
WINNOW_BENCH_CLONES float score_of_cells(const float* cells, std::ptrdiff_t pitch, const float* weights) {
  float sums[12] = {}, blocks[kRow];
  for (int y = 0; y < kDown; ++y) {
    normalise_row(cells + y * pitch, pitch, kAcross, blocks);
    add_products(blocks, weights + y * kRow, kRow, sums);
  }
  return total(sums);
}

// The score of the window whose blocks begin at `blocks`, without the bias.
WINNOW_BENCH_CLONES float score_of_blocks(const float* blocks, std::ptrdiff_t pitch, const float* weights) {
  float sums[12] = {};
  for (int y = 0; y < kDown; ++y) add_products(blocks + y * pitch, weights + y * kRow, kRow, sums);
  return total(sums);
}

// Computes a window's 16 rows of 8 cells from the corners of an integral histogram.
WINNOW_BENCH_CLONES void cells_of_corners(const float* corners, std::ptrdiff_t pitch, float* cells) {
  constexpr int kCell = 8;
  for (int y = 0; y < 16; ++y, corners += kCell * pitch) {
    for (int x = 0; x < 8; ++x) {
      const float *a = corners + x * kCell * kBins, *c = a + kCell * pitch;
      for (int k = 0; k < kBins; ++k) *cells++ = c[kCell * kBins + k] - c[k] - a[kCell * kBins + k] + a[k];
    }
  }
}

}  // namespace

CellHog::CellHog(const winnow::HogSvmModel& model) : bias_(static_cast<float>(model.bias)) {
  if (model.weights.size() != weights_.size() || !(model.shape.window == winnow::Size{64, 128}))
    throw std::runtime_error("the SVM has another shape than 64x128 in cells of 8x8");
  // The model lists blocks and cells column by column.
  for (int y = 0; y < kDown; ++y)
    for (int x = 0; x < kAcross; ++x)
      for (int cell = 0; cell < 4; ++cell)
        for (int k = 0; k < kBins; ++k)
          weights_[static_cast<std::size_t>((y * kAcross + x) * kValues + cell * kBins + k)] =
              model.weights[static_cast<std::size_t>((x * kDown + y) * kValues +
                                                     (cell % 2 * 2 + cell / 2) * kBins + k)];
}

void CellHog::vote(winnow::GrayView level) {
  size_ = level.size();
  const auto pixels = static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height);
  bins_.resize(pixels);
  lengths_.resize(pixels);
  std::vector<std::uint8_t> padded(static_cast<std::size_t>(size_.width) + 2);
  std::vector<std::int32_t> places(static_cast<std::size_t>(size_.width));
  const std::uint8_t* const table = bin_table().data();
  for (int y = 0; y < size_.height; ++y) {
    const std::uint8_t* row = level.row(y);
    std::copy_n(row, size_.width, padded.begin() + 1);
    padded.front() = row[mirrored_place(-1, size_.width)];
    padded.back() = row[mirrored_place(size_.width, size_.width)];
    const std::size_t at = static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width);
    vote_row(padded.data(), padded.data() + 2, level.row(mirrored_place(y - 1, size_.height)),
             level.row(mirrored_place(y + 1, size_.height)), size_.width, places.data(), &lengths_[at]);
    for (int x = 0; x < size_.width; ++x)
      bins_[at + static_cast<std::size_t>(x)] = table[places[static_cast<std::size_t>(x)]];
  }
}

void CellHog::fill_cells() {
  const int across = size_.width / kCell, down = size_.height / kCell;
  cells_.assign(static_cast<std::size_t>(across) * static_cast<std::size_t>(down) * kBins, 0.f);
  for (int y = 0; y < down * kCell; ++y) {
    const std::size_t at = static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width);
    float* cell = cells_.data() + static_cast<std::ptrdiff_t>(y / kCell) * across * kBins;
    for (int first = 0; first < across * kCell; first += kCell, cell += kBins) {
      for (int i = 0; i < kCell; ++i) {
        const std::size_t pixel = at + static_cast<std::size_t>(first + i);
        cell[bins_[pixel]] += lengths_[pixel];
      }
    }
  }
}

// Fills the integral histogram. Each corner has nine sums.
void CellHog::fill_integral() {
  const std::ptrdiff_t pitch = std::ptrdiff_t{size_.width + 1} * kBins;
  integral_.resize(static_cast<std::size_t>(pitch) * static_cast<std::size_t>(size_.height + 1));
  std::fill_n(integral_.begin(), pitch, 0.f);
  for (int y = 0; y < size_.height; ++y) {
    const float* above = integral_.data() + y * pitch;
    float* to = integral_.data() + (y + 1) * pitch;
    std::fill_n(to, kBins, 0.f);
    float row[kBins] = {};
    const std::size_t at = static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width);
    for (int x = 0; x < size_.width; ++x) {
      above += kBins, to += kBins;
      row[bins_[at + static_cast<std::size_t>(x)]] += lengths_[at + static_cast<std::size_t>(x)];
      for (int k = 0; k < kBins; ++k) to[k] = above[k] + row[k];
    }
  }
}

void CellHog::scan(CellMethod method, winnow::GrayView level, int step, std::vector<float>& scores) {
  scores.clear();
  const int cols = (level.width - 64) / step + 1, rows = (level.height - 128) / step + 1;
  if (level.width < 64 || level.height < 128) return;
  if (method != CellMethod::kIntegral && step % kCell != 0)
    throw std::runtime_error("windows share cells only at a stride of whole cells");
  vote(level);
  if (method == CellMethod::kIntegral) {
    fill_integral();
    const std::ptrdiff_t pitch = std::ptrdiff_t{level.width + 1} * kBins;
    float cells[16 * 8 * kBins];
    for (int row = 0; row < rows; ++row) {
      for (int col = 0; col < cols; ++col) {
        cells_of_corners(integral_.data() + row * step * pitch + std::ptrdiff_t{col} * step * kBins, pitch,
                         cells);
        scores.push_back(score_of_cells(cells, 8 * kBins, weights_.data()) + bias_);
      }
    }
    return;
  }
  fill_cells();
  const std::ptrdiff_t across = level.width / kCell, pitch = across * kBins;
  const int apart = step / kCell;
  if (method == CellMethod::kCells) {
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col)
        scores.push_back(score_of_cells(cells_.data() + row * apart * pitch + col * apart * kBins, pitch,
                                        weights_.data()) +
                         bias_);
    return;
  }
  const std::ptrdiff_t blocks_across = across - 1, blocks_down = level.height / kCell - 1,
                       blocks_pitch = blocks_across * kValues;
  blocks_.resize(static_cast<std::size_t>(blocks_pitch * blocks_down));
  for (std::ptrdiff_t y = 0; y < blocks_down; ++y)
    normalise_blocks(cells_.data() + y * pitch, pitch, static_cast<int>(blocks_across),
                     blocks_.data() + y * blocks_pitch);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col)
      scores.push_back(score_of_blocks(blocks_.data() + row * apart * blocks_pitch + col * apart * kValues,
                                       blocks_pitch, weights_.data()) +
                       bias_);
}

}  // namespace bench
