#include "train/samples/pack_file.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <tuple>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "base/crc32.h"
#include "base/random.h"
#include "base/size_text.h"

namespace winnow {
namespace {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;

// CR and LF as in a PNG: a transfer that takes the file for text damages the head, so the reader notices.
constexpr char kMagic[8] = {'W', 'N', 'P', 'A', 'C', 'K', '\r', '\n'};
constexpr std::uint32_t kVersion = 1, kColorVersion = 2;
constexpr std::uint32_t kChannels = 3;
constexpr std::size_t kHeadBytes = 8 + 3 * 4 + 4 * 8 + 4;
constexpr std::size_t kChunk = 1 << 20;
constexpr std::uint32_t kMostShards = 10000;
constexpr std::int64_t kLeastShardBytes = 4096;
constexpr std::size_t kMaxText = 1 << 24;
constexpr std::uint32_t kMaxSide = 1024;

[[noreturn]] void fail(const std::string& sentence, const std::string& file = {},
                       ErrorCode code = ErrorCode::kFormat) {
  throw Error(code, sentence, file);
}

template <class Number>
void put(Bytes& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(number) >> 8 * i & 255));
}
void put_bytes(Bytes& bytes, const void* data, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
}
void put_text(Bytes& bytes, const std::string& text) {
  put(bytes, static_cast<std::uint32_t>(text.size()));
  put_bytes(bytes, text.data(), text.size());
}
template <class Number>
Number get(View bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;)
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
  return static_cast<Number>(number);
}

std::size_t chunks_of(std::uint64_t bytes) { return static_cast<std::size_t>((bytes + kChunk - 1) / kChunk); }

// A hash of the stream, eight bytes at a time. It does not depend on where pieces begin.
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
  std::uint32_t shard = 1, shards = 1;  // shard counts from 1
  std::uint64_t id = 0, stream = 0;     // bytes of the whole stream
  std::uint64_t first = 0, size = 0;    // range of the stream that this shard holds
  // Includes head and CRCs. `size` is checked to be a range of the stream, so it is far below 2^63.
  std::uint64_t shard_bytes() const { return kHeadBytes + size + 4 * chunks_of(size); }
};

Bytes make_head(const Head& head) {
  Bytes bytes;
  put_bytes(bytes, kMagic, sizeof kMagic);
  put(bytes, head.version);
  put(bytes, head.shard);
  put(bytes, head.shards);
  put(bytes, head.id);
  put(bytes, head.stream);
  put(bytes, head.first);
  put(bytes, head.size);
  put(bytes, crc32(bytes));
  return bytes;
}

