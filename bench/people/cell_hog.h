// Scores windows by a linear SVM over plain histograms of cells, as baselines for a bench. The methods are
// CPU-HC and CPU-II of a thesis on people in pictures.
//
// In:     a grey level, and the weights of a HOG SVM of 64x128 with cells of 8x8 and blocks of two by two
//         cells.
// Out:    a score for each window, row by row.
// Exact:  no. Sums are float, in a fixed order; the methods' scores differ by rounding.
// Memory: owns scratch for the largest level so far.
// Thread: one thread at a time.
//
// Votes are those of hard_votes.h: no Gaussian, no interpolation. A block is normalised as L2-Hys.
#pragma once

#include <winnow/hog.h>
#include <winnow/image.h>

#include <array>
#include <cstdint>
#include <vector>

namespace bench {

enum class CellMethod {
  kCells,     // CPU-HC: windows share the histograms of cells, and normalise their blocks
  kBlocks,    // windows share normalised blocks, too
  kIntegral,  // CPU-II: nine integral histograms; windows compute cells from four corners each
};

class CellHog {
 public:
  explicit CellHog(const winnow::HogSvmModel& model);

  // `step`: pixels from one window to the next; a multiple of 8 for all but kIntegral.
  void scan(CellMethod method, winnow::GrayView level, int step, std::vector<float>& scores);

 private:
  static constexpr int kCell = 8, kValues = 36;

  void vote(winnow::GrayView level);
  void fill_cells();
  void fill_integral();

  std::array<float, 7 * 15 * std::size_t{kValues}> weights_;  // the weights of each block, blocks row by row
  float bias_;
  winnow::Size size_;
  std::vector<std::uint8_t> bins_;  // the bin of each pixel
  std::vector<float> lengths_, cells_, blocks_, integral_;
};

}  // namespace bench
