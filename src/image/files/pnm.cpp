// Decodes PBM, PGM and PPM, in text and in binary, as image/files/decode.h declares; its opening comment
// holds here.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

#include <winnow/error.h>

#include "image/files/byte_reader.h"
#include "image/files/decode.h"
#include "image/gray_rule.h"
#include "image/picture_format.h"

namespace winnow {
namespace {

struct Header {
  int kind = 0;  // 1 to 6, as in "P5"
  int width = 0;
  int height = 0;
  int max_value = 1;
  bool color() const { return kind == 3 || kind == 6; }
  std::int64_t pixels() const { return std::int64_t{width} * height; }
  std::int64_t samples() const { return pixels() * (color() ? 3 : 1); }
};

[[noreturn]] void fail(const ByteReader& reader, const char* sentence) {
  throw Error(ErrorCode::kFormat, sentence, {}, byte_place(reader.position()));
}

bool is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// Like `get`, but skips a comment and returns the line end behind it.
int get_past_comment(ByteReader& reader) {
  int byte = reader.get();
  if (byte == '#') {
    while (byte >= 0 && byte != '\n' && byte != '\r') byte = reader.get();
  }
  return byte;
}

void skip_space_and_comments(ByteReader& reader) {
  while (is_space(reader.peek()) || reader.peek() == '#') get_past_comment(reader);
}

std::int64_t read_number(ByteReader& reader) {
  skip_space_and_comments(reader);
  if (reader.peek() < 0) fail(reader, "the PNM picture ends early");
  if (!std::isdigit(reader.peek())) fail(reader, "a number was expected in the PNM picture");
  std::int64_t value = 0;
  while (reader.peek() >= 0 && std::isdigit(reader.peek())) {
    // Stops growing at 2^40, far above any accepted number, so that no number overflows.
    value = std::min(value * 10 + (reader.get() - '0'), std::int64_t{1} << 40);
  }
  return value;
}

Header read_header(ByteReader& reader, const ReadOptions& options) {
  Header header;
  const int letter = reader.get();
  const int digit = reader.get();
  if (letter != 'P' || digit < '1' || digit > '6') fail(reader, "not a PNM picture");
  header.kind = digit - '0';
  if (!is_space(reader.peek()) && reader.peek() != '#')
    fail(reader, "white space was expected after the PNM's type");
  const std::int64_t width = read_number(reader);
  const std::int64_t height = read_number(reader);
  try {
    check_picture_size(width, height, options);
  } catch (const Error& error) {
    throw Error(error.code(), error.sentence(), {}, byte_place(reader.position()));
  }
  header.width = static_cast<int>(width);
  header.height = static_cast<int>(height);
  if (header.kind != 1 && header.kind != 4) {
    const std::int64_t max_value = read_number(reader);
    if (max_value < 1 || max_value > 65535) fail(reader, "the PNM's largest value must be 1 to 65535");
    header.max_value = static_cast<int>(max_value);
  }
  if (!is_space(get_past_comment(reader))) fail(reader, "white space was expected after the PNM's header");
  return header;
}

// The smallest number of bytes that can hold the pixels.
std::int64_t least_bytes(const Header& header) {
  switch (header.kind) {
    case 1:
      return header.pixels();
    case 2:
    case 3:
      return header.samples() * 2 - 1;
    case 4:
      return (std::int64_t{header.width} + 7) / 8 * header.height;
    default:
      return header.samples() * (header.max_value > 255 ? 2 : 1);
  }
}

// Maps samples to 8 bits. If `max_value` is 65535, samples keep their high byte, as in a PNG. Otherwise they
// are scaled and rounded.
std::vector<std::uint8_t> scale_table(int max_value) {
  std::vector<std::uint8_t> table(static_cast<std::size_t>(max_value) + 1);
  for (int value = 0; value <= max_value; ++value) {
    const int scaled = max_value == 65535 ? value >> 8 : (value * 255 + max_value / 2) / max_value;
    table[static_cast<std::size_t>(value)] = static_cast<std::uint8_t>(scaled);
  }
  return table;
}

// Reads samples one by one, scaled to 8 bits.
class Samples {
 public:
  Samples(ByteReader& reader, const Header& header)
      : reader_(reader), header_(header), table_(scale_table(header.max_value)) {}

