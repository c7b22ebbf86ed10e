// Loads and saves cascades of HOG blocks: each weak classifier weighs the values of one block and looks up a
// score.
//
//   winnow::HogCascade people = winnow::HogCascade::load("people.winnow");
//   winnow::Detector detector(people);
//
// In:     a file of Winnow's own format, or a model as plain data.
// Out:    a checked `HogCascade`, or the bytes of a file. `Error` for a file that cannot be read (kIo), is no
//         such model (kFormat), or fails the check (kFormat, kLimit, kUnsupported).
// Exact:  scores are whole multiples of 1 / kScoreUnit. A window gets the same score on every backend,
//         although the response is computed in floats. Reading the bytes of `to_bytes` gives an equal model.
// Memory: a `HogCascade` is immutable and cheap to copy. `model()` and `name()` live as long as any copy.
//         Bytes to parse are read only during the call.
// Thread: any number of threads may use one cascade.
//
// The picture is grey. The square roots of its pixels are resized to each level. Gradients vote for nine
// orientations in whole numbers. A block has two by two cells, whose corners lie on a grid. A block's 36
// values are the sums of its cells: cell by cell, row by row, nine orientations each. The design is in
// docs/design/016-blocks.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/cascade_model.h>
#include <winnow/detector_model.h>
#include <winnow/export.h>

namespace winnow {

inline constexpr int kHogBlockBins = 9, kHogBlockValues = 4 * kHogBlockBins, kHogTableBins = 32;
// A limit below every sum. A stage with this limit rejects no window.
inline constexpr std::int32_t kNoHogLimit = -(1 << 30);

// A block of a window: the corner of its first cell, and the size of each of its cells. The unit is a step of
// the grid.
struct HogBlock {
  std::uint8_t x = 0, y = 0, cell_width = 1, cell_height = 1;
  auto operator<=>(const HogBlock&) const = default;
};

struct HogBlockStage {
  HogBlock block;
  std::array<std::int16_t, kHogBlockValues> weights{};  // their squares add up to at most 32,767^2
  // A block's response is the sum of its values times the weights, divided by the norm of the values. The
  // table has a score for each bin of the response: bin i begins at `first` + i / `bins_per_response`.
  // Responses outside of the table take its first or last score.
  float first = 0, bins_per_response = 1;
  std::array<std::int16_t, kHogTableBins> table{};  // scores in units of 1 / kScoreUnit
  std::int32_t min_sum = 0;  // the stage rejects a window with a lower sum; in the units of `table`
  bool operator==(const HogBlockStage&) const = default;
};

struct HogCascadeModel {
  Size window{64, 128};
  int grid = 4;  // corners of cells lie on every `grid`-th pixel: 2, 4 or 8
  int step = 8;  // pixels from one window to the next, a multiple of the grid
  // A window's sum runs through all stages.
  std::vector<HogBlockStage> stages;
  // Subtracted from a window's sum to give the score, in the units of `table`. A score of 0 is then the usual
  // least score.
  std::int32_t zero = 0;
  // The mean of the positives that the model was trained on, for drawings of the model. A byte for each pixel
  // of the window, row by row; empty if it is not known.
  std::vector<std::uint8_t> mean;
  ModelCard card;
  std::vector<std::string> notes;

  // Compares all that changes a verdict; mean, card and notes are not compared.
  bool same_as(const HogCascadeModel& other) const {
    return window == other.window && grid == other.grid && step == other.step && stages == other.stages &&
           zero == other.zero;
  }
};

class WINNOW_API HogCascade {
 public:
  // `name` stands for the file in errors, and becomes the model's name if the bytes hold none.
  static HogCascade load(const std::string& path);
  static HogCascade parse(std::span<const std::byte> bytes, const std::string& name);
  // Checks `model` and takes it over.
  explicit HogCascade(HogCascadeModel model);
  // The cascade inside a detector model; empty for a model of another kind.
  static std::optional<HogCascade> from(const DetectorModel& model);

  const HogCascadeModel& model() const { return *model_; }
  const std::string& name() const { return model_->card.name; }
  Size window() const { return model_->window; }
  operator DetectorModel() const;

  // The bytes of a file in Winnow's format.
  std::vector<std::byte> to_bytes() const;
  // Replaces an existing file only after all bytes are written. kIo if the file cannot be written.
  void save(const std::string& path) const;

 private:
  explicit HogCascade(std::shared_ptr<const HogCascadeModel> checked);

  std::shared_ptr<const HogCascadeModel> model_;
};

}  // namespace winnow
