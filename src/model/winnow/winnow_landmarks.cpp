// Reads and writes Winnow's own file of landmarks, as model/winnow/winnow_file.h declares; its opening
// comment holds here.
#include <algorithm>
#include <limits>

#include <winnow/error.h>

#include "model/landmarks/landmark_model.h"
#include "model/winnow/winnow_fields.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

[[noreturn]] void fail(const char* sentence) { throw Error(ErrorCode::kFormat, sentence); }

// Copies a stored list of numbers. An absent list is empty.
template <class Number, class Stored>
std::vector<Number> copy(const flatbuffers::Vector<Stored>* stored, std::size_t most) {
  if (stored == nullptr) return {};
  if (stored->size() > most) throw Error(ErrorCode::kLimit, "a list in the file is too long");
  return {stored->begin(), stored->end()};
}

ShapeTrees read_trees(const stored::ShapeTrees* stored) {
  if (stored == nullptr) fail("the .winnow file has no trees");
  ShapeTrees trees;
  trees.stages = stored->stages();
  trees.trees = stored->trees();
  trees.pixels = stored->pixels();
  trees.depth = stored->depth();
  if (stored->pixel_list() != nullptr)
    for (const stored::ShapePixel* pixel : *stored->pixel_list())
      trees.pixel_list.push_back({pixel->point(), {pixel->offset().x(), pixel->offset().y()}});
  if (stored->splits() != nullptr && stored->whole_splits() != nullptr)
    fail("the .winnow file has two lists of splits");
  if (stored->splits() != nullptr)
    for (const stored::ShapeSplit* split : *stored->splits())
      trees.splits.push_back({split->first(), split->second(), split->threshold()});
  if (stored->whole_splits() != nullptr)
    for (const stored::WholeSplit* split : *stored->whole_splits())
      trees.splits.push_back({split->first(), split->second(), static_cast<float>(split->threshold())});
  return trees;
}

FixedLeaves read_leaves(const stored::FixedLeaves* stored) {
  if (stored == nullptr) return {};
  FixedLeaves leaves;
  leaves.values = stored->values();
  leaves.unit_bits = copy<std::int32_t>(stored->unit_bits(), kMaxShapeStages);
  if (stored->numbers() != nullptr && stored->bytes() != nullptr)
    fail("the .winnow file has two lists of leaves");
  leaves.numbers = stored->bytes() != nullptr ? copy<std::int16_t>(stored->bytes(), kMaxLeafNumbers)
                                              : copy<std::int16_t>(stored->numbers(), kMaxLeafNumbers);
  leaves.basis = copy<std::int16_t>(stored->basis(), kMaxLeafNumbers);
  return leaves;
}

PointScheme read_scheme(const stored::PointScheme& stored) {
  PointScheme scheme;
  if (stored.names() != nullptr) {
    if (stored.names()->size() > kMaxPoints) throw Error(ErrorCode::kLimit, "a list in the file is too long");
    for (const flatbuffers::String* name : *stored.names()) scheme.names.push_back(read_text(name));
  }
  scheme.mirrored = copy<std::uint16_t>(stored.mirrored(), kMaxPoints);
  scheme.left_eye = copy<std::uint16_t>(stored.left_eye(), kMaxPoints);
  scheme.right_eye = copy<std::uint16_t>(stored.right_eye(), kMaxPoints);
  scheme.outer_corners = copy<std::uint16_t>(stored.outer_corners(), kMaxPoints);
  return scheme;
}

flatbuffers::Offset<stored::PointScheme> store_scheme(flatbuffers::FlatBufferBuilder& builder,
                                                      const PointScheme& scheme) {
  const auto names_at = builder.CreateVectorOfStrings(scheme.names);
  const auto mirrored_at = builder.CreateVector(scheme.mirrored);
  const auto left_at = builder.CreateVector(scheme.left_eye);
  const auto right_at = builder.CreateVector(scheme.right_eye);
  const auto corners_at = builder.CreateVector(scheme.outer_corners);
  return stored::CreatePointScheme(builder, names_at, mirrored_at, left_at, right_at, corners_at);
}

flatbuffers::Offset<stored::ShapeTrees> store_trees(flatbuffers::FlatBufferBuilder& builder,
                                                    const ShapeTrees& trees, bool whole) {
  std::vector<stored::ShapePixel> pixels;
  for (const ShapePixel& pixel : trees.pixel_list)
    pixels.emplace_back(pixel.point, stored::ShapePoint(pixel.offset.x, pixel.offset.y));
  const auto pixels_at = builder.CreateVectorOfStructs(pixels);
  flatbuffers::Offset<flatbuffers::Vector<const stored::ShapeSplit*>> splits_at;
  flatbuffers::Offset<flatbuffers::Vector<const stored::WholeSplit*>> whole_at;
  if (whole) {
    std::vector<stored::WholeSplit> splits;
    for (const ShapeSplit& split : trees.splits)
      splits.emplace_back(split.first, split.second, static_cast<std::int16_t>(split.threshold));
    whole_at = builder.CreateVectorOfStructs(splits);
  } else {
    std::vector<stored::ShapeSplit> splits;
    for (const ShapeSplit& split : trees.splits)
      splits.emplace_back(split.first, split.second, split.threshold);
    splits_at = builder.CreateVectorOfStructs(splits);
  }
  return stored::CreateShapeTrees(builder, trees.stages, trees.trees, trees.pixels, trees.depth, pixels_at,
                                  splits_at, whole_at);
}

