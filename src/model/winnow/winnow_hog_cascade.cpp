// Reads and writes Winnow's own file of a cascade of HOG blocks, as model/winnow/winnow_file.h declares; its
// opening comment holds here.
#include <algorithm>

#include <winnow/error.h>

#include "model/hog_cascade_model.h"
#include "model/winnow/winnow_fields.h"
#include "model/winnow/winnow_file.h"

namespace winnow {

HogCascadeModel read_winnow_hog_cascade(std::span<const std::byte> bytes) {
  const AlignedBytes aligned(bytes);
  const stored::Model& root =
      verified_model(aligned.view(), stored::Kind::HogCascade, "a cascade of HOG blocks");
  const stored::HogCascade& stored = *root.kind_as_HogCascade();
  if (stored.window() == nullptr || stored.blocks() == nullptr || stored.weights() == nullptr ||
      stored.first() == nullptr || stored.bins_per_response() == nullptr || stored.tables() == nullptr ||
      stored.least() == nullptr)
    throw Error(ErrorCode::kFormat, "the .winnow file has no window or no stages");
  const std::size_t count = stored.blocks()->size();
  if (count > kMaxHogStages)
    throw Error(ErrorCode::kLimit, "a model may have " + std::to_string(kMaxHogStages) + " stages at most");
  if (stored.weights()->size() != count * kHogBlockValues ||
      stored.tables()->size() != count * kHogTableBins || stored.first()->size() != count ||
      stored.bins_per_response()->size() != count || stored.least()->size() != count)
    throw Error(ErrorCode::kFormat, "the lists of the .winnow file do not have the same number of stages");
  HogCascadeModel model;
  model.window = {stored.window()->width(), stored.window()->height()};
  model.grid = stored.grid();
  model.step = stored.step();
  model.zero = stored.zero();
  model.stages.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<flatbuffers::uoffset_t>(i);
    HogBlockStage& stage = model.stages[i];
    const stored::HogBlock& block = *stored.blocks()->Get(at);
    stage.block = {block.x(), block.y(), block.cell_width(), block.cell_height()};
    std::copy_n(stored.weights()->data() + i * kHogBlockValues, kHogBlockValues, stage.weights.begin());
    std::copy_n(stored.tables()->data() + i * kHogTableBins, kHogTableBins, stage.table.begin());
    stage.first = stored.first()->Get(at);
    stage.bins_per_response = stored.bins_per_response()->Get(at);
    stage.min_sum = stored.least()->Get(at);
  }
  if (stored.mean() != nullptr) model.mean.assign(stored.mean()->begin(), stored.mean()->end());
  model.card = read_card(root.card());
  model.notes = read_notes(root.notes());
  return model;
}

std::vector<std::byte> write_winnow_hog_cascade(const HogCascadeModel& model) {
  flatbuffers::FlatBufferBuilder builder(1 << 16);
  builder.ForceDefaults(true);  // writes fields that equal their defaults, too
  std::vector<stored::HogBlock> blocks;
  std::vector<std::int16_t> weights, tables;
  std::vector<float> first, bins_per_response;
  std::vector<std::int32_t> min_sums;
  for (const HogBlockStage& stage : model.stages) {
    blocks.emplace_back(stage.block.x, stage.block.y, stage.block.cell_width, stage.block.cell_height);
    weights.insert(weights.end(), stage.weights.begin(), stage.weights.end());
    tables.insert(tables.end(), stage.table.begin(), stage.table.end());
    first.push_back(stage.first);
    bins_per_response.push_back(stage.bins_per_response);
    min_sums.push_back(stage.min_sum);
  }
  const stored::Extent window(model.window.width, model.window.height);
  const auto blocks_at = builder.CreateVectorOfStructs(blocks);
  const auto weights_at = builder.CreateVector(weights), tables_at = builder.CreateVector(tables);
  const auto first_at = builder.CreateVector(first), bins_at = builder.CreateVector(bins_per_response);
  const auto min_sums_at = builder.CreateVector(min_sums);
  const auto mean_at = model.mean.empty() ? 0 : builder.CreateVector(model.mean);
  const auto cascade_at =
      stored::CreateHogCascade(builder, &window, model.grid, model.step, blocks_at, weights_at, first_at,
                               bins_at, tables_at, min_sums_at, model.zero, mean_at);
  return finish_model(builder, stored::Kind::HogCascade, cascade_at.Union(), model.card, model.notes);
}

}  // namespace winnow
