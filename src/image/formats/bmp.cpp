// Decodes BMP of Windows and OS/2, as image/files/decode.h declares; its opening comment holds here.
// Transparency is dropped. Samples of more than 8 bits keep their high bits, and shorter samples are scaled
// and rounded. A palette index without a colour is black. Pixels that run lengths leave out have index 0.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "image/files/decode.h"
#include "image/formats/little_reader.h"
#include "image/formats/picture_rows.h"

namespace winnow {
namespace {

enum Compression : std::uint32_t { kPlain = 0, kRuns8 = 1, kRuns4 = 2, kMasks = 3, kMasksWithAlpha = 6 };
constexpr std::uint32_t kOs2Header = 64;  // its compressions 3 and 4 mean others than those of Windows

struct Header {
  std::int64_t width = 0, height = 0;
  bool top_down = false;
  int bits = 0;  // of a pixel
  std::uint32_t compression = kPlain;
  std::array<std::uint32_t, 3> masks{};  // of red, green and blue, for 16 and 32 bits
  std::array<Rgb, 256> palette{};
  std::size_t pixels_at = 0;

  bool runs() const { return compression == kRuns8 || compression == kRuns4; }
};

void check_kind(const LittleReader& reader, const Header& header, std::uint32_t size) {
  const std::uint32_t kind = header.compression;
  const bool masks = kind == kMasks || kind == kMasksWithAlpha;
  if ((kind != kPlain && !header.runs() && !masks) || (masks && size == kOs2Header))
    reader.fail("this compression is not read; save the picture without it", ErrorCode::kUnsupported);
  constexpr std::array kDepths{1, 2, 4, 8, 16, 24, 32};
  if (std::find(kDepths.begin(), kDepths.end(), header.bits) == kDepths.end() ||
      (header.runs() && header.bits != (kind == kRuns8 ? 8 : 4)) ||
      (masks && header.bits != 16 && header.bits != 32))
    reader.fail("its number of bits a pixel does not fit");
  if (header.runs() && header.top_down) reader.fail("a picture of run lengths must begin with its last row");
}

// Reads everything before the pixels.
Header read_header(LittleReader& reader, const ReadOptions& options) {
  Header header;
  reader.go_to(10);
  header.pixels_at = reader.number(4);
  const std::size_t begin = reader.position();
  const std::uint32_t size = reader.number(4);
  std::int64_t colors = 0;
  const bool old = size == 12;
  if (old) {
    header.width = reader.number(2);
    header.height = reader.number(2);
    reader.take(2);
    header.bits = static_cast<int>(reader.number(2));
  } else {
    constexpr std::array<std::uint32_t, 6> kSizes{40, 52, 56, kOs2Header, 108, 124};
    if (std::find(kSizes.begin(), kSizes.end(), size) == kSizes.end())
      reader.fail("its header has an unknown size");
    header.width = static_cast<std::int32_t>(reader.number(4));
    header.height = static_cast<std::int32_t>(reader.number(4));
    reader.take(2);
    header.bits = static_cast<int>(reader.number(2));
    header.compression = reader.number(4);
    reader.take(12);
    colors = reader.number(4);
    reader.take(4);
  }
  header.top_down = header.height < 0;
  if (header.top_down) header.height = -header.height;
  check_kind(reader, header, size);
  check_picture_size(header.width, header.height, options);

  if (header.compression >= kMasks) {  // in the header, or behind a short header
    for (std::uint32_t& mask : header.masks) mask = reader.number(4);
  } else if (header.bits == 16) {
    header.masks = {0x7C00, 0x03E0, 0x001F};
  } else {
    header.masks = {0xFF0000, 0xFF00, 0xFF};
  }
  if (size > 40) reader.go_to(begin + size);
  if (header.pixels_at < reader.position()) reader.fail("its pixels begin inside its header");
  if (header.bits <= 8) {
    const std::int64_t most = std::int64_t{1} << header.bits;
    if (colors == 0 || colors > most) colors = most;
    const auto room = static_cast<std::int64_t>(header.pixels_at - reader.position());
    colors = std::min(colors, room / (old ? 3 : 4));
    for (std::size_t i = 0; i < static_cast<std::size_t>(colors); ++i) {
      const auto color = reader.take(old ? 3 : 4);
      const auto channel = [&](std::size_t c) { return std::to_integer<std::uint8_t>(color[c]); };
      header.palette[i] = {channel(2), channel(1), channel(0)};
    }
  }
  reader.go_to(header.pixels_at);
  return header;
}

// Takes a channel from a pixel, in 8 bits.
class Channel {
 public:
  Channel(const LittleReader& reader, std::uint32_t mask)
      : mask_(mask), shift_(mask == 0 ? 0 : std::countr_zero(mask)), largest_(mask >> shift_) {
    if ((largest_ & (largest_ + 1)) != 0) reader.fail("the mask of a colour has a gap");
    extra_ = std::max(0, static_cast<int>(std::bit_width(largest_)) - 8);
  }
  std::uint8_t operator()(std::uint32_t pixel) const {
    const std::uint32_t value = (pixel & mask_) >> shift_;
    if (largest_ >= 255) return static_cast<std::uint8_t>(value >> extra_);
    return largest_ == 0 ? 0 : static_cast<std::uint8_t>((value * 255 + largest_ / 2) / largest_);
  }

