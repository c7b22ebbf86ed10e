#include "model/landmarks/landmark_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "base/count_text.h"
#include "base/file.h"
#include "model/check.h"
#include "model/file_kind.h"
#include "model/landmarks/dlib_shape.h"
#include "model/model_bytes.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

[[noreturn]] void refuse(const std::string& sentence, ErrorCode code = ErrorCode::kFormat,
                         const std::string& place = {}) {
  throw Error(code, sentence, {}, place);
}

void check_count(std::int64_t value, std::int64_t most, const char* of_what) {
  if (value < 1) refuse(std::string("there must be 1 or more ") + of_what);
  if (value > most)
    refuse("there are " + std::to_string(value) + " " + of_what + ", " + std::to_string(most) + " are taken",
           ErrorCode::kLimit);
}

void check_length(std::size_t length, std::size_t wanted, const char* list) {
  if (length != wanted)
    refuse("the list of " + std::string(list) + " has " + std::to_string(length) + " elements, " +
           std::to_string(wanted) + " are needed");
}

bool within(float value, float bound) { return std::abs(value) <= bound; }  // false for NaN

void check_trees(const ShapeTrees& trees, std::size_t points, bool fixed_point) {
  check_count(trees.stages, kMaxShapeStages, "stages");
  check_count(trees.trees, kMaxStageTrees, "trees in a stage");
  check_count(trees.pixels, kMaxStagePixels, "pixels in a stage");
  check_count(trees.depth, kMaxTreeDepth, "splits on the way to a leaf");
  check_length(trees.pixel_list.size(),
               static_cast<std::size_t>(trees.stages) * static_cast<std::size_t>(trees.pixels), "pixels");
  check_length(trees.splits.size(), trees.tree_count() * trees.splits_per_tree(), "splits");
  for (std::size_t i = 0; i < trees.pixel_list.size(); ++i) {
    const ShapePixel& pixel = trees.pixel_list[i];
    if (pixel.point >= points)
      refuse("there is no such point", ErrorCode::kFormat, "pixel " + std::to_string(i));
    if (!within(pixel.offset.x, kMaxCoordinate) || !within(pixel.offset.y, kMaxCoordinate))
      refuse("an offset must be a number from -100 to 100", ErrorCode::kFormat, "pixel " + std::to_string(i));
  }
  for (std::size_t i = 0; i < trees.splits.size(); ++i) {
    const ShapeSplit& split = trees.splits[i];
    if (split.first >= trees.pixels || split.second >= trees.pixels)
      refuse("there is no such pixel", ErrorCode::kFormat, "split " + std::to_string(i));
    const bool good = fixed_point ? within(split.threshold, kMaxFixedThreshold) &&
                                        split.threshold == std::floor(split.threshold)
                                  : within(split.threshold, kMaxThreshold);
    if (!good)
      refuse(fixed_point ? "a threshold must be a whole number from -256 to 256"
                         : "a threshold must be a number from -1e6 to 1e6",
             ErrorCode::kFormat, "split " + std::to_string(i));
  }
}

void check_leaf_numbers(const ShapeTrees& trees, std::size_t values) {
  if (values == 0 || trees.tree_count() * trees.leaves_per_tree() > kMaxLeafNumbers / values)
    refuse("the leaves hold more than " + std::to_string(kMaxLeafNumbers) + " numbers", ErrorCode::kLimit);
}