flatbuffers::Offset<stored::FixedLeaves> store_leaves(flatbuffers::FlatBufferBuilder& builder,
                                                      const FixedLeaves& leaves) {
  const auto units_at = builder.CreateVector(leaves.unit_bits);
  const bool small = std::all_of(leaves.numbers.begin(), leaves.numbers.end(), [](std::int16_t number) {
    return number >= std::numeric_limits<std::int8_t>::min() &&
           number <= std::numeric_limits<std::int8_t>::max();
  });
  flatbuffers::Offset<flatbuffers::Vector<std::int16_t>> numbers_at, basis_at;
  flatbuffers::Offset<flatbuffers::Vector<std::int8_t>> bytes_at;
  if (small) {
    bytes_at = builder.CreateVector(std::vector<std::int8_t>(leaves.numbers.begin(), leaves.numbers.end()));
  } else {
    numbers_at = builder.CreateVector(leaves.numbers);
  }
  if (!leaves.basis.empty()) basis_at = builder.CreateVector(leaves.basis);
  return stored::CreateFixedLeaves(builder, leaves.values, units_at, numbers_at, bytes_at, basis_at);
}

}  // namespace

LandmarkModel read_winnow_landmarks(std::span<const std::byte> bytes) {
  const AlignedBytes aligned(bytes);
  const stored::Model& root = verified_model(aligned.view(), stored::Kind::Landmarks, "a model of landmarks");
  const stored::Landmarks& stored = *root.kind_as_Landmarks();
  LandmarkModel model;
  if (stored.mean() != nullptr)
    for (const stored::ShapePoint* point : *stored.mean()) model.mean.push_back({point->x(), point->y()});
  model.trees = read_trees(stored.trees());
  model.float_leaves = copy<float>(stored.float_leaves(), kMaxLeafNumbers);
  model.fixed_leaves = read_leaves(stored.fixed_leaves());
  if (const stored::Confidence* confidence = stored.confidence()) {
    PointConfidence& read = model.confidence.emplace();
    read.trees = read_trees(confidence->trees());
    read.leaves = read_leaves(confidence->leaves());
    read.slope = copy<float>(confidence->slope(), kMaxPoints + 1);
    read.shift = copy<float>(confidence->shift(), kMaxPoints + 1);
    read.distance = confidence->distance();
  }
  model.turned = stored.turned();
  model.detector = read_text(stored.detector());
  if (const stored::BoxPlace* place = stored.place())
    model.place = {place->scale(), place->right(), place->down()};
  if (stored.scheme() != nullptr) model.scheme = read_scheme(*stored.scheme());
  model.card = read_card(root.card());
  model.notes = read_notes(root.notes());
  return model;
}

std::vector<std::byte> write_winnow_landmarks(const LandmarkModel& model) {
  flatbuffers::FlatBufferBuilder builder(1 << 20);
  builder.ForceDefaults(true);  // writes fields that equal their defaults, too
  std::vector<stored::ShapePoint> mean;
  for (const ShapePoint& point : model.mean) mean.emplace_back(point.x, point.y);
  const auto mean_at = builder.CreateVectorOfStructs(mean);
  const auto trees_at = store_trees(builder, model.trees, model.fixed_point());
  flatbuffers::Offset<flatbuffers::Vector<float>> floats_at;
  flatbuffers::Offset<stored::FixedLeaves> fixed_at;
  if (model.fixed_point()) {
    fixed_at = store_leaves(builder, model.fixed_leaves);
  } else {
    floats_at = builder.CreateVector(model.float_leaves);
  }
  flatbuffers::Offset<stored::Confidence> confidence_at;
  if (model.confidence) {
    const PointConfidence& confidence = *model.confidence;
    const auto its_trees = store_trees(builder, confidence.trees, true);
    const auto its_leaves = store_leaves(builder, confidence.leaves);
    const auto slope_at = builder.CreateVector(confidence.slope);
    const auto shift_at = builder.CreateVector(confidence.shift);
    confidence_at =
        stored::CreateConfidence(builder, its_trees, its_leaves, slope_at, shift_at, confidence.distance);
  }
  const auto detector_at = builder.CreateString(model.detector);
  const auto place_at =
      stored::CreateBoxPlace(builder, model.place.scale, model.place.right, model.place.down);
  flatbuffers::Offset<stored::PointScheme> scheme_at;
  if (model.scheme) scheme_at = store_scheme(builder, *model.scheme);
  const auto landmarks_at =
      stored::CreateLandmarks(builder, mean_at, trees_at, floats_at, fixed_at, confidence_at, detector_at,
                              place_at, model.turned, scheme_at);
  return finish_model(builder, stored::Kind::Landmarks, landmarks_at.Union(), model.card, model.notes);
}

}  // namespace winnow
