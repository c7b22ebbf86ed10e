#include "train/samples/pack_stream.h"

#include <algorithm>
#include <cstring>

#include <winnow/error.h>

#include "base/clean_text.h"

namespace winnow {
namespace {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;

constexpr std::uint32_t kChannels = 3;
constexpr std::size_t kMaxText = 1 << 24;
constexpr std::uint32_t kMaxSide = 1024;

void put_text(Bytes& bytes, const std::string& text) {
  put_number(bytes, static_cast<std::uint32_t>(text.size()));
  const View view = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), view.begin(), view.end());
}

}  // namespace

PackStream::PackStream(const Pack& pack) {
  Bytes& front = begin_own();
  put_number(front, static_cast<std::uint32_t>(pack.window.width));
  put_number(front, static_cast<std::uint32_t>(pack.window.height));
  put_text(front, pack.recipe);
  put_number(front, static_cast<std::uint64_t>(pack.names.size()));
  for (const std::string& name : pack.names) put_text(front, name);
  add(front);
  add(std::as_bytes(std::span(pack.positives)));
  put_number(begin_own(), static_cast<std::uint64_t>(pack.negatives.size()));
  add(own_.back());
  for (const Pack::Negative& negative : pack.negatives) {
    Bytes& words = begin_own();
    put_text(words, negative.name);
    put_number(words, static_cast<std::uint32_t>(negative.size.width));
    put_number(words, static_cast<std::uint32_t>(negative.size.height));
    put_number(words, static_cast<std::uint64_t>(negative.file.size()));
    add(words);
    add(negative.file);
  }
  if (!pack.color) return;
  put_number(begin_own(), kChannels);
  add(own_.back());
  add(std::as_bytes(std::span(pack.colors)));
}

void PackStream::add(View piece) {
  pieces_.push_back(piece);
  size_ += piece.size();
}

void check_pack(const Pack& pack) {
  const auto require = [](bool good, const char* sentence) {
    if (!good) throw Error(ErrorCode::kUsage, sentence);
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

PackReader::PackReader(const std::vector<View>& pieces) : pieces_(pieces) {
  for (const View piece : pieces) left_ += piece.size();
}

void PackReader::read(void* to, std::size_t size) {
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

std::string PackReader::text() {
  const auto size = number<std::uint32_t>();
  require(size <= kMaxText && size <= left_);
  std::string text(size, '\0');
  read(text.data(), size);
  require(is_clean_text(text));
  return text;
}

std::size_t PackReader::count(std::uint64_t bytes) {
  const auto count = number<std::uint64_t>();
  require(count <= left_ / bytes);
  return static_cast<std::size_t>(count);
}

void PackReader::require(bool good) {
  if (!good) throw Error(ErrorCode::kFormat, "the pack makes no sense, though its CRCs are right");
}

Pack parse_pack_stream(const std::vector<View>& pieces) {
  PackReader reader(pieces);
  Pack pack;
  const auto width = reader.number<std::uint32_t>(), height = reader.number<std::uint32_t>();
  PackReader::require(width >= 1 && height >= 1 && width <= kMaxSide && height <= kMaxSide);
  pack.window = {static_cast<int>(width), static_cast<int>(height)};
  pack.recipe = reader.text();
  const std::size_t count = reader.count(4 + pack.positive_bytes());
  for (std::size_t i = 0; i < count; ++i) pack.names.push_back(reader.text());
  PackReader::require(count <= reader.left() / pack.positive_bytes());
  pack.positives.resize(count * pack.positive_bytes());
  reader.read(pack.positives.data(), pack.positives.size());
  const std::size_t negatives = reader.count(20);
  for (std::size_t i = 0; i < negatives; ++i) {
    Pack::Negative& negative = pack.negatives.emplace_back();
    negative.name = reader.text();
    const auto w = reader.number<std::uint32_t>(), h = reader.number<std::uint32_t>();
    PackReader::require(w >= 1 && h >= 1 && w <= 1u << 30 && h <= 1u << 30);
    negative.size = {static_cast<int>(w), static_cast<int>(h)};
    negative.file.resize(reader.count(1));
    reader.read(negative.file.data(), negative.file.size());
  }
  pack.color = reader.left() > 0;
  if (pack.color) {
    PackReader::require(reader.number<std::uint32_t>() == kChannels &&
                        reader.left() == std::uint64_t{kChannels} * pack.positives.size());
    pack.colors.resize(kChannels * pack.positives.size());
    reader.read(pack.colors.data(), pack.colors.size());
  }
  return pack;
}

}  // namespace winnow
