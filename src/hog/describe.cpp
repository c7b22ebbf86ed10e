#include <winnow/describe.h>

#include <cmath>
#include <numeric>
#include <string>

#include <winnow/error.h>

#include "hog/hog_form.h"
#include "hog/hog_steps.h"

namespace winnow {
namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 28;

HogForm form_of(const HogShape& shape) {
  HogSvmModel model;
  model.shape = shape;
  model.weights.assign(shape.values(), 0);
  return make_hog_form(model);
}

}  // namespace

WindowValues describe_windows(const PictureView& picture, const HogShape& shape, Size step) {
  check_hog_shape(shape);
  if (step.width < 0 || step.height < 0)
    throw Error(ErrorCode::kUsage, "the step from window to window must not be below 0");
  if (step.width == 0) step.width = shape.block_stride.width;
  if (step.height == 0) step.height = shape.block_stride.height;
  WindowValues result;
  result.length = shape.values();
  const Size size = picture.size();
  if (size.width < shape.window.width || size.height < shape.window.height) return result;
  if (picture.gray.data == nullptr) throw Error(ErrorCode::kUsage, "a picture without pixels");
  result.count = {(size.width - shape.window.width) / step.width + 1,
                  (size.height - shape.window.height) / step.height + 1};
  const std::size_t windows =
      static_cast<std::size_t>(result.count.width) * static_cast<std::size_t>(result.count.height);
  // The grid has a block wherever a block of a window may begin.
  const Size grid_step{std::gcd(step.width, shape.block_stride.width),
                       std::gcd(step.height, shape.block_stride.height)};
  const std::size_t grid_blocks = static_cast<std::size_t>(size.width / grid_step.width + 1) *
                                  static_cast<std::size_t>(size.height / grid_step.height + 1);
  if (windows > kMostValues / result.length ||
      grid_blocks > kMostValues / static_cast<std::size_t>(shape.block_values()))
    throw Error(ErrorCode::kLimit, "the windows have more than " + std::to_string(kMostValues) +
                                       " values; raise the step, or describe parts of the picture");
  std::vector<GrayImage> planes;
  std::vector<GrayView> views;
  if (picture.color.data != nullptr) split_channels(picture.color, planes);
  for (const GrayImage& plane : planes) views.push_back(plane.view());
  if (views.empty()) views.push_back(picture.gray);
  const BlockGrid grid = describe_level_ref(form_of(shape), views, grid_step);
  result.values.reserve(windows * result.length);
  const Size blocks = shape.blocks();
  for (int row = 0; row < result.count.height; ++row) {
    for (int column = 0; column < result.count.width; ++column) {
      for (int i = 0; i < blocks.width; ++i) {
        for (int j = 0; j < blocks.height; ++j) {
          const std::int16_t* values =
              grid.at((column * step.width + i * shape.block_stride.width) / grid_step.width,
                      (row * step.height + j * shape.block_stride.height) / grid_step.height);
          for (int k = 0; k < grid.values; ++k)
            result.values.push_back(std::ldexp(static_cast<float>(values[k]), -kHogValueBits));
        }
      }
    }
  }
  return result;
}

}  // namespace winnow
