#include "model/hog_model.h"

#include <cmath>
#include <utility>

#include <winnow/error.h>

#include "model/check.h"
#include "model/model_bytes.h"

namespace winnow {
namespace {

[[noreturn]] void refuse(const std::string& sentence, ErrorCode code = ErrorCode::kFormat) {
  throw Error(code, sentence);
}

std::string words(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

bool positive(Size size) { return size.width > 0 && size.height > 0; }

}  // namespace

void check_hog_shape(const HogShape& shape) {
  if (!positive(shape.window) || !positive(shape.block) || !positive(shape.block_stride) ||
      !positive(shape.cell))
    refuse("sizes of window, block, stride and cell must be 1 or more");
  if (shape.window.width > kMaxWindowSide || shape.window.height > kMaxWindowSide)
    refuse("the window is " + words(shape.window) + ", at most " + std::to_string(kMaxWindowSide) +
               " a side are taken",
           ErrorCode::kLimit);
  if (shape.block.width > shape.window.width || shape.block.height > shape.window.height)
    refuse("a block of " + words(shape.block) + " does not fit the window of " + words(shape.window));
  if (shape.block.width % shape.cell.width != 0 || shape.block.height % shape.cell.height != 0)
    refuse("a block of " + words(shape.block) + " is not made of whole cells of " + words(shape.cell));
  if ((shape.window.width - shape.block.width) % shape.block_stride.width != 0 ||
      (shape.window.height - shape.block.height) % shape.block_stride.height != 0)
    refuse("blocks of " + words(shape.block) + " at a stride of " + words(shape.block_stride) +
           " do not fill the window of " + words(shape.window));
  if (shape.bins < 1 || shape.bins > kMaxHogBins)
    refuse("there are " + std::to_string(shape.bins) + " bins, 1 to " + std::to_string(kMaxHogBins) +
               " are taken",
           ErrorCode::kLimit);
  const Size cells = shape.cells();
  if (static_cast<std::int64_t>(cells.width) * cells.height * shape.bins > kMaxHogBlockValues)
    refuse("a block has more than " + std::to_string(kMaxHogBlockValues) + " values", ErrorCode::kLimit);
  if (shape.values() > kMaxHogValues)
    refuse("a window has more than " + std::to_string(kMaxHogValues) + " values", ErrorCode::kLimit);
  if (!(shape.sigma >= 0) || !std::isfinite(shape.sigma)) refuse("sigma must be 0 or more");
  if (!(shape.clip > 0) || !std::isfinite(shape.clip)) refuse("the clip value must be above 0");
}

void check_hog_svm(const HogSvmModel& model) {
  check_hog_shape(model.shape);
  if (model.weights.size() != model.shape.values())
    refuse("there are " + std::to_string(model.weights.size()) + " weights, a window has " +
           std::to_string(model.shape.values()) + " values");
  // Beyond these bounds the fixed-point weights of `hog_weights` could not be exact sums.
  constexpr float kMostWeight = 1 << 10;
  for (std::size_t i = 0; i < model.weights.size(); ++i) {
    if (!(std::abs(model.weights[i]) <= kMostWeight))
      throw Error(ErrorCode::kFormat, "a weight must be a number from -1024 to 1024", {},
                  "weight " + std::to_string(i));
  }
  if (!(std::abs(model.bias) <= 1e9)) refuse("the bias must be a number from -1e9 to 1e9");
  check_card(model.card);
}

HogSvmBody::HogSvmBody(std::shared_ptr<const HogSvmModel> model) : model_(std::move(model)) {
  // OpenCV's detectMultiScale takes the stride of blocks for that of windows.
  rules_ = {ScaleRule::kOpenCvHog, StepRule::kFixed, model_->shape.block_stride.width, MeanRule::kDouble};
}

HogSvm::HogSvm(HogSvmModel model) {
  check_hog_svm(model);
  model_ = std::make_shared<const HogSvmModel>(std::move(model));
}

HogSvm HogSvm::parse(std::span<const std::byte> bytes, const std::string& name) {
  return parse_in_file(name, kHogSvmKind, [&] { return HogSvm(read_hog_xml(bytes, name)); });
}

HogSvm HogSvm::load(const std::string& path) {
  const ModelBytes bytes(path);
  return parse_in_file(path, kHogSvmKind, [&] { return HogSvm(read_hog_xml(bytes.view(), bytes.name())); });
}

HogSvm::operator DetectorModel() const { return DetectorModel(std::make_shared<HogSvmBody>(model_)); }

}  // namespace winnow
