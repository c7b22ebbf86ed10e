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

constexpr std::uint64_t kMagic = 0x31544b4c42574e57;  // "WNWBLKT1"

}  // namespace

std::uint64_t fingerprint(const Pack& pack, const HogCascadeOptions& options, std::uint64_t seed) {
  std::uint64_t hit;
  std::memcpy(&hit, &options.min_hit, sizeof(hit));
  return hash(hash_pack(pack), options.window.width, options.window.height, options.grid, options.step,
              options.rounds, options.max_stages, hit, options.negatives, options.blocks_per_round, seed);
}

BlockCheckpoint::BlockCheckpoint(std::string folder, std::uint64_t fingerprint)
    : folder_(std::move(folder)), fingerprint_(fingerprint) {
  if (on()) make_state_folder(folder_);
}

std::string BlockCheckpoint::path(const char* name) const { return (fs::path(folder_) / name).string(); }

bool BlockCheckpoint::has_start() const { return on() && is_state_file(path("stage")); }

void BlockCheckpoint::save(const BlockRoundStart& start) const {
  if (!on()) return;
  StateWriter out;
  out.put(kMagic);
  out.put(fingerprint_);
  out.put(start.round);
  out.put_list(start.model);
  put_stages(out, start.rounds);
  out.put_list(start.places);
  out.put_list(start.pixels);
  out.put(start.position);
  out.put(start.seconds);
  out.write(path("stage"));
}

void BlockCheckpoint::save(std::int32_t round, const std::vector<HogBlockStage>& stages) const {
  if (!on()) return;
  StateWriter out;
  out.put(kMagic);
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
  out.write(path("blocks"));
}

std::optional<BlockRoundStart> BlockCheckpoint::load_start(std::size_t window_bytes) const {
  if (!has_start()) return std::nullopt;
  StateReader in(path("stage"));
  if (in.get<std::uint64_t>() != kMagic) in.fail("another version wrote it, or something else");
  if (in.get<std::uint64_t>() != fingerprint_) refuse_other_state(path("stage"));
  BlockRoundStart start;
  start.round = in.get<std::int32_t>();
  start.model = in.get_list<std::byte>();
  start.rounds = get_stages(in);
  start.places = in.get_list<MinedPlace>();
  start.pixels = in.get_list<std::uint8_t>();
  start.position = in.get<std::uint64_t>();
  start.seconds = in.get<double>();
  if (start.round < 0 || start.rounds.size() != static_cast<std::size_t>(start.round) + 1 ||
      start.model.empty() != (start.round == 0) ||
      start.pixels.size() / window_bytes != start.places.size() || start.pixels.size() % window_bytes != 0)
    in.fail("it makes no sense");
  return start;
}

std::vector<HogBlockStage> BlockCheckpoint::load_stages(std::int32_t round,
                                                        const HogCascadeModel& like) const {
  if (!on() || !is_state_file(path("blocks"))) return {};
  StateReader in(path("blocks"));
  if (in.get<std::uint64_t>() != kMagic || in.get<std::uint64_t>() != fingerprint_ ||
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
