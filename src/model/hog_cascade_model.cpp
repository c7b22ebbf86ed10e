#include "model/hog_cascade_model.h"

#include <cmath>
#include <utility>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "base/count_text.h"
#include "base/file.h"
#include "base/size_text.h"
#include "model/check.h"
#include "model/file_kind.h"
#include "model/model_bytes.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

[[noreturn]] void refuse(const std::string& sentence, ErrorCode code = ErrorCode::kFormat) {
  throw Error(code, sentence);
}

void check_stage(const HogBlockStage& stage, const HogCascadeModel& model) {
  const HogBlock& block = stage.block;
  if (block.cell_width < 1 || block.cell_height < 1) refuse("a cell must be as large as the grid or larger");
  if ((block.x + 2 * block.cell_width) * model.grid > model.window.width ||
      (block.y + 2 * block.cell_height) * model.grid > model.window.height)
    refuse("the block is outside the window");
  std::int64_t squares = 0;
  for (const std::int16_t weight : stage.weights) squares += std::int64_t{weight} * weight;
  constexpr std::int64_t kMost = 32767;
  if (squares > kMost * kMost) refuse("the weights are longer than 32767");
  // Beyond these bounds a bin could not be computed in floats.
  if (!(std::abs(stage.first) <= 65536)) refuse("the table must begin between -65536 and 65536");
  if (!(stage.bins_per_response > 0 && stage.bins_per_response <= 65536))
    refuse("the bins of a response of 1 must be a number above 0, at most 65536");
}

}  // namespace

void check_hog_cascade(const HogCascadeModel& model) {
  if (model.grid != 2 && model.grid != 4 && model.grid != 8)
    refuse("the grid is " + std::to_string(model.grid) + " pixels, it must be 2, 4 or 8");
  if (model.window.width < 2 * model.grid || model.window.height < 2 * model.grid ||
      model.window.width % model.grid != 0 || model.window.height % model.grid != 0)
    refuse("a window of " + size_text(model.window) + " is not made of two or more steps of the grid");
  if (model.window.width > kMaxWindowSide || model.window.height > kMaxWindowSide ||
      model.window.width / model.grid > 255 || model.window.height / model.grid > 255)
    refuse("the window of " + size_text(model.window) + " is too large for its grid", ErrorCode::kLimit);
  if (model.step < model.grid || model.step > kMaxWindowSide || model.step % model.grid != 0)
    refuse("windows must lie a multiple of the grid apart");
  if (model.stages.empty()) refuse("there are no stages");
  if (model.stages.size() > kMaxHogStages)
    refuse("a model may have " + std::to_string(kMaxHogStages) + " stages at most", ErrorCode::kLimit);
  for (std::size_t i = 0; i < model.stages.size(); ++i) {
    try {
      check_stage(model.stages[i], model);
    } catch (const Error& error) {
      throw Error(error.code(), error.what(), {}, "stage " + std::to_string(i));
    }
  }
  // The sums of all tables stay below this bound, so a score minus `zero` never overflows.
  constexpr std::int32_t kMostZero = 1 << 29;
  if (model.zero < -kMostZero || model.zero > kMostZero) refuse("the zero of scores is too large");
  const auto pixels =
      static_cast<std::size_t>(model.window.width) * static_cast<std::size_t>(model.window.height);
  if (!model.mean.empty() && model.mean.size() != pixels)
    refuse("the mean positive has " + std::to_string(model.mean.size()) + " pixels, the window has " +
           std::to_string(pixels));
  if (model.notes.size() > kMaxNotes) refuse("the model has too many notes", ErrorCode::kLimit);
  for (const std::string& note : model.notes)
    if (note.size() > kMaxTextBytes || !is_clean_text(note))
      refuse("a note is too long or no clean UTF-8 text");
  check_card(model.card);
}

HogCascadeBody::HogCascadeBody(std::shared_ptr<const HogCascadeModel> model) : model_(std::move(model)) {
  rules_ = {ScaleRule::kOpenCvHog, StepRule::kFixed,   {model_->step, model_->step},
            MeanRule::kDouble,     WeightRule::kEqual, model_->grid};
}

std::string HogCascadeBody::holds() const {
  return count_text(static_cast<std::int64_t>(model_->stages.size()), "stage");
}

std::shared_ptr<const ModelBody> HogCascadeBody::with_card(const ModelCard& card) const {
  HogCascadeModel model = *model_;
  model.card = card;
  return checked_body<HogCascadeBody>(std::move(model), check_hog_cascade);
}

ModelKind hog_cascade_kind() {
  return {.name = kHogCascadeKind,
          .words = "a cascade of HOG blocks",
          .files = {},
          .recognizes =
              [](std::span<const std::byte> bytes) { return winnow_kind(bytes) == WinnowKind::kHogCascade; },
          .parse =
              [](std::span<const std::byte> bytes, const std::string& name) {
                return checked_body<HogCascadeBody>(read_hog_cascade(bytes, name), check_hog_cascade);
              },
          .writers = {{{kWinnowFormat, kWinnowEnding},
                       [](const ModelBody& body) {
                         return write_winnow_hog_cascade(*dynamic_cast<const HogCascadeBody&>(body).model());
                       }}},
          .endings = {kWinnowEnding}};
}

HogCascadeModel read_hog_cascade(std::span<const std::byte> bytes, const std::string& name) {
  if (!is_winnow_file(bytes))
    refuse(std::string("this is ") + describe_bytes(bytes) + "; a cascade of HOG blocks is a .winnow file");
  HogCascadeModel model = read_winnow_hog_cascade(bytes);
  if (model.card.name.empty()) model.card.name = clean_text(name);
  return model;
}

HogCascade::HogCascade(HogCascadeModel model) {
  check_hog_cascade(model);
  model_ = std::make_shared<const HogCascadeModel>(std::move(model));
}

HogCascade::HogCascade(std::shared_ptr<const HogCascadeModel> checked) : model_(std::move(checked)) {}

HogCascade HogCascade::parse(std::span<const std::byte> bytes, const std::string& name) {
  return parse_in_file(name, kHogCascadeKind, [&] { return HogCascade(read_hog_cascade(bytes, name)); });
}

HogCascade HogCascade::load(const std::string& path) {
  const ModelBytes bytes(path);
  return parse_in_file(path, kHogCascadeKind,
                       [&] { return HogCascade(read_hog_cascade(bytes.view(), bytes.name())); });
}

std::optional<HogCascade> HogCascade::from(const DetectorModel& model) {
  const auto* body = dynamic_cast<const HogCascadeBody*>(&model.body());
  if (body == nullptr) return std::nullopt;
  return HogCascade(body->model());
}

HogCascade::operator DetectorModel() const { return DetectorModel(std::make_shared<HogCascadeBody>(model_)); }

std::vector<std::byte> HogCascade::to_bytes() const { return write_winnow_hog_cascade(*model_); }

void HogCascade::save(const std::string& path) const {
  try {
    write_file(path, to_bytes());
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

}  // namespace winnow