  std::uint8_t next() {
    const std::int64_t value = raw();
    if (value > header_.max_value) fail(reader_, "a sample is larger than the PNM's largest value");
    return table_[static_cast<std::size_t>(value)];
  }

 private:
  std::int64_t raw() {
    if (header_.kind < 4) return read_number(reader_);
    const int high = byte();
    return header_.max_value > 255 ? high * 256 + byte() : high;
  }
  int byte() {
    const int value = reader_.get();
    if (value < 0) fail(reader_, "the PNM picture ends early");
    return value;
  }

  ByteReader& reader_;
  const Header& header_;
  std::vector<std::uint8_t> table_;
};

void read_bits(ByteReader& reader, const Header& header, GrayImage& gray) {
  for (int y = 0; y < header.height; ++y) {
    std::uint8_t* row = gray.row(y);
    int bits = 0;
    for (int x = 0; x < header.width; ++x) {
      if (header.kind == 1) {
        skip_space_and_comments(reader);
        bits = reader.get();
        if (bits >= 0 && bits != '0' && bits != '1') fail(reader, "a pixel of a P1 picture must be 0 or 1");
        row[x] = bits == '1' ? 0 : 255;
      } else {
        if (x % 8 == 0) bits = reader.get();
        row[x] = (bits >> (7 - x % 8) & 1) != 0 ? 0 : 255;
      }
      if (bits < 0) fail(reader, "the PNM picture ends early");
    }
  }
}

void read_plain_bytes(ByteReader& reader, const Header& header, GrayImage& gray) {
  std::uint8_t* to = gray.row(0);
  std::size_t left = static_cast<std::size_t>(header.pixels());
  while (left > 0) {
    const std::span<const std::byte> some = reader.buffered();
    if (some.empty()) fail(reader, "the PNM picture ends early");
    const std::size_t count = std::min(left, some.size());
    std::memcpy(to, some.data(), count);
    reader.skip(count);
    to += count;
    left -= count;
  }
}

}  // namespace

Picture decode_pnm(ByteReader& reader, const ReadOptions& options) {
  const Header header = read_header(reader, options);
  if (reader.shorter_than(least_bytes(header))) fail(reader, "the PNM picture ends early");
  Picture picture;
  picture.gray = GrayImage(header.width, header.height);
  if (header.kind == 1 || header.kind == 4) {
    read_bits(reader, header, picture.gray);
  } else if (header.kind == 5 && header.max_value == 255) {
    read_plain_bytes(reader, header, picture.gray);
  } else {
    if (options.color && header.color()) picture.color = RgbImage(header.width, header.height);
    Samples samples(reader, header);
    for (int y = 0; y < header.height; ++y) {
      std::uint8_t* gray = picture.gray.row(y);
      Rgb* color = picture.color.empty() ? nullptr : picture.color.row(y);
      for (int x = 0; x < header.width; ++x) {
        if (!header.color()) {
          gray[x] = samples.next();
          continue;
        }
        Rgb pixel;
        pixel.r = samples.next();
        pixel.g = samples.next();
        pixel.b = samples.next();
        gray[x] = gray_of(pixel);
        if (color != nullptr) color[x] = pixel;
      }
    }
  }
  if (options.color && picture.color.empty()) picture.color = to_color(picture.gray.view());
  return picture;
}

std::size_t next_pnm(ByteReader& reader) {
  skip_space(reader);
  const PictureFormat* format = format_of(reader.buffered());
  const bool follows = format != nullptr && format->kind == PictureKind::kPnm;
  return follows ? static_cast<std::size_t>(reader.position()) : 0;
}

bool holds_several_pnm(std::span<const std::byte> file, const ReadOptions& options) {
  const PictureFormat* format = format_of(file);
  if (format == nullptr || format->kind != PictureKind::kPnm) return false;
  ByteReader reader(file);
  try {
    const Header header = read_header(reader, options);
    const std::int64_t bytes = least_bytes(header);
    if (reader.shorter_than(bytes)) return false;
    if (header.kind >= 4) {
      reader.skip(static_cast<std::size_t>(bytes));
    } else {
      reader = ByteReader(file);
      decode_pnm(reader, options);
    }
    return next_pnm(reader) > 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace winnow
