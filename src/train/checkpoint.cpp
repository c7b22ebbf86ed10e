#include "train/checkpoint.h"

#include <cstring>
#include <filesystem>
#include <span>
#include <type_traits>

#include <winnow/error.h>

#include "base/file.h"
#include "base/random.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMagic = 0x3254504b574e5754;  // "TWNWKPT2"
constexpr std::int64_t kMostBytes = std::int64_t{16} << 30;

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  std::uint64_t sum = seed;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    sum = hash(sum, word);
  }
  std::uint64_t rest = bytes.size();
  for (; i < bytes.size(); ++i) rest = rest << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return hash(sum, rest);
}

// Writes numbers one after the other, and lists with their length in front.
class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  template <class T>
  void put_list(const std::vector<T>& list) {
    put(static_cast<std::uint64_t>(list.size()));
    const auto bytes = std::as_bytes(std::span(list));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void write(const std::string& path) {
    put(hash_bytes(bytes_));
    if (static_cast<std::int64_t>(bytes_.size()) > kMostBytes)
      throw Error(ErrorCode::kLimit, "the state is larger than could be read again", path);
    write_file(path, bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), bytes_(read_file(path, kMostBytes)), left_(bytes_) {
    std::uint64_t own = 0;
    if (left_.size() < sizeof(own)) fail("it is cut off");
    std::memcpy(&own, left_.data() + left_.size() - sizeof(own), sizeof(own));
    left_ = left_.first(left_.size() - sizeof(own));
    if (own != hash_bytes(left_)) fail("its checksum is wrong");
  }
  template <class T>
  T get() {
    T value;
    if (left_.size() < sizeof(T)) fail("it is cut off");
    std::memcpy(&value, left_.data(), sizeof(T));
    left_ = left_.subspan(sizeof(T));
    return value;
  }
  // Reads a number of things, each of at least `bytes` bytes in the file.
  std::size_t get_count(std::size_t bytes) {
    const auto count = get<std::uint64_t>();
    if (count > left_.size() / bytes) fail("it is cut off");
    return count;
  }
  template <class T>
  std::vector<T> get_list() {
    const std::size_t count = get_count(sizeof(T));
    std::vector<T> list(count);
    if (count > 0) std::memcpy(static_cast<void*>(list.data()), left_.data(), count * sizeof(T));
    left_ = left_.subspan(count * sizeof(T));
    return list;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorCode::kFormat, "this is no state of a training that could be gone on with: " + why,
                path_);
  }

 private:
  std::string path_;
  std::vector<std::byte> bytes_;
  std::span<const std::byte> left_;
};

void put_weak(Writer& out, const std::vector<WeakTree>& weak) {
  out.put(static_cast<std::uint64_t>(weak.size()));
  for (const WeakTree& tree : weak) {
    out.put_list(tree.nodes);
    out.put_list(tree.leaves);
  }
}

std::vector<WeakTree> get_weak(Reader& in) {
  std::vector<WeakTree> weak(in.get_count(2 * sizeof(std::uint64_t)));
  for (WeakTree& tree : weak) {
    tree.nodes = in.get_list<WeakNode>();
    tree.leaves = in.get_list<std::int32_t>();
  }
  return weak;
}

// A `TrainedStage` as the file has it.
struct StageNumbers {
  double hit, false_alarm, mining_seconds, boosting_seconds;
  std::int64_t mined_windows;
  std::int32_t weak, positives, negatives, kept;
};

}  // namespace

std::uint64_t fingerprint(const Pack& pack, const CascadeOptions& options, std::uint64_t seed) {
  std::uint64_t sum = hash_bytes(std::as_bytes(std::span(pack.positives)));
  for (const Pack::Negative& negative : pack.negatives)
    sum = hash(hash_bytes(negative.file, sum), negative.size.width, negative.size.height);
  std::uint64_t parts[3];
  const auto* stages = std::get_if<StageOptions>(&options.form);
  const double rates[3] = {options.min_hit(), (stages != nullptr ? *stages : StageOptions()).max_false,
                           options.negative_noise};
  std::memcpy(parts, rates, sizeof(parts));
  return hash(sum, pack.window.width, pack.window.height, options.features, options.boost, options.weak,
              options.soft(), parts[0], parts[1], parts[2], options.max_weak(), options.depth,
              options.negatives, options.pool, options.features_per_round, seed,
              options.soft() ? options.stages() : 0);  // the length of a soft round depends on their number
}

Checkpoint::Checkpoint(std::string folder, std::uint64_t fingerprint)
    : folder_(std::move(folder)), fingerprint_(fingerprint) {
  if (!on()) return;
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (!fs::is_directory(folder_, failure))
    throw Error(ErrorCode::kIo, "this folder for the training's state cannot be made", folder_);
}

void Checkpoint::save(const StageStart& start) const {
  if (!on()) return;
  Writer out;
  out.put(kMagic);
  out.put(fingerprint_);
  out.put(start.stage);
  out.put_list(start.stage > 0 ? Cascade(start.model).to_bytes(CascadeFormat::kWinnow)
                               : std::vector<std::byte>{});
  std::vector<StageNumbers> stages;
  for (const TrainedStage& s : start.stages) {
    stages.push_back({s.hit, s.false_alarm, s.mining_seconds, s.boosting_seconds, s.mined_windows, s.weak,
                      s.positives, s.negatives, s.kept});
  }
  out.put_list(stages);
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
  Writer out;
  out.put(kMagic);
  out.put(fingerprint_);
  out.put(stage);
  put_weak(out, trees);
  out.write((fs::path(folder_) / "trees").string());
}

bool Checkpoint::has_start() const { return on() && is_there("stage"); }

bool Checkpoint::is_there(const char* name) const {
  const fs::path path = fs::path(folder_) / name;
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (error) throw Error(ErrorCode::kIo, "cannot be looked at: " + error.message(), path.string());
  return there;
}

std::optional<StageStart> Checkpoint::load_start() const {
  if (!has_start()) return std::nullopt;
  const std::string path = (fs::path(folder_) / "stage").string();
  Reader in(path);
  if (in.get<std::uint64_t>() != kMagic) in.fail("another version wrote it, or something else");
  if (in.get<std::uint64_t>() != fingerprint_) {
    throw Error(
        ErrorCode::kUsage,
        "this is the state of another training: the pack or the options differ; take another folder, or "
        "the pack and the options it was begun with",
        path);
  }
  StageStart start;
  start.stage = in.get<std::int32_t>();
  const auto model = in.get_list<std::byte>();
  if (start.stage > 0) start.model = Cascade::parse(model, "").model();
  for (const StageNumbers& s : in.get_list<StageNumbers>()) {
    start.stages.push_back({s.weak, s.hit, s.false_alarm, s.positives, s.negatives, s.kept, s.mined_windows,
                            s.mining_seconds, s.boosting_seconds});
  }
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
  Reader in(path);
  if (in.get<std::uint64_t>() != kMagic || in.get<std::uint64_t>() != fingerprint_ ||
      in.get<std::int32_t>() != stage)
    return {};
  return get_weak(in);
}

}  // namespace winnow
