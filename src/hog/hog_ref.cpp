// Scores windows by HOG SVMs in plain loops, as hog/hog_steps.h declares; its opening comment holds here.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hog/hog_steps.h"
#include "hog/rows/block_rule.h"
#include "hog/rows/gradient_rule.h"
#include "model/hog_model.h"
#include "scale/resize.h"

namespace winnow {
namespace {

// The votes of an area's pixels, row by row. The area may extend beyond the level. With several planes, a
// pixel votes with the longest of its gradients, or with the first of equal ones.
std::vector<GradientVote> votes_of(const HogForm& form, std::span<const GrayView> planes, const Box& area) {
  const Size size = planes[0].size();
  std::vector<GradientVote> votes;
  votes.reserve(static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height));
  for (int y = area.y; y < area.y + area.height; ++y) {
    const int above = mirrored(y - 1, size.height), here = mirrored(y, size.height),
              below = mirrored(y + 1, size.height);
    for (int x = area.x; x < area.x + area.width; ++x) {
      const int left = mirrored(x - 1, size.width), middle = mirrored(x, size.width),
                right = mirrored(x + 1, size.width);
      float dx = 0, dy = 0, most = -1;
      for (const GrayView& plane : planes) {
        const float across = form.pixel[plane.row(here)[right]] - form.pixel[plane.row(here)[left]];
        const float down = form.pixel[plane.row(below)[middle]] - form.pixel[plane.row(above)[middle]];
        const float squares = across * across + down * down;
        if (squares > most) most = squares, dx = across, dy = down;
      }
      votes.push_back(gradient_vote(dx, dy, form.shape.bins, form.bins_per_degree, form.shape.directed));
    }
  }
  return votes;
}

// The sums of the block at (left, top). Each row of the block's pixels is summed along x. Then rows are
// added.
void sum_block(const HogForm& form, const std::vector<GradientVote>& votes, int width, int left, int top,
               std::vector<float>& row, float* sums) {
  const HogShape& shape = form.shape;
  const Size cells = shape.cells();
  std::fill(sums, sums + shape.block_values(), 0.f);
  for (int y = 0; y < shape.block.height; ++y) {
    row.assign(static_cast<std::size_t>(cells.width) * shape.bins, 0.f);
    for (int x = 0; x < shape.block.width; ++x) {
      const GradientVote& vote = votes[static_cast<std::size_t>(top + y) * width + left + x];
      const int next = vote.bin + 1 < shape.bins ? vote.bin + 1 : 0;
      for (int c = 0; c < cells.width; ++c) {
        const float weight = form.across[static_cast<std::size_t>(c) * shape.block.width + x];
        if (weight == 0) continue;
        float* bins = row.data() + static_cast<std::ptrdiff_t>(c) * shape.bins;
        bins[vote.bin] = bins[vote.bin] + vote.here * weight;
        bins[next] = bins[next] + vote.next * weight;
      }
    }
    for (int r = 0; r < cells.height; ++r) {
      const float weight = form.down[static_cast<std::size_t>(r) * shape.block.height + y];
      if (weight == 0) continue;
      for (int c = 0; c < cells.width; ++c) {
        for (int bin = 0; bin < shape.bins; ++bin) {
          float& sum = sums[(c * cells.height + r) * shape.bins + bin];
          sum = sum + row[static_cast<std::size_t>(c) * shape.bins + bin] * weight;
        }
      }
    }
  }
}

class HogSieveRef final : public Sieve {
 public:
  explicit HogSieveRef(const DetectorModel& model)
      : model_(model), form_(make_hog_form(*dynamic_cast<const HogSvmBody&>(model.body()).model())) {}

  void set_options(const SieveOptions& options) override {
    gray_ = options.gray;
    min_score_ = min_hog_score(options);
  }

  void run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) override {
    result = {};
    result.windows = plan.window_count;
    result.reached = {plan.window_count, 0};
    result.weak = plan.window_count;
    if (plan.levels.empty()) return;
    std::vector<GrayImage> planes;
    if (!gray_ && picture.color.data != nullptr) split_channels(picture.color, planes);
    for (const Level& level : plan.levels) search_level(planes, picture.gray, level, result);
  }

  std::unique_ptr<Sieve> clone_for_thread() const override { return std::make_unique<HogSieveRef>(model_); }

