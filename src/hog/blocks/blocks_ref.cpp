// Judges windows with a cascade of HOG blocks in plain loops, as hog/blocks/block_steps.h and
// hog/blocks/histograms.h declare; their opening comments hold here.
#include <algorithm>
#include <cmath>
#include <limits>

#include "hog/blocks/block_steps.h"
#include "hog/blocks/response_rule.h"
#include "hog/hog_steps.h"
#include "model/hog_cascade_model.h"
#include "scale/resize.h"

namespace winnow {
namespace {

class BlockSieveRef final : public Sieve {
 public:
  explicit BlockSieveRef(const DetectorModel& model) : model_(model), cascade_(block_model(model)) {}

  void set_options(const SieveOptions& options) override { min_score_ = min_hog_score(options); }

  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override {
    result = {};
    result.windows = plan.window_count;
    result.reached.assign(cascade_.stages.size() + 1, 0);
    GrayImage roots;
    take_roots(picture.gray, roots);
    for (const Level& level : plan.levels) search_level(std::as_const(roots).view(), level, result);
    for (std::size_t s = 0; s < cascade_.stages.size(); ++s) result.weak += result.reached[s];
  }

  std::unique_ptr<Sieve> clone_for_thread() const override { return std::make_unique<BlockSieveRef>(model_); }

 private:
  void search_level(GrayView roots, const Level& level, SieveResult& result) const {
    if (level.cols <= 0 || level.rows <= 0) return;
    GrayImage image(level.width, level.height);
    resize_ref(roots, image.view());
    const IntegralHistograms histograms = integrate_votes_ref(std::as_const(image).view(), cascade_.grid);
    const std::int64_t min_sum = min_block_sum(cascade_, min_score_);
    for (int row = 0; row < level.rows; ++row) {
      for (int col = 0; col < level.cols; ++col) {
        std::int32_t sum = 0;
        if (!passes(histograms, col * level.step / cascade_.grid,
                    (level.corner.y + row * level.row_step) / cascade_.grid, sum, result.reached) ||
            sum < min_sum)
          continue;
        ++result.reached.back();
        result.survivors.push_back({level.first_window + static_cast<std::int64_t>(row) * level.cols + col,
                                    block_score(cascade_, sum)});
      }
    }
  }

  bool passes(const IntegralHistograms& histograms, int x, int y, std::int32_t& sum,
              std::vector<std::int64_t>& reached) const {
    for (std::size_t s = 0; s < cascade_.stages.size(); ++s) {
      const HogBlockStage& stage = cascade_.stages[s];
      ++reached[s];
      const auto values = block_values_ref(histograms, stage.block, cascade_.grid, x, y);
      std::int32_t product = 0, squares = 0;
      for (int k = 0; k < kHogBlockValues; ++k) {
        product += values[k] * stage.weights[k];
        squares += values[k] * values[k];
      }
      sum += stage.table[response_bin(product, squares, stage.first, stage.bins_per_response)];
      if (sum < stage.min_sum) return false;
    }
    return true;
  }

  DetectorModel model_;
  const HogCascadeModel& cascade_;
  double min_score_ = 0;
};

}  // namespace

const HogCascadeModel& block_model(const DetectorModel& model) {
  return *dynamic_cast<const HogCascadeBody&>(model.body()).model();
}

std::int64_t min_block_sum(const HogCascadeModel& model, double min_score) {
  const double min_sum = std::ceil(min_score * kScoreUnit) + model.zero;
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int64_t>(std::clamp(min_sum, -kMost - 1, kMost + 1));
}

void take_roots(GrayView picture, GrayImage& roots) {
  static const auto table = [] {
    std::array<std::uint8_t, 256> list{};
    for (int i = 0; i < 256; ++i) list[i] = root_pixel(static_cast<std::uint8_t>(i));
    return list;
  }();
  if (roots.size() != picture.size()) roots = GrayImage(picture.width, picture.height);
  for (int y = 0; y < picture.height; ++y) {
    const std::uint8_t* from = picture.row(y);
    std::uint8_t* to = roots.row(y);
    for (int x = 0; x < picture.width; ++x) to[x] = table[from[x]];
  }
}

IntegralHistograms integrate_votes_ref(GrayView level, int grid) {
  IntegralHistograms result;
  result.cells = {level.width / grid, level.height / grid};
  const std::ptrdiff_t pitch = static_cast<std::ptrdiff_t>(result.cells.width + 1) * kVoteBins;
  result.sums.assign(static_cast<std::size_t>(pitch) * (result.cells.height + 1), 0);
  for (int y = 0; y < result.cells.height * grid; ++y) {
    const std::uint8_t *row = level.row(y), *above = level.row(mirrored(y - 1, level.height)),
                       *below = level.row(mirrored(y + 1, level.height));
    std::uint32_t* const to = result.sums.data() + (y / grid + 1) * pitch;
    for (int x = 0; x < result.cells.width * grid; ++x) {
      std::int32_t votes[kVoteBins];
      gradient_votes(row[mirrored(x + 1, level.width)] - row[mirrored(x - 1, level.width)],
                     below[x] - above[x], votes);
      for (int k = 0; k < kVoteBins; ++k)
        to[(x / grid + 1) * kVoteBins + k] += static_cast<std::uint32_t>(votes[k]);
    }
  }
  for (int y = 1; y <= result.cells.height; ++y) {
    std::uint32_t* const row = result.sums.data() + y * pitch;
    for (std::ptrdiff_t i = kVoteBins; i < pitch; ++i) row[i] += row[i - kVoteBins];
    for (std::ptrdiff_t i = 0; i < pitch; ++i) row[i] += row[i - pitch];
  }
  return result;
}

std::array<std::int32_t, kHogBlockValues> block_values_ref(const IntegralHistograms& histograms,
                                                           const HogBlock& block, int grid, int x, int y) {
  std::array<std::int32_t, kHogBlockValues> values;
  const int shift = value_shift(block.cell_width * block.cell_height * grid * grid);
  auto value = values.begin();
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) {
      const int left = x + block.x + i * block.cell_width, top = y + block.y + j * block.cell_height;
      const std::uint32_t *a = histograms.at(left, top), *b = histograms.at(left + block.cell_width, top),
                          *c = histograms.at(left, top + block.cell_height),
                          *d = histograms.at(left + block.cell_width, top + block.cell_height);
      for (int k = 0; k < kVoteBins; ++k)
        *value++ = static_cast<std::int32_t>((d[k] - c[k] - b[k] + a[k]) >> shift);
    }
  }
  return values;
}

std::unique_ptr<Sieve> make_block_sieve_ref(const DetectorModel& model) {
  return std::make_unique<BlockSieveRef>(model);
}

}  // namespace winnow
