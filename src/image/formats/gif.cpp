// Decodes the first picture of a GIF, as image/files/decode.h declares; its opening comment holds here.
// Transparency is dropped. Where the picture does not cover the GIF's screen, the background colour shows. A
// picture that leaves the screen makes the screen larger.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "image/files/decode.h"
#include "image/formats/little_reader.h"
#include "image/formats/picture_rows.h"

namespace winnow {
namespace {

using Palette = std::array<Rgb, 256>;

constexpr int kExtension = 0x21, kImage = 0x2C, kEnd = 0x3B;

// The place of a picture on the screen, and what its descriptor says about it.
struct Frame {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  bool interlaced = false;
};

// Reads the colours of a table if bit 7 of `packed` says that one follows.
bool read_palette(LittleReader& reader, int packed, Palette& palette) {
  if ((packed & 0x80) == 0) return false;
  palette = {};
  for (std::size_t i = 0; i < std::size_t{2} << (packed & 7); ++i) {
    const auto color = reader.take(3);
    palette[i] = {std::to_integer<std::uint8_t>(color[0]), std::to_integer<std::uint8_t>(color[1]),
                  std::to_integer<std::uint8_t>(color[2])};
  }
  return true;
}

void skip_blocks(LittleReader& reader) {
  for (int size = reader.byte(); size > 0; size = reader.byte()) reader.take(static_cast<std::size_t>(size));
}

// Gives the LZW codes that lie in blocks of bytes, from the low bits up.
class Codes {
 public:
  explicit Codes(LittleReader& reader) : reader_(reader) {}
  int next(int width) {
    while (count_ < width) {
      if (block_.empty()) {
        const int size = reader_.byte();
        if (size == 0) reader_.fail_early();
        block_ = reader_.take(static_cast<std::size_t>(size));
      }
      bits_ |= std::to_integer<std::uint32_t>(block_.front()) << count_;
      block_ = block_.subspan(1);
      count_ += 8;
    }
    const std::uint32_t code = bits_ & ((1u << width) - 1);
    bits_ >>= width;
    count_ -= width;
    return static_cast<int>(code);
  }