 private:
  void search_level(const std::vector<GrayImage>& planes, GrayView gray, const Level& level,
                    SieveResult& result) const {
    if (level.cols <= 0 || level.rows <= 0) return;
    std::vector<GrayImage> images;
    std::vector<GrayView> views;
    const auto add = [&](GrayView source) {
      images.emplace_back(level.width, level.height);
      resize_ref(source, images.back().view());
    };
    if (planes.empty()) add(gray);
    for (const GrayImage& plane : planes) add(plane.view());
    for (const GrayImage& image : images) views.push_back(image.view());

    const HogShape& shape = form_.shape;
    BlockGrid grid;
    lay_grid(shape, level.corner, {level.cols, level.rows}, {level.step, level.row_step}, grid);
    describe_ref(form_, views, grid);
    const Size blocks = shape.blocks(), step = grid.step;
    for (int row = 0; row < level.rows; ++row) {
      for (int col = 0; col < level.cols; ++col) {
        std::int32_t whole = 0;
        const std::int16_t* weights = form_.weights.data();
        for (int i = 0; i < blocks.width; ++i) {
          for (int j = 0; j < blocks.height; ++j, weights += grid.values) {
            const std::int16_t* values =
                grid.at((col * level.step + i * shape.block_stride.width) / step.width,
                        (row * level.row_step + j * shape.block_stride.height) / step.height);
            std::int32_t sum = 0;
            for (int k = 0; k < grid.values; ++k) sum += values[k] * weights[k];
            whole += sum >> form_.shift;
          }
        }
        const double score = form_.score(whole);
        if (score < min_score_) continue;
        ++result.reached[1];
        result.survivors.push_back(
            {level.first_window + static_cast<std::int64_t>(row) * level.cols + col, score});
      }
    }
  }

  DetectorModel model_;
  HogForm form_;
  double min_score_ = 0;
  bool gray_ = false;
};

}  // namespace

void lay_grid(const HogShape& shape, PixelPoint corner, Size count, Size steps, BlockGrid& grid) {
  grid.corner = corner;
  if (count.width == 1) steps.width = shape.block_stride.width;
  if (count.height == 1) steps.height = shape.block_stride.height;
  grid.step = {std::gcd(steps.width, shape.block_stride.width),
               std::gcd(steps.height, shape.block_stride.height)};
  const Size blocks = shape.blocks();
  const auto places = [](int windows, int window_step, int of_window, int block_step, int grid_step) {
    return ((windows - 1) * window_step + (of_window - 1) * block_step) / grid_step + 1;
  };
  grid.count = {
      places(count.width, steps.width, blocks.width, shape.block_stride.width, grid.step.width),
      places(count.height, steps.height, blocks.height, shape.block_stride.height, grid.step.height)};
  grid.values = shape.block_values();
}

void describe_ref(const HogForm& form, std::span<const GrayView> planes, BlockGrid& grid) {
  const Size step = grid.step, block = form.shape.block;
  grid.make_room();
  const Box area = grid.area(block);
  const std::vector<GradientVote> votes = votes_of(form, planes, area);
  std::vector<float> row, sums(static_cast<std::size_t>(grid.values));
  std::int16_t* values = grid.blocks.data();
  for (int y = 0; y < grid.count.height; ++y) {
    for (int x = 0; x < grid.count.width; ++x, values += grid.values) {
      sum_block(form, votes, area.width, x * step.width, y * step.height, row, sums.data());
      normalise_block(sums.data(), grid.values, form.length_offset, form.clip, values);
    }
  }
}

double min_hog_score(const SieveOptions& options) {
  return std::isinf(options.min_score) && options.min_score < 0 ? 0 : options.min_score;
}

void split_channels(RgbView color, std::vector<GrayImage>& planes) {
  const Size size = color.size();
  planes.resize(3);
  for (GrayImage& plane : planes)
    if (plane.size() != size) plane = GrayImage(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    const Rgb* from = color.row(y);
    std::uint8_t *b = planes[0].row(y), *g = planes[1].row(y), *r = planes[2].row(y);
    for (int x = 0; x < size.width; ++x) b[x] = from[x].b, g[x] = from[x].g, r[x] = from[x].r;
  }
}

std::unique_ptr<Sieve> make_hog_sieve_ref(const DetectorModel& model) {
  return std::make_unique<HogSieveRef>(model);
}

}  // namespace winnow