 private:
  std::uint32_t mask_;
  int shift_;
  std::uint32_t largest_;  // sample
  int extra_ = 0;          // bits above 8
};

int row_of(const Header& header, int y) {
  return header.top_down ? y : static_cast<int>(header.height) - 1 - y;
}

// Pixels without compression. Rows are padded to multiples of 4 bytes; the last row may lack its padding.
Picture read_rows(LittleReader& reader, const Header& header, bool color) {
  const int width = static_cast<int>(header.width), height = static_cast<int>(header.height);
  const std::int64_t row_bytes = (header.width * header.bits + 7) / 8;
  const std::int64_t padded = (row_bytes + 3) / 4 * 4;
  if (padded * (header.height - 1) + row_bytes > static_cast<std::int64_t>(reader.left()))
    reader.fail_early();
  const std::array<Channel, 3> channels{Channel(reader, header.masks[0]), Channel(reader, header.masks[1]),
                                        Channel(reader, header.masks[2])};
  PictureRows rows(width, height, color);
  std::vector<Rgb> row(static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y) {
    const auto bytes = reader.take(static_cast<std::size_t>(row_bytes));
    for (std::size_t x = 0; x < row.size(); ++x) {
      const std::size_t bit = x * static_cast<std::size_t>(header.bits), at = bit / 8;
      if (header.bits <= 8) {
        const auto byte = std::to_integer<unsigned>(bytes[at]);
        const unsigned shift = 8 - static_cast<unsigned>(bit % 8) - static_cast<unsigned>(header.bits);
        row[x] = header.palette[byte >> shift & ((1u << header.bits) - 1)];
        continue;
      }
      std::uint32_t pixel = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(header.bits) / 8; ++i)
        pixel |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
      row[x] = {channels[0](pixel), channels[1](pixel), channels[2](pixel)};
    }
    rows.put(row_of(header, y), row.data());
    if (y + 1 < height) reader.take(static_cast<std::size_t>(padded - row_bytes));
  }
  return rows.take();
}

// Reads run lengths of 4 or 8 bits into palette indexes, the last row first.
void read_runs(LittleReader& reader, const Header& header, GrayImage& indexes) {
  const int bits = header.bits;
  std::int64_t x = 0, y = 0;
  const auto put = [&](std::int64_t count, auto index_of) {
    if (y >= header.height || count > header.width - x) reader.fail("a run leaves the picture");
    std::uint8_t* row = indexes.row(row_of(header, static_cast<int>(y)));
    for (std::int64_t i = 0; i < count; ++i) row[x + i] = index_of(i);
    x += count;
  };
  // Index `i` of indexes that are packed from the high bits down.
  const auto packed = [&](std::int64_t i, std::uint32_t byte) {
    return static_cast<std::uint8_t>(bits == 8 ? byte : i % 2 == 0 ? byte >> 4 : byte & 15);
  };
  while (y < header.height) {
    const int count = reader.byte(), value = reader.byte();
    if (count > 0) {
      put(count, [&](std::int64_t i) { return packed(i, static_cast<std::uint32_t>(value)); });
    } else if (value == 0) {
      x = 0;
      ++y;
    } else if (value == 1) {
      return;
    } else if (value == 2) {
      x += reader.byte();
      y += reader.byte();
      if (x > header.width || y > header.height) reader.fail("a run leaves the picture");
    } else {
      const std::size_t size = (static_cast<std::size_t>(value * bits) + 7) / 8;
      const auto bytes = reader.take(size);
      put(value, [&](std::int64_t i) {
        return packed(i, std::to_integer<std::uint32_t>(bytes[static_cast<std::size_t>(i * bits / 8)]));
      });
      reader.take(size % 2);
    }
  }
}

}  // namespace

Picture decode_bmp(std::span<const std::byte> bytes, const ReadOptions& options) {
  LittleReader reader(bytes, "BMP");
  const Header header = read_header(reader, options);
  if (!header.runs()) return read_rows(reader, header, options.color);
  const int width = static_cast<int>(header.width), height = static_cast<int>(header.height);
  GrayImage indexes(width, height);
  read_runs(reader, header, indexes);
  PictureRows rows(width, height, options.color);
  std::vector<Rgb> row(static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y) {
    std::transform(indexes.row(y), indexes.row(y) + width, row.begin(),
                   [&](std::uint8_t index) { return header.palette[index]; });
    rows.put(y, row.data());
  }
  return rows.take();
}

}  // namespace winnow
