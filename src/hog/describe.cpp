// Computes the values of windows for `Describer`, as winnow/describe.h declares; its opening comment holds
// here.
#include <winnow/describe.h>

#include <cstdint>
#include <string>
#include <utility>

#include <winnow/error.h>

#include "hog/hog_form.h"
#include "hog/hog_grid.h"
#include "hog/hog_lanes.h"
#include "hog/hog_steps.h"

namespace winnow {
namespace {

constexpr std::int64_t kMostValues = std::int64_t{1} << 28;
constexpr int kMostPixels = 1 << 16, kMostCorner = 1 << 28;

HogForm form_of(const HogShape& shape) {
  check_hog_shape(shape);
  HogSvmModel model;
  model.shape = shape;
  model.weights.assign(shape.values(), 0);
  return make_hog_form(model);
}

void check(const DescribeOptions& options) {
  const auto good = [](Size size) {
    return size.width >= 0 && size.height >= 0 && size.width <= kMostPixels && size.height <= kMostPixels;
  };
  if (!good(options.step))
    throw Error(ErrorCode::kUsage, "the step from window to window must be from 0 to 65536 pixels");
  if (!good(options.padding)) throw Error(ErrorCode::kUsage, "the padding must be from 0 to 65536 pixels");
  for (const PixelPoint& corner : options.locations) {
    const auto far = [](int at) { return at < -kMostCorner || at > kMostCorner; };
    if (far(corner.x) || far(corner.y)) throw Error(ErrorCode::kUsage, "a location lies beyond 2^28 pixels");
  }
}

// Writes the values of a window to `to`, and returns their end. `first`: the values of the window's first
// block. `across`, `down`: the distance to the next block's values in a row and in a column of blocks.
float* copy_window(const HogShape& shape, const std::int16_t* first, std::ptrdiff_t across,
                   std::ptrdiff_t down, float* to) {
  constexpr float kUnit = 1.f / (1 << kHogValueBits);
  const Size blocks = shape.blocks();
  const int values = shape.block_values();
  for (int i = 0; i < blocks.width; ++i) {
    for (int j = 0; j < blocks.height; ++j) {
      const std::int16_t* from = first + i * across + j * down;
      for (int k = 0; k < values; ++k) *to++ = static_cast<float>(from[k]) * kUnit;
    }
  }
  return to;
}

}  // namespace

struct Describer::State {
  explicit State(const HogShape& of)
      : form(form_of(of)),
        lanes(lanes_fit(of) ? make_hog_lanes(form) : HogLanes()),
        cell_weights(grouped_cell_weights(form)) {}

  // Computes the values of a grid of windows of the picture in `views`. Writes them to `to`, and returns
  // their end.
  float* describe(Size picture, PixelPoint corner, Size count, Size step, float* to) {
    const HogShape& shape = form.shape;
    lay_grid(shape, corner, count, step, grid);
    if (static_cast<std::int64_t>(grid.count.width) * grid.count.height > kMostValues / grid.values)
      throw_limit();
    if (lanes_fit(shape)) {
      describe_lanes_cpu(lanes, views, picture, grid, lane_scratch);
    } else {
      describe_grid_cpu(form, cell_weights, views, picture, grid, grid_scratch);
    }
    const std::ptrdiff_t across = grid.across(shape), down = grid.down(shape);
    for (int y = 0; y < count.height; ++y) {
      for (int x = 0; x < count.width; ++x)
        to = copy_window(shape, grid.at(x * step.width / grid.step.width, y * step.height / grid.step.height),
                         across, down, to);
    }
    return to;
  }

  [[noreturn]] static void throw_limit() {
    throw Error(ErrorCode::kLimit, "the windows have more than " + std::to_string(kMostValues) +
                                       " values; raise the step, or describe parts of the picture");
  }

  HogForm form;
  HogLanes lanes;
  std::vector<float> cell_weights;
  HogScratch lane_scratch;
  HogGridScratch grid_scratch;
  BlockGrid grid;
  std::vector<GrayImage> planes;
  std::vector<GrayView> views;
};

Describer::Describer(const HogShape& shape) : state_(std::make_unique<State>(shape)) {}
Describer::~Describer() = default;
Describer::Describer(Describer&&) noexcept = default;
Describer& Describer::operator=(Describer&&) noexcept = default;

const HogShape& Describer::shape() const { return state_->form.shape; }

WindowValues Describer::describe(const PictureView& picture, const DescribeOptions& options) {
  WindowValues result;
  describe(picture, options, result);
  return result;
}

void Describer::describe(const PictureView& picture, const DescribeOptions& options, WindowValues& result) {
  check(options);
  State& state = *state_;
  const HogShape& shape = state.form.shape;
  result.count = {};
  result.length = shape.values();
  result.values.clear();
  const Size size = picture.size(), padding = options.padding, window = shape.window;
  if (size.width < 1 || size.height < 1) return;
  if (picture.gray.data == nullptr) throw Error(ErrorCode::kUsage, "a picture without pixels");
  Size step = options.step;
  if (step.width == 0) step.width = shape.block_stride.width;
  if (step.height == 0) step.height = shape.block_stride.height;
  const bool anywhere = !options.locations.empty();
  const int spare_x = size.width + 2 * padding.width - window.width,
            spare_y = size.height + 2 * padding.height - window.height;
  if (!anywhere && (spare_x < 0 || spare_y < 0)) return;
  const std::int64_t columns =
      anywhere ? static_cast<std::int64_t>(options.locations.size()) : spare_x / step.width + 1;
  const std::int64_t rows = anywhere ? 1 : spare_y / step.height + 1;
  const auto length = static_cast<std::int64_t>(result.length);
  if (columns > kMostValues / length || columns * rows > kMostValues / length) State::throw_limit();
  result.count = {static_cast<int>(columns), static_cast<int>(rows)};
  state.views.clear();
  if (picture.color.data != nullptr) {
    split_channels_cpu(picture.color, state.planes);
    for (const GrayImage& plane : state.planes) state.views.push_back(plane.view());
  } else {
    state.views.push_back(picture.gray);
  }
  result.values.resize(static_cast<std::size_t>(columns * rows * length));
  float* to = result.values.data();
  if (anywhere) {
    for (const PixelPoint& corner : options.locations) to = state.describe(size, corner, {1, 1}, step, to);
  } else {
    state.describe(size, {-padding.width, -padding.height}, result.count, step, to);
  }
}

WindowValues describe_windows(const PictureView& picture, const HogShape& shape,
                              const DescribeOptions& options) {
  return Describer(shape).describe(picture, options);
}

}  // namespace winnow