// `outputs`: how many numbers a stage gives. Without a basis, a leaf holds as many numbers.
void check_fixed_leaves(const FixedLeaves& leaves, const ShapeTrees& trees, std::size_t outputs) {
  check_count(leaves.values, static_cast<std::int64_t>(2 * kMaxPoints), "numbers in a leaf");
  const auto values = static_cast<std::size_t>(leaves.values),
             stages = static_cast<std::size_t>(trees.stages);
  check_leaf_numbers(trees, values);
  check_length(leaves.numbers.size(), trees.tree_count() * trees.leaves_per_tree() * values,
               "numbers in leaves");
  check_length(leaves.unit_bits.size(), stages, "units");
  for (const std::int32_t bits : leaves.unit_bits)
    if (bits < 0 || bits > kMaxUnitBits) refuse("a unit must have 0 to 40 bits");
  if (leaves.basis.empty()) {
    if (values != outputs) refuse("a leaf has too few or too many numbers");
  } else {
    check_length(leaves.basis.size(), stages * values * outputs, "basis");
    if (static_cast<std::size_t>(trees.trees) * values > kMaxBasisNumbers)
      refuse("a stage has too many trees for its basis", ErrorCode::kLimit);
  }
}

void check_confidence(const PointConfidence& confidence, std::size_t points) {
  if (confidence.trees.stages != 1) refuse("the confidence must have one stage");
  check_trees(confidence.trees, points, true);
  // There is a curve for each point. If there is one curve more, the last one is for presence.
  const std::size_t outputs = points + (confidence.slope.size() == points + 1 ? 1 : 0);
  check_fixed_leaves(confidence.leaves, confidence.trees, outputs);
  if (!confidence.leaves.basis.empty()) refuse("the confidence has a basis");
  check_length(confidence.slope.size(), outputs, "slopes");
  check_length(confidence.shift.size(), outputs, "shifts");
  for (const std::vector<float>& list : {confidence.slope, confidence.shift})
    for (const float value : list)
      if (!within(value, kMaxLeaf)) refuse("a number of the confidence is out of range");
  if (!(confidence.distance > 0 && confidence.distance <= 1))
    refuse("the distance of the confidence must be above 0 and at most 1");
}

void check_scheme(const PointScheme& scheme, std::size_t points) {
  if (!scheme.names.empty()) check_length(scheme.names.size(), points, "names of points");
  for (const std::string& name : scheme.names)
    if (name.empty() || name.size() > kMaxTextBytes || !is_clean_text(name))
      refuse("a point's name is empty, too long or no clean UTF-8 text");
  if (!scheme.mirrored.empty()) check_length(scheme.mirrored.size(), points, "mirrored points");
  for (const auto* list : {&scheme.mirrored, &scheme.left_eye, &scheme.right_eye, &scheme.outer_corners})
    if (list->size() > points ||
        std::any_of(list->begin(), list->end(), [&](std::uint16_t number) { return number >= points; }))
      refuse("the scheme names a point that is not there");
  for (std::size_t i = 0; i < scheme.mirrored.size(); ++i)
    if (scheme.mirrored[scheme.mirrored[i]] != i) refuse("mirrored twice, a point must become itself");
  if (scheme.left_eye.empty() != scheme.right_eye.empty()) refuse("the scheme has one eye");
  if (!scheme.outer_corners.empty()) check_length(scheme.outer_corners.size(), 2, "outer corners of eyes");
}

std::vector<std::byte> write_landmarks(const LandmarkModel& model, LandmarkFormat format) {
  switch (format) {
    case LandmarkFormat::kWinnow:
      return write_winnow_landmarks(model);
    case LandmarkFormat::kDlib:
      return write_dlib_shape(model);
  }
  throw Error(ErrorCode::kUsage, "there is no such format of landmarks");
}

template <LandmarkFormat format>
std::vector<std::byte> write(const ModelBody& body) {
  return write_landmarks(*dynamic_cast<const LandmarkBody&>(body).model(), format);
}

}  // namespace

