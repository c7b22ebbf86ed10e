#include "model/hog_model.h"

#include <cmath>
#include <utility>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "base/count_text.h"
#include "base/file.h"
#include "model/check.h"
#include "model/file_kind.h"
#include "model/model_bytes.h"
#include "model/opencv/hog_storage.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

[[noreturn]] void refuse(const std::string& sentence, ErrorCode code = ErrorCode::kFormat) {
  throw Error(code, sentence);
}

std::string words(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

std::vector<std::byte> write_hog_svm(const HogSvmModel& model, HogFormat format) {
  switch (format) {
    case HogFormat::kOpenCvXml: {
      const std::string text = write_hog_xml(model);
      const std::span<const std::byte> view = std::as_bytes(std::span(text));
      return {view.begin(), view.end()};
    }
    case HogFormat::kWinnow:
      return write_winnow_hog_svm(model);
  }
  throw Error(ErrorCode::kUsage, "there is no such format of HOG SVMs");
}

template <HogFormat format>
std::vector<std::byte> write(const ModelBody& body) {
  return write_hog_svm(*dynamic_cast<const HogSvmBody&>(body).model(), format);
}

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
  // With larger weights, sums of the fixed-point weights that `make_hog_form` makes could be inexact.
  constexpr float kMostWeight = 1 << 10;
  for (std::size_t i = 0; i < model.weights.size(); ++i) {
    if (!(std::abs(model.weights[i]) <= kMostWeight))
      throw Error(ErrorCode::kFormat, "a weight must be a number from -1024 to 1024", {},
                  "weight " + std::to_string(i));
  }
  if (!(std::abs(model.bias) <= 1e9)) refuse("the bias must be a number from -1e9 to 1e9");
  if (model.notes.size() > kMaxNotes) refuse("the model has too many notes", ErrorCode::kLimit);
  for (const std::string& note : model.notes)
    if (note.size() > kMaxTextBytes || !is_clean_text(note))
      refuse("a note is too long or no clean UTF-8 text");
  check_card(model.card);
}

// OpenCV's detectMultiScale uses the stride of blocks as the step of windows.
PlanRules HogSvmBody::rules_of(const HogShape& shape) {
  PlanRules rules{ScaleRule::kOpenCvHog, StepRule::kFixed, shape.block_stride, MeanRule::kDouble,
                  WeightRule::kScore};
  rules.any_place = true;
  return rules;
}

HogSvmBody::HogSvmBody(std::shared_ptr<const HogSvmModel> model)
    : model_(std::move(model)), rules_(rules_of(model_->shape)) {}

std::string HogSvmBody::holds() const {
  return count_text(static_cast<std::int64_t>(model_->weights.size()), "weight");
}

std::shared_ptr<const ModelBody> HogSvmBody::with_card(const ModelCard& card) const {
  HogSvmModel model = *model_;
  model.card = card;
  return checked_body<HogSvmBody>(std::move(model), check_hog_svm);
}

ModelKind hog_svm_kind() {
  return {
      .name = kHogSvmKind,
      .words = "a linear SVM over HOG",
      .files = "OpenCV's HOGDescriptor in XML, YAML, JSON or as numbers",
      .recognizes = is_hog_svm,
      .parse =
          [](std::span<const std::byte> bytes, const std::string& name) {
            return checked_body<HogSvmBody>(read_hog_svm(bytes, name), check_hog_svm);
          },
      .writers = {{{kWinnowFormat, kWinnowEnding}, write<HogFormat::kWinnow>},
                  {{hog_format_name(HogFormat::kOpenCvXml), ".xml", false}, write<HogFormat::kOpenCvXml>}},
      .endings = {kWinnowEnding, ".xml"}};
}

const char* hog_format_name(HogFormat format) {
  switch (format) {
    case HogFormat::kOpenCvXml:
      return "opencv-xml";
    case HogFormat::kWinnow:
      return "winnow";
  }
  return "unknown";
}

bool is_hog_svm(std::span<const std::byte> bytes) {
  return winnow_kind(bytes) == WinnowKind::kHogSvm || is_hog_xml(bytes) || is_hog_yaml(bytes) ||
         is_hog_text(bytes);
}

HogSvmModel read_hog_svm(std::span<const std::byte> bytes, const std::string& name) {
  HogSvmModel model;
  if (is_winnow_file(bytes)) {
    model = read_winnow_hog_svm(bytes);
  } else if (is_probably_xml(bytes)) {
    model = read_hog_xml(bytes);
  } else if (is_hog_yaml(bytes)) {
    model = read_hog_yaml(bytes);
  } else if (is_hog_text(bytes)) {
    model = read_hog_text(bytes);
  } else {
    refuse(std::string("this is ") + describe_bytes(bytes) +
           "; a linear SVM over HOG is needed: OpenCV's HOGDescriptor in XML, YAML or JSON, its numbers as "
           "text, or a .winnow file");
  }
  if (model.card.name.empty()) model.card.name = clean_text(name);
  return model;
}

HogSvm::HogSvm(HogSvmModel model) {
  check_hog_svm(model);
  model_ = std::make_shared<const HogSvmModel>(std::move(model));
}

HogSvm::HogSvm(std::shared_ptr<const HogSvmModel> checked) : model_(std::move(checked)) {}

HogSvm HogSvm::parse(std::span<const std::byte> bytes, const std::string& name) {
  return parse_in_file(name, kHogSvmKind, [&] { return HogSvm(read_hog_svm(bytes, name)); });
}

HogSvm HogSvm::load(const std::string& path) {
  const ModelBytes bytes(path);
  return parse_in_file(path, kHogSvmKind, [&] { return HogSvm(read_hog_svm(bytes.view(), bytes.name())); });
}

std::optional<HogSvm> HogSvm::from(const DetectorModel& model) {
  const auto* body = dynamic_cast<const HogSvmBody*>(&model.body());
  if (body == nullptr) return std::nullopt;
  return HogSvm(body->model());
}

HogSvm::operator DetectorModel() const { return DetectorModel(std::make_shared<HogSvmBody>(model_)); }

std::vector<std::byte> HogSvm::to_bytes(HogFormat format) const { return write_hog_svm(*model_, format); }

void HogSvm::save(const std::string& path, HogFormat format) const {
  try {
    write_file(path, to_bytes(format));
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

}  // namespace winnow
