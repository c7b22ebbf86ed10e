#include "train/samples/pack_file.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <tuple>

#include <winnow/error.h>

#include "base/crc32.h"
#include "base/random.h"
#include "base/size_text.h"
#include "train/samples/pack_stream.h"

namespace winnow {
namespace {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;

// The magic number ends in CR and LF, as in a PNG. A transfer that takes the file for text changes these two,
// so the reader notices the damage.
constexpr char kMagic[8] = {'W', 'N', 'P', 'A', 'C', 'K', '\r', '\n'};
constexpr std::uint32_t kVersion = 1, kColorVersion = 2;
constexpr std::size_t kHeadBytes = 8 + 3 * 4 + 4 * 8 + 4;
constexpr std::size_t kChunk = 1 << 20;
constexpr std::uint32_t kMostShards = 10000;
constexpr std::int64_t kLeastShardBytes = 4096;

[[noreturn]] void fail(const std::string& sentence, const std::string& file = {},
                       ErrorCode code = ErrorCode::kFormat) {
  throw Error(code, sentence, file);
}

std::size_t chunks_of(std::uint64_t bytes) { return static_cast<std::size_t>((bytes + kChunk - 1) / kChunk); }

// Hashes the stream, eight bytes at a time. The hash does not depend on how the stream is cut into pieces.
std::uint64_t id_of(const std::vector<View>& pieces, std::uint64_t size) {
  std::uint64_t id = hash(size), word = 0;
  int held = 0;
  for (const View piece : pieces) {
    for (const std::byte byte : piece) {
      word = word << 8 | std::to_integer<std::uint64_t>(byte);
      if (++held == 8) id = mix_bits(id * 3 + word), held = 0, word = 0;
    }
  }
  return mix_bits(id * 3 + word);
}

struct Head {
  std::uint32_t version = kVersion;
  std::uint32_t shard = 1, shards = 1;  // the shard's number, from 1, and the number of shards
  std::uint64_t id = 0, stream = 0;     // the hash of the whole stream, and its number of bytes
  std::uint64_t first = 0, size = 0;    // the shard's bytes: `size` bytes of the stream from `first` on
  // The size of the shard with its head and CRCs. The sum cannot overflow: `size` is at most `stream`, and
  // `read_head` keeps `stream` below 2^60.
  std::uint64_t shard_bytes() const { return kHeadBytes + size + 4 * chunks_of(size); }
};

Bytes make_head(const Head& head) {
  Bytes bytes;
  for (const char c : kMagic) put_number(bytes, c);
  put_number(bytes, head.version);
  put_number(bytes, head.shard);
  put_number(bytes, head.shards);
  put_number(bytes, head.id);
  put_number(bytes, head.stream);
  put_number(bytes, head.first);
  put_number(bytes, head.size);
  put_number(bytes, crc32(bytes));
  return bytes;
}

Head read_head(View bytes, const std::string& name) {
  if (bytes.size() < 8 || std::memcmp(bytes.data(), kMagic, 6) != 0) fail("is no pack", name);
  if (std::memcmp(bytes.data(), kMagic, 8) != 0)
    fail("is a pack whose line ends were changed in transfer", name);
  if (bytes.size() < kHeadBytes) fail("is cut off in the head of a part", name);
  const auto version = get_number<std::uint32_t>(bytes, 8);
  if (version != kVersion && version != kColorVersion) {
    fail("is a pack of version " + std::to_string(version) + ", and this library reads versions " +
             std::to_string(kVersion) + " and " + std::to_string(kColorVersion),
         name, ErrorCode::kUnsupported);
  }
  if (crc32(bytes.first(kHeadBytes - 4)) != get_number<std::uint32_t>(bytes, kHeadBytes - 4))
    fail("has a broken head (its CRC is wrong)", name);
  const Head head{version,
                  get_number<std::uint32_t>(bytes, 12),
                  get_number<std::uint32_t>(bytes, 16),
                  get_number<std::uint64_t>(bytes, 20),
                  get_number<std::uint64_t>(bytes, 28),
                  get_number<std::uint64_t>(bytes, 36),
                  get_number<std::uint64_t>(bytes, 44)};
  const bool sane = head.shard >= 1 && head.shard <= head.shards && head.shards <= kMostShards &&
                    head.stream < std::uint64_t{1} << 60 && head.first <= head.stream &&
                    head.size <= head.stream - head.first;
  if (!sane) fail("has a head that makes no sense", name);
  return head;
}

struct Shard {
  Head head;
  std::string name;
  std::vector<View> chunks;
};

std::string word(const Head& head) {
  return "part " + std::to_string(head.shard) + " of " + std::to_string(head.shards);
}

// Reads the first shard in `bytes`, and removes it from `bytes`.
Shard take_shard(View& bytes, const std::string& name) {
  Shard shard{read_head(bytes, name), name, {}};
  if (shard.head.shard_bytes() > bytes.size()) {
    fail("is cut off: " + word(shard.head) + " has " + std::to_string(shard.head.shard_bytes()) +
             " bytes, and " + std::to_string(bytes.size()) + " are there",
         name);
  }
  std::size_t at = kHeadBytes;
  for (std::uint64_t left = shard.head.size; left > 0;) {
    const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(left, kChunk));
    const View chunk = bytes.subspan(at, size);
    if (crc32(chunk) != get_number<std::uint32_t>(bytes, at + size)) {
      throw Error(ErrorCode::kFormat, "is broken (a CRC is wrong) in " + word(shard.head), name,
                  "byte " + std::to_string(at));
    }
    shard.chunks.push_back(chunk);
    at += size + 4;
    left -= size;
  }
  bytes = bytes.subspan(at);
  return shard;
}

using Shards = std::map<std::uint32_t, Shard>;

// Groups the shards of all files by pack. The packs are in the order of their first shards in the files.
std::vector<Shards> sort_shards(const std::vector<NamedBytes>& files) {
  std::vector<Shards> packs;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>, std::size_t> known;
  for (const NamedBytes& file : files) {
    View bytes = file.bytes;
    do {
      Shard shard = take_shard(bytes, file.name);
      const Head head = shard.head;
      const auto [found, is_new] = known.try_emplace({head.id, head.stream, head.shards}, packs.size());
      if (is_new) packs.emplace_back();
      if (!packs[found->second].emplace(head.shard, std::move(shard)).second)
        fail(word(head) + " is given twice", file.name, ErrorCode::kUsage);
    } while (!bytes.empty());
  }
  if (packs.empty()) fail("no file of a pack was given", {}, ErrorCode::kUsage);
  return packs;
}

// Returns the stream's pieces in order.
std::vector<View> join(const Shards& shards) {
  const Head& any = shards.begin()->second.head;
  std::vector<View> pieces;
  std::uint64_t first = 0;
  for (std::uint32_t number = 1; number <= any.shards; ++number) {
    const auto found = shards.find(number);
    if (found == shards.end()) {
      fail("part " + std::to_string(number) + " of " + std::to_string(any.shards) + " is missing",
           shards.begin()->second.name, ErrorCode::kUsage);
    }
    const Shard& shard = found->second;
    if (shard.head.first != first) fail("has a part that does not join the one before", shard.name);
    first += shard.head.size;
    pieces.insert(pieces.end(), shard.chunks.begin(), shard.chunks.end());
  }
  if (first != any.stream || id_of(pieces, any.stream) != any.id)
    fail("holds something else than its head says", shards.begin()->second.name);
  return pieces;
}

void append(Pack& pack, Pack&& more, const std::string& name) {
  if (more.window != pack.window) {
    fail("has a window of " + size_text(more.window) + ", and the pack before it has one of " +
             size_text(pack.window),
         name, ErrorCode::kUsage);
  }
  if (more.color != pack.color) {
    fail(std::string(more.color ? "has colours, and the pack before it has none"
                                : "has no colours, and the pack before it has") +
             ": make both with --color, or both without",
         name, ErrorCode::kUsage);
  }
  pack.colors.insert(pack.colors.end(), more.colors.begin(), more.colors.end());
  pack.positives.insert(pack.positives.end(), more.positives.begin(), more.positives.end());
  std::move(more.names.begin(), more.names.end(), std::back_inserter(pack.names));
  std::move(more.negatives.begin(), more.negatives.end(), std::back_inserter(pack.negatives));
}

Pack parse_shards(const Shards& shards) {
  Pack pack = parse_pack_stream(join(shards));
  PackReader::require(pack.color == (shards.begin()->second.head.version == kColorVersion));
  return pack;
}

}  // namespace