 private:
  LittleReader& reader_;
  std::span<const std::byte> block_;
  std::uint32_t bits_ = 0;
  int count_ = 0;
};

// Unpacks palette indexes. `put(index)` returns false once the picture is full.
template <class Put>
void unpack(LittleReader& reader, Put put) {
  constexpr int kMostCodes = 4096, kMostBits = 12;
  const int bits = reader.byte();
  if (bits < 1 || bits > 8) reader.fail("its codes have an unknown size");
  const int clear = 1 << bits, end = clear + 1;
  std::array<std::uint16_t, kMostCodes> prefix{};
  std::array<std::uint8_t, kMostCodes> last{};
  std::array<std::uint8_t, kMostCodes> text{};  // of one code, backwards
  int next = end + 1, width = bits + 1, before = -1;
  std::uint8_t first = 0;  // index of the code before
  Codes codes(reader);
  for (;;) {
    const int code = codes.next(width);
    if (code == end) reader.fail_early();
    if (code == clear) {
      next = end + 1;
      width = bits + 1;
      before = -1;
      continue;
    }
    if (code > next || (before < 0 && code > clear)) reader.fail("a code has no meaning");
    std::size_t length = 0;
    int at = code;
    if (code == next) {  // the code that this step makes: the code before, and its first index
      text[length++] = first;
      at = before;
    }
    for (; at > clear; at = prefix[static_cast<std::size_t>(at)])
      text[length++] = last[static_cast<std::size_t>(at)];
    text[length++] = first = static_cast<std::uint8_t>(at);
    if (before >= 0 && next < kMostCodes) {
      prefix[static_cast<std::size_t>(next)] = static_cast<std::uint16_t>(before);
      last[static_cast<std::size_t>(next)] = first;
      ++next;
      if (next == 1 << width && width < kMostBits) ++width;
    }
    before = code;
    while (length > 0) {
      if (!put(text[--length])) return;
    }
  }
}

// Unpacks the picture's indexes. An interlaced picture has every eighth row first, then the rows between.
GrayImage read_indexes(LittleReader& reader, const Frame& frame) {
  // A code has 2 bits or more, and stands for at most 4096 pixels.
  if (frame.width * frame.height / (4 * 4096) > static_cast<std::int64_t>(reader.left())) reader.fail_early();
  GrayImage indexes(static_cast<int>(frame.width), static_cast<int>(frame.height));
  constexpr std::array kStarts{0, 4, 2, 1}, kSteps{8, 8, 4, 2};
  std::size_t pass = 0;
  int x = 0, y = 0;
  unpack(reader, [&](std::uint8_t index) {
    indexes.row(y)[x] = index;
    if (++x < indexes.width()) return true;
    x = 0;
    y += frame.interlaced ? kSteps[pass] : 1;
    while (y >= indexes.height()) {
      if (!frame.interlaced || ++pass == kStarts.size()) return false;
      y = kStarts[pass];
    }
    return true;
  });
  return indexes;
}

// Counts the pictures from here to the end. A damaged end is no error, since the first picture is whole.
std::int64_t count_others(LittleReader& reader) {
  std::int64_t count = 0;
  try {
    skip_blocks(reader);
    for (int block = reader.byte(); block == kExtension || block == kImage; block = reader.byte()) {
      if (block == kImage) {
        reader.take(8);
        Palette ignored;
        read_palette(reader, reader.byte(), ignored);
        reader.take(1);
        skip_blocks(reader);
        ++count;
      } else {
        reader.take(1);
        skip_blocks(reader);
      }
    }
  } catch (const Error&) {
  }
  return count;
}

}  // namespace

DecodedFile decode_gif(std::span<const std::byte> bytes, const ReadOptions& options) {
  LittleReader reader(bytes, "GIF");
  reader.go_to(6);
  std::int64_t width = reader.number(2), height = reader.number(2);
  const int screen = reader.byte(), background = reader.byte();
  reader.take(1);
  Palette palette{};
  bool colors = read_palette(reader, screen, palette);
  const Rgb behind = palette[static_cast<std::size_t>(background)];

  int block = reader.byte();
  for (; block == kExtension; block = reader.byte()) {
    reader.take(1);
    skip_blocks(reader);
  }
  if (block == kEnd) reader.fail("it holds no picture");
  if (block != kImage) reader.fail("a block of an unknown kind");
  Frame frame;
  frame.x = reader.number(2);
  frame.y = reader.number(2);
  frame.width = reader.number(2);
  frame.height = reader.number(2);
  const int packed = reader.byte();
  frame.interlaced = (packed & 0x40) != 0;
  check_picture_size(frame.width, frame.height, options);
  width = std::max(width, frame.x + frame.width);
  height = std::max(height, frame.y + frame.height);
  check_picture_size(width, height, options);
  colors = read_palette(reader, packed, palette) || colors;
  if (!colors) reader.fail("it has no colours");

  const GrayImage indexes = read_indexes(reader, frame);
  PictureRows rows(static_cast<int>(width), static_cast<int>(height), options.color);
  const std::vector<Rgb> empty(static_cast<std::size_t>(width), behind);
  std::vector<Rgb> row = empty;
  for (int y = 0; y < static_cast<int>(height); ++y) {
    const auto inside = y - frame.y;
    const bool covered = inside >= 0 && inside < frame.height;
    if (covered) {
      const std::uint8_t* from = indexes.row(static_cast<int>(inside));
      std::transform(from, from + indexes.width(), row.begin() + frame.x,
                     [&](std::uint8_t index) { return palette[index]; });
    }
    rows.put(y, covered ? row.data() : empty.data());
  }
  DecodedFile file{rows.take(), 0};
  file.others = count_others(reader);
  return file;
}

}  // namespace winnow