void check_landmarks(const LandmarkModel& model) {
  check_count(static_cast<std::int64_t>(model.mean.size()), static_cast<std::int64_t>(kMaxPoints), "points");
  const bool fixed_point = model.fixed_point();
  const float bound = fixed_point ? kMaxFixedCoordinate : kMaxCoordinate;
  for (std::size_t i = 0; i < model.mean.size(); ++i)
    if (!within(model.mean[i].x, bound) || !within(model.mean[i].y, bound))
      refuse("the mean shape lies too far from its box", ErrorCode::kFormat, "point " + std::to_string(i));
  check_trees(model.trees, model.mean.size(), fixed_point);
  const std::size_t coordinates = 2 * model.mean.size();
  if (fixed_point) {
    check_fixed_leaves(model.fixed_leaves, model.trees, coordinates);
  } else {
    if (model.fixed_leaves != FixedLeaves{}) refuse("the model has leaves of two kinds");
    if (model.turned) refuse("what a stage adds turns only in models of fixed point");
    check_leaf_numbers(model.trees, coordinates);
    check_length(model.float_leaves.size(),
                 model.trees.tree_count() * model.trees.leaves_per_tree() * coordinates, "numbers in leaves");
    for (const float value : model.float_leaves)
      if (!within(value, kMaxLeaf)) refuse("a number of a leaf is out of range");
  }
  if (model.confidence) check_confidence(*model.confidence, model.mean.size());
  if (model.scheme) check_scheme(*model.scheme, model.mean.size());
  const BoxPlace& place = model.place;
  if (!(place.scale >= 0.1 && place.scale <= 10) || !(std::abs(place.right) <= 2) ||
      !(std::abs(place.down) <= 2))
    refuse("the place of boxes makes no sense");
  if (model.detector.size() > kMaxTextBytes || !is_clean_text(model.detector))
    refuse("the detector's name is too long or no clean UTF-8 text");
  if (model.notes.size() > kMaxNotes) refuse("the model has too many notes", ErrorCode::kLimit);
  for (const std::string& note : model.notes)
    if (note.size() > kMaxTextBytes || !is_clean_text(note))
      refuse("a note is too long or no clean UTF-8 text");
  check_card(model.card);
}

std::string LandmarkBody::does() const {
  return "marks " + count_text(static_cast<std::int64_t>(model_->mean.size()), "point") +
         (model_->card.kind.empty() ? std::string() : " of a " + model_->card.kind);
}

std::string LandmarkBody::holds() const {
  return count_text(static_cast<std::int64_t>(model_->trees.tree_count()), "tree");
}

std::shared_ptr<const ModelBody> LandmarkBody::with_card(const ModelCard& card) const {
  LandmarkModel model = *model_;
  model.card = card;
  return checked_body<LandmarkBody>(std::move(model), check_landmarks);
}

ModelKind landmark_kind() {
  return {.name = kLandmarkKind,
          .words = "landmarks by regression trees",
          .files = "dlib's shape_predictor",
          .recognizes = is_landmarks,
          .parse =
              [](std::span<const std::byte> bytes, const std::string& name) {
                return checked_body<LandmarkBody>(read_landmarks(bytes, name), check_landmarks);
              },
          .writers = {{{kWinnowFormat, kWinnowEnding}, write<LandmarkFormat::kWinnow>},
                      {{landmark_format_name(LandmarkFormat::kDlib), ".dat", false},
                       write<LandmarkFormat::kDlib>}},
          .endings = {kWinnowEnding, ".dat"}};
}

const char* landmark_format_name(LandmarkFormat format) {
  switch (format) {
    case LandmarkFormat::kWinnow:
      return "winnow";
    case LandmarkFormat::kDlib:
      return "dlib";
  }
  return "unknown";
}

bool is_landmarks(std::span<const std::byte> bytes) {
  return winnow_kind(bytes) == WinnowKind::kLandmarks || is_dlib_shape(bytes);
}

LandmarkModel read_landmarks(std::span<const std::byte> bytes, const std::string& name) {
  LandmarkModel model;
  if (is_winnow_file(bytes)) {
    model = read_winnow_landmarks(bytes);
  } else if (is_dlib_shape(bytes)) {
    model = read_dlib_shape(bytes);
  } else {
    refuse(std::string("this is ") + describe_bytes(bytes) +
           "; landmarks are needed: dlib's shape_predictor (.dat), or a .winnow file");
  }
  if (model.card.name.empty()) model.card.name = clean_text(name);
  return model;
}

