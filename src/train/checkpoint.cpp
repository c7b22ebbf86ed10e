#include "train/checkpoint.h"

#include <cstring>
#include <filesystem>
#include <span>
#include <type_traits>

#include <winnow/error.h>

#include "base/random.h"
#include "train/state_file.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMagic = 0x3254504b574e5754;  // "TWNWKPT2"
void put_weak(StateWriter& out, const std::vector<WeakTree>& weak) {
  out.put(static_cast<std::uint64_t>(weak.size()));
  for (const WeakTree& tree : weak) {
    out.put_list(tree.nodes);
    out.put_list(tree.leaves);
  }
}

std::vector<WeakTree> get_weak(StateReader& in) {
  std::vector<WeakTree> weak(in.get_count(2 * sizeof(std::uint64_t)));
  for (WeakTree& tree : weak) {
    tree.nodes = in.get_list<WeakNode>();
    tree.leaves = in.get_list<std::int32_t>();
  }
  return weak;
}

}  // namespace

namespace {

// The fields of a `TrainedStage`, in the layout of the file.
struct StageNumbers {
  double hit, false_alarm, mining_seconds, boosting_seconds;
  std::int64_t mined_windows;
  std::int32_t weak, positives, negatives, carried_over;
};

}  // namespace

void put_stages(StateWriter& out, const std::vector<TrainedStage>& stages) {
  std::vector<StageNumbers> list;
  for (const TrainedStage& s : stages) {
    list.push_back({s.hit, s.false_alarm, s.mining_seconds, s.boosting_seconds, s.mined_windows, s.weak,
                    s.positives, s.negatives, s.carried_over});
  }
  out.put_list(list);
}

std::vector<TrainedStage> get_stages(StateReader& in) {
  std::vector<TrainedStage> stages;
  for (const StageNumbers& s : in.get_list<StageNumbers>()) {
    stages.push_back({s.weak, s.hit, s.false_alarm, s.positives, s.negatives, s.carried_over, s.mined_windows,
                      s.mining_seconds, s.boosting_seconds});
  }
  return stages;
}

std::uint64_t hash_pack(const Pack& pack) {
  std::uint64_t sum = hash_bytes(std::as_bytes(std::span(pack.positives)));
  for (const Pack::Negative& negative : pack.negatives)
    sum = hash(hash_bytes(negative.file, sum), negative.size.width, negative.size.height);
  return pack.color ? hash_bytes(std::as_bytes(std::span(pack.colors)), sum) : sum;
}

void make_state_folder(const std::string& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (!fs::is_directory(folder, failure))
    throw Error(ErrorCode::kIo, "this folder for the training's state cannot be made", folder);
}

bool is_state_file(const std::string& path) {
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (error) throw Error(ErrorCode::kIo, "cannot be looked at: " + error.message(), path);
  return there;
}

void refuse_other_state(const std::string& path) {
  throw Error(
      ErrorCode::kUsage,
      "this is the state of another training: the pack or the options differ; take another folder, or "
      "the pack and the options it was begun with",
      path);
}

std::uint64_t fingerprint(const Pack& pack, const CascadeOptions& options, std::uint64_t seed) {
  const std::uint64_t sum = hash_pack(pack);
  std::uint64_t bits[3];
  const auto* stages = std::get_if<StageOptions>(&options.form);
  const double rates[3] = {options.min_hit(), (stages != nullptr ? *stages : StageOptions()).max_false,
                           options.negative_noise};
  std::memcpy(bits, rates, sizeof(bits));
  return hash(sum, pack.window.width, pack.window.height, options.features, options.boost, options.weak,
              options.soft(), bits[0], bits[1], bits[2], options.max_weak(), options.depth, options.negatives,
              options.pool, options.features_per_round, seed,
              options.soft() ? options.stages() : 0);  // the number of rounds decides a round's length
}

Checkpoint::Checkpoint(std::string folder, std::uint64_t fingerprint)
    : folder_(std::move(folder)), fingerprint_(fingerprint) {
  if (on()) make_state_folder(folder_);
}

void Checkpoint::save(const StageStart& start) const {
  if (!on()) return;
  StateWriter out;
  out.put(kMagic);
  out.put(fingerprint_);
  out.put(start.stage);
  out.put_list(start.stage > 0 ? Cascade(start.model).to_bytes(CascadeFormat::kWinnow)
                               : std::vector<std::byte>{});
  put_stages(out, start.stages);
  put_weak(out, start.weak);
  out.put_list(start.rules);
  out.put_list(start.alive);
  out.put_list(start.places);
  out.put_list(start.pixels);
  out.put(start.position);
  out.put(start.seconds);
  out.write((fs::path(folder_) / "stage").string());
}

void Checkpoint::save(std::int32_t stage, const std::vector<WeakTree>& trees) const {
  if (!on()) return;
  StateWriter out;
  out.put(kMagic);
  out.put(fingerprint_);
  out.put(stage);
  put_weak(out, trees);
  out.write((fs::path(folder_) / "trees").string());
}

bool Checkpoint::has_start() const { return on() && is_there("stage"); }

bool Checkpoint::is_there(const char* name) const {
  return is_state_file((fs::path(folder_) / name).string());
}

std::optional<StageStart> Checkpoint::load_start() const {
  if (!has_start()) return std::nullopt;
  const std::string path = (fs::path(folder_) / "stage").string();
  StateReader in(path);
  if (in.get<std::uint64_t>() != kMagic) in.fail("another version wrote it, or something else");
  if (in.get<std::uint64_t>() != fingerprint_) refuse_other_state(path);
  StageStart start;
  start.stage = in.get<std::int32_t>();
  const auto model = in.get_list<std::byte>();
  if (start.stage > 0) start.model = Cascade::parse(model, "").model();
  start.stages = get_stages(in);
  start.weak = get_weak(in);
  start.rules = in.get_list<BinRule>();
  start.alive = in.get_list<std::uint8_t>();
  start.places = in.get_list<MinedPlace>();
  start.pixels = in.get_list<std::uint8_t>();
  start.position = in.get<std::uint64_t>();
  start.seconds = in.get<double>();
  return start;
}

std::vector<WeakTree> Checkpoint::load_trees(std::int32_t stage) const {
  if (!on() || !is_there("trees")) return {};
  const std::string path = (fs::path(folder_) / "trees").string();
  StateReader in(path);
  if (in.get<std::uint64_t>() != kMagic || in.get<std::uint64_t>() != fingerprint_ ||
      in.get<std::int32_t>() != stage)
    return {};
  return get_weak(in);
}

}  // namespace winnow
