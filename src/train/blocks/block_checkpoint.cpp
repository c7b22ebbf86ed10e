#include "train/blocks/block_checkpoint.h"

#include <cstring>
#include <filesystem>

#include <winnow/error.h>

#include "base/random.h"
#include "model/hog_cascade_model.h"
#include "train/checkpoint.h"
#include "train/state_file.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::uint64_t fingerprint(const Pack& pack, const HogCascadeOptions& options, std::uint64_t seed) {
  std::uint64_t hit;
  std::memcpy(&hit, &options.min_hit, sizeof(hit));
  if (!options.stages) {
    return hash(hash_pack(pack), options.window.width, options.window.height, options.grid, options.step,
                options.rounds, options.max_stages, hit, options.negatives, options.blocks_per_round, seed);
  }
  const HogStageOptions& stages = *options.stages;
  const double rates[] = {stages.min_hit, stages.max_false};
  std::uint64_t bits[2];
  std::memcpy(bits, rates, sizeof(bits));
  return hash(hash_pack(pack), options.window.width, options.window.height, options.grid, options.step,
              options.negatives, options.blocks_per_round, seed, stages.stages, bits[0], bits[1],
              stages.max_blocks);
}

std::string BlockCheckpoint::path() const { return (fs::path(folder_) / "blocks").string(); }

void BlockCheckpoint::save(std::int32_t round, const std::vector<HogBlockStage>& stages) const {
  if (folder_.empty()) return;
  StateWriter out;
  out.put(kBlockState);
  out.put(fingerprint_);
  out.put(round);
  out.put(static_cast<std::uint64_t>(stages.size()));
  for (const HogBlockStage& stage : stages) {
    out.put(stage.block);
    out.put(stage.weights);
    out.put(stage.first);
    out.put(stage.bins_per_response);
    out.put(stage.table);
  }
  out.write(path());
}

std::vector<HogBlockStage> BlockCheckpoint::load(std::int32_t round, const HogCascadeModel& like) const {
  if (folder_.empty() || !is_state_file(path())) return {};
  StateReader in(path());
  if (in.get<std::uint64_t>() != kBlockState || in.get<std::uint64_t>() != fingerprint_ ||
      in.get<std::int32_t>() != round)
    return {};
  HogCascadeModel model = like;
  model.stages.resize(in.get_count(sizeof(HogBlock) + sizeof(HogBlockStage::weights)));
  for (HogBlockStage& stage : model.stages) {
    stage.block = in.get<HogBlock>();
    stage.weights = in.get<decltype(stage.weights)>();
    stage.first = in.get<float>();
    stage.bins_per_response = in.get<float>();
    stage.table = in.get<decltype(stage.table)>();
  }
  if (model.stages.empty()) return {};
  try {
    check_hog_cascade(model);
  } catch (const Error& error) {
    in.fail(error.what());
  }
  return model.stages;
}

}  // namespace winnow