LandmarkModel with_fixed_leaves(const LandmarkModel& model) {
  if (model.fixed_point()) throw Error(ErrorCode::kUsage, "the model's leaves are whole numbers already");
  LandmarkModel fixed = model;
  fixed.float_leaves.clear();
  FixedLeaves& leaves = fixed.fixed_leaves;
  leaves.values = static_cast<std::int32_t>(2 * model.mean.size());
  const auto stages = static_cast<std::size_t>(model.trees.stages);
  const std::size_t in_stage = model.float_leaves.size() / stages;
  leaves.numbers.resize(model.float_leaves.size());
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const auto stage_leaves = std::span(model.float_leaves).subspan(stage * in_stage, in_stage);
    float largest = 0;
    for (const float value : stage_leaves) largest = std::max(largest, std::abs(value));
    // Chooses the finest unit in which the largest number of the stage fits 16 bits.
    std::int32_t bits = kMaxUnitBits;
    while (bits > 0 && std::ldexp(static_cast<double>(largest), bits) > 32767) --bits;
    if (std::ldexp(static_cast<double>(largest), bits) > 32767)
      throw Error(ErrorCode::kUnsupported, "a leaf moves a point by more than 16 bits can say");
    leaves.unit_bits.push_back(bits);
    for (std::size_t i = 0; i < in_stage; ++i)
      leaves.numbers[stage * in_stage + i] =
          static_cast<std::int16_t>(std::lrint(std::ldexp(static_cast<double>(stage_leaves[i]), bits)));
  }
  // A difference of two pixels is a whole number, so it is above a threshold exactly if it is above the
  // threshold's floor.
  for (ShapeSplit& split : fixed.trees.splits)
    split.threshold = std::clamp(std::floor(split.threshold), -kMaxFixedThreshold, kMaxFixedThreshold);
  return fixed;
}

Landmarks::Landmarks(LandmarkModel model) {
  check_landmarks(model);
  model_ = std::make_shared<const LandmarkModel>(std::move(model));
}

Landmarks::Landmarks(std::shared_ptr<const LandmarkModel> checked) : model_(std::move(checked)) {}

Landmarks Landmarks::parse(std::span<const std::byte> bytes, const std::string& name) {
  return parse_in_file(name, kLandmarkKind, [&] { return Landmarks(read_landmarks(bytes, name)); });
}

Landmarks Landmarks::load(const std::string& path) {
  const ModelBytes bytes(path);
  return parse_in_file(path, kLandmarkKind,
                       [&] { return Landmarks(read_landmarks(bytes.view(), bytes.name())); });
}

std::optional<Landmarks> Landmarks::from(const Model& model) {
  const auto* body = dynamic_cast<const LandmarkBody*>(&model.body());
  if (body == nullptr) return std::nullopt;
  return Landmarks(body->model());
}

Landmarks::operator Model() const { return Model(std::make_shared<LandmarkBody>(model_)); }

Landmarks Landmarks::for_face_boxes() const {
  // A model with `turned` was trained by Winnow, on boxes of a detector. A later fit gets its boxes from the
  // same detector, so the model needs no `place`.
  if (!model_->detector.empty() || model_->place != BoxPlace{} || model_->turned) return *this;
  LandmarkModel model = *model_;
  model.detector = "face";
  model.place = kDlibInFace;
  return Landmarks(std::move(model));
}

Landmarks Landmarks::with_16_bits() const { return Landmarks(with_fixed_leaves(*model_)); }

std::vector<std::byte> Landmarks::to_bytes(LandmarkFormat format) const {
  return write_landmarks(*model_, format);
}

void Landmarks::save(const std::string& path, LandmarkFormat format) const {
  try {
    write_file(path, to_bytes(format));
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

}  // namespace winnow