void write_shards(const Pack& pack, std::int64_t shard_bytes, const ShardSink& sink) {
  check_pack(pack);
  if (shard_bytes != 0 && shard_bytes < kLeastShardBytes)
    fail("parts have at least " + std::to_string(kLeastShardBytes) + " bytes", {}, ErrorCode::kUsage);
  const PackStream stream(pack);
  std::uint64_t room = stream.size();
  if (shard_bytes != 0) {
    room = static_cast<std::uint64_t>(shard_bytes) - kHeadBytes;
    room -= 4 * ((room + kChunk + 3) / (kChunk + 4));
  }
  const std::uint64_t shards = (stream.size() + room - 1) / room;
  if (shards > kMostShards)
    fail("there would be more than " + std::to_string(kMostShards) + " parts", {}, ErrorCode::kUsage);
  Head head;
  head.version = pack.color ? kColorVersion : kVersion;
  head.shards = static_cast<std::uint32_t>(shards);
  head.stream = stream.size();
  head.id = id_of(stream.pieces(), head.stream);
  PackReader reader(stream.pieces());
  Bytes chunk;
  for (head.shard = 1; head.shard <= head.shards; ++head.shard) {
    head.size = std::min<std::uint64_t>(room, head.stream - head.first);
    sink(head.shard, make_head(head));
    for (std::uint64_t left = head.size; left > 0;) {
      chunk.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, kChunk)));
      reader.read(chunk.data(), chunk.size());
      left -= chunk.size();
      put_number(chunk, crc32(chunk));
      sink(head.shard, chunk);
    }
    head.first += head.size;
  }
}

Pack parse_pack(const std::vector<NamedBytes>& files) {
  const std::vector<Shards> packs = sort_shards(files);
  Pack pack = parse_shards(packs.front());
  std::string recipes = pack.recipe;
  for (std::size_t i = 1; i < packs.size(); ++i) {
    Pack more = parse_shards(packs[i]);
    recipes += "," + more.recipe;
    append(pack, std::move(more), packs[i].begin()->second.name);
  }
  if (packs.size() > 1) pack.recipe = "[" + recipes + "]";
  return pack;
}

std::uint32_t shards_of(const NamedBytes& file) { return read_head(file.bytes, file.name).shards; }

}  // namespace winnow