Head read_head(View bytes, const std::string& name) {
  if (bytes.size() < 8 || std::memcmp(bytes.data(), kMagic, 6) != 0) fail("is no pack", name);
  if (std::memcmp(bytes.data(), kMagic, 8) != 0)
    fail("is a pack whose line ends were changed in transfer", name);
  if (bytes.size() < kHeadBytes) fail("is cut off in the head of a part", name);
  const auto version = get<std::uint32_t>(bytes, 8);
  if (version != kVersion && version != kColorVersion) {
    fail("is a pack of version " + std::to_string(version) + ", and this library reads versions " +
             std::to_string(kVersion) + " and " + std::to_string(kColorVersion),
         name, ErrorCode::kUnsupported);
  }
  if (crc32(bytes.first(kHeadBytes - 4)) != get<std::uint32_t>(bytes, kHeadBytes - 4))
    fail("has a broken head (its CRC is wrong)", name);
  const Head head{version,
                  get<std::uint32_t>(bytes, 12),
                  get<std::uint32_t>(bytes, 16),
                  get<std::uint64_t>(bytes, 20),
                  get<std::uint64_t>(bytes, 28),
                  get<std::uint64_t>(bytes, 36),
                  get<std::uint64_t>(bytes, 44)};
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

// Takes one shard from the front of `bytes`.
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
    if (crc32(chunk) != get<std::uint32_t>(bytes, at + size)) {
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

// Sorts the shards of all files by pack. The packs come in the order in which they are met.
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

class Reader {
 public:
  explicit Reader(const std::vector<View>& pieces) : pieces_(pieces) {
    for (const View piece : pieces) left_ += piece.size();
  }
  std::uint64_t left() const { return left_; }

  void read(void* to, std::size_t size) {
    require(size <= left_);
    left_ -= size;
    auto* out = static_cast<std::byte*>(to);
    while (size > 0) {
      const View piece = pieces_[piece_].subspan(at_);
      const std::size_t some = std::min(size, piece.size());
      if (some > 0) std::memcpy(out, piece.data(), some);
      out += some, size -= some, at_ += some;
      if (at_ == pieces_[piece_].size()) ++piece_, at_ = 0;
    }
  }
  template <class Number>
  Number number() {
    std::byte bytes[sizeof(Number)];
    read(bytes, sizeof(Number));
    return get<Number>(bytes, 0);
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    require(size <= kMaxText && size <= left_);
    std::string text(size, '\0');
    read(text.data(), size);
    require(is_clean_text(text));
    return text;
  }
  // Reads a number of things, each of which takes at least `bytes` bytes of the rest of the stream.
  std::size_t count(std::uint64_t bytes) {
    const auto count = number<std::uint64_t>();
    require(count <= left_ / bytes);
    return static_cast<std::size_t>(count);
  }
  static void require(bool good) {
    if (!good) fail("the pack makes no sense, though its CRCs are right");
  }

 private:
  const std::vector<View>& pieces_;
  std::size_t piece_ = 0, at_ = 0;
  std::uint64_t left_ = 0;
};

// The stream of a pack in pieces. Pixels and pictures are not copied.
class Stream {
 public:
  explicit Stream(const Pack& pack) {
    Bytes& front = begin_own();
    put(front, static_cast<std::uint32_t>(pack.window.width));
    put(front, static_cast<std::uint32_t>(pack.window.height));
    put_text(front, pack.recipe);
    put(front, static_cast<std::uint64_t>(pack.names.size()));
    for (const std::string& name : pack.names) put_text(front, name);
    add(front);
    add(std::as_bytes(std::span(pack.positives)));
    put(begin_own(), static_cast<std::uint64_t>(pack.negatives.size()));
    add(own_.back());
    for (const Pack::Negative& negative : pack.negatives) {
      Bytes& words = begin_own();
      put_text(words, negative.name);
      put(words, static_cast<std::uint32_t>(negative.size.width));
      put(words, static_cast<std::uint32_t>(negative.size.height));
      put(words, static_cast<std::uint64_t>(negative.file.size()));
      add(words);
      add(negative.file);
    }
    if (!pack.color) return;
    put(begin_own(), kChannels);
    add(own_.back());
    add(std::as_bytes(std::span(pack.colors)));
  }
  const std::vector<View>& pieces() const { return pieces_; }
  std::uint64_t size() const { return size_; }

 private:
  Bytes& begin_own() { return own_.emplace_back(); }
  void add(View piece) {
    pieces_.push_back(piece);
    size_ += piece.size();
  }

  std::deque<Bytes> own_;
  std::vector<View> pieces_;
  std::uint64_t size_ = 0;
};

void check_pack(const Pack& pack) {
  const auto require = [](bool good, const char* sentence) {
    if (!good) fail(sentence, {}, ErrorCode::kUsage);
  };
  const auto side = [](int pixels) { return pixels > 0 && pixels <= static_cast<int>(kMaxSide); };
  require(side(pack.window.width) && side(pack.window.height), "the window of the pack makes no sense");
  require(pack.positives.size() == pack.names.size() * pack.positive_bytes(),
          "the pack's positives are not as many as their names");
  require(pack.colors.size() == (pack.color ? kChannels * pack.positives.size() : 0),
          "the pack's colours are not as many as its positives");
  const auto good = [](const std::string& text) { return text.size() <= kMaxText && is_clean_text(text); };
  bool clean = good(pack.recipe) && std::all_of(pack.names.begin(), pack.names.end(), good);
  for (const Pack::Negative& negative : pack.negatives)
    clean = clean && good(negative.name) && negative.size.width > 0 && negative.size.height > 0;
  require(clean, "a name or the recipe of the pack is no clean text, or a picture has no size");
}

Pack parse_shards(const Shards& shards) {
  Pack pack = parse_pack_stream(join(shards));
  Reader::require(pack.color == (shards.begin()->second.head.version == kColorVersion));
  return pack;
}

}  // namespace

void write_shards(const Pack& pack, std::int64_t shard_bytes, const ShardSink& sink) {
  check_pack(pack);
  if (shard_bytes != 0 && shard_bytes < kLeastShardBytes)
    fail("parts have at least " + std::to_string(kLeastShardBytes) + " bytes", {}, ErrorCode::kUsage);
  const Stream stream(pack);
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
  Reader reader(stream.pieces());
  Bytes chunk;
  for (head.shard = 1; head.shard <= head.shards; ++head.shard) {
    head.size = std::min<std::uint64_t>(room, head.stream - head.first);
    sink(head.shard, make_head(head));
    for (std::uint64_t left = head.size; left > 0;) {
      chunk.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, kChunk)));
      reader.read(chunk.data(), chunk.size());
      left -= chunk.size();
      put(chunk, crc32(chunk));
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

Pack parse_pack_stream(const std::vector<View>& pieces) {
  Reader reader(pieces);
  Pack pack;
  const auto width = reader.number<std::uint32_t>(), height = reader.number<std::uint32_t>();
  Reader::require(width >= 1 && height >= 1 && width <= kMaxSide && height <= kMaxSide);
  pack.window = {static_cast<int>(width), static_cast<int>(height)};
  pack.recipe = reader.text();
  const std::size_t count = reader.count(4 + pack.positive_bytes());
  for (std::size_t i = 0; i < count; ++i) pack.names.push_back(reader.text());
  Reader::require(count <= reader.left() / pack.positive_bytes());
  pack.positives.resize(count * pack.positive_bytes());
  reader.read(pack.positives.data(), pack.positives.size());
  const std::size_t negatives = reader.count(20);
  for (std::size_t i = 0; i < negatives; ++i) {
    Pack::Negative& negative = pack.negatives.emplace_back();
    negative.name = reader.text();
    const auto w = reader.number<std::uint32_t>(), h = reader.number<std::uint32_t>();
    Reader::require(w >= 1 && h >= 1 && w <= 1u << 30 && h <= 1u << 30);
    negative.size = {static_cast<int>(w), static_cast<int>(h)};
    negative.file.resize(reader.count(1));
    reader.read(negative.file.data(), negative.file.size());
  }
  pack.color = reader.left() > 0;
  if (pack.color) {
    Reader::require(reader.number<std::uint32_t>() == kChannels &&
                    reader.left() == std::uint64_t{kChannels} * pack.positives.size());
    pack.colors.resize(kChannels * pack.positives.size());
    reader.read(pack.colors.data(), pack.colors.size());
  }
  return pack;
}

std::uint32_t shards_of(const NamedBytes& file) { return read_head(file.bytes, file.name).shards; }

}  // namespace winnow
