#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/error_for_test.h"
#include "base/folder_for_test.h"
#include "image/files/decode.h"
#include "image/gray_rule.h"

namespace winnow {
namespace {

using Bytes = std::vector<std::byte>;

struct TiffKind {
  int photometric = PHOTOMETRIC_RGB;
  int bits = 8;
  int samples = 3;
  int compression = COMPRESSION_NONE;
  bool separate = false;
  int tile = 0;  // side of a tile; 0 for strips
  int strip_rows = 4;
  int orientation = ORIENTATION_TOPLEFT;
  int pages = 1;
  int subfile = 0;  // kind of further pages
  const char* mode = "w";
  std::vector<std::uint16_t> palette{};  // red, then green, then blue
};

// Sample `s` of pixel (x, y).
int sample(const TiffKind& kind, int x, int y, int s) {
  const int value = (x * 37 + y * 11 + s * 71 + 5) & 255;
  if (kind.bits > 8) return value << (kind.bits - 8) | ((255 - value) >> (16 - kind.bits));
  return value & ((1 << kind.bits) - 1);
}

// Packs samples from..to of a row of pixels that begins at x0.
std::vector<std::uint8_t> packed(const TiffKind& kind, Size size, int x0, int count, int y, int from,
                                 int to) {
  std::vector<std::uint8_t> row;
  int bits = 0, waiting = 0;
  for (int x = x0; x < x0 + count; ++x) {
    for (int s = from; s < to; ++s) {
      const int value = x < size.width && y < size.height ? sample(kind, x, y, s) : 0;
      if (kind.bits == 16) {
        const auto wide = static_cast<std::uint16_t>(value);
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&wide);
        row.insert(row.end(), bytes, bytes + 2);
        continue;
      }
      waiting = waiting << kind.bits | value;
      bits += kind.bits;
      for (; bits >= 8; bits -= 8) row.push_back(static_cast<std::uint8_t>(waiting >> (bits - 8) & 255));
      waiting &= (1 << bits) - 1;
    }
  }
  if (bits > 0) row.push_back(static_cast<std::uint8_t>(waiting << (8 - bits)));
  return row;
}

void write_page(TIFF* tiff, Size size, const TiffKind& kind) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, size.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, size.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, kind.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, kind.samples);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, kind.photometric);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, kind.compression);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, kind.separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, kind.orientation);
  if (kind.samples == 4 && kind.photometric == PHOTOMETRIC_RGB) {
    const std::uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
  }
  if (!kind.palette.empty()) {
    auto* colors = const_cast<std::uint16_t*>(kind.palette.data());
    const std::size_t count = kind.palette.size() / 3;
    TIFFSetField(tiff, TIFFTAG_COLORMAP, colors, colors + count, colors + 2 * count);
  }
  const int planes = kind.separate ? kind.samples : 1;
  if (kind.tile > 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, kind.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, kind.tile);
    for (int plane = 0; plane < planes; ++plane) {
      for (int y0 = 0; y0 < size.height; y0 += kind.tile) {
        for (int x0 = 0; x0 < size.width; x0 += kind.tile) {
          std::vector<std::uint8_t> tile;
          for (int y = y0; y < y0 + kind.tile; ++y) {
            const auto row = packed(kind, size, x0, kind.tile, y, kind.separate ? plane : 0,
                                    kind.separate ? plane + 1 : kind.samples);
            tile.insert(tile.end(), row.begin(), row.end());
          }
          TIFFWriteTile(tiff, tile.data(), static_cast<std::uint32_t>(x0), static_cast<std::uint32_t>(y0), 0,
                        static_cast<std::uint16_t>(plane));
        }
      }
    }
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kind.strip_rows);
    for (int plane = 0; plane < planes; ++plane) {
      for (int y = 0; y < size.height; ++y) {
        auto row = packed(kind, size, 0, size.width, y, kind.separate ? plane : 0,
                          kind.separate ? plane + 1 : kind.samples);
        TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y), static_cast<std::uint16_t>(plane));
      }
    }
  }
  TIFFWriteDirectory(tiff);
}

Bytes make_tiff(Size size, const TiffKind& kind) {
  const TestFolder folder;
  const std::string path = folder.file("made.tif");
  TIFF* tiff = TIFFOpen(path.c_str(), kind.mode);
  for (int page = 0; page < kind.pages; ++page) {
    if (page > 0) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, kind.subfile);
    write_page(tiff, size, kind);
  }
  TIFFClose(tiff);
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

// What the pixel must become.
Rgb expected(const TiffKind& kind, int x, int y) {
  const auto value = [&](int s) {
    const int stored = sample(kind, x, y, s);
    return kind.bits > 8 ? stored >> (kind.bits - 8) : stored;
  };
  const auto gray = [](int v) {
    return Rgb{static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v)};
  };
  const int most = kind.bits > 8 ? 255 : (1 << kind.bits) - 1;
  switch (kind.photometric) {
    case PHOTOMETRIC_MINISBLACK:
      return gray(value(0) * 255 / most);
    case PHOTOMETRIC_MINISWHITE:
      return gray(255 - value(0) * 255 / most);
    case PHOTOMETRIC_PALETTE: {
      const std::size_t i = static_cast<std::size_t>(value(0)), count = kind.palette.size() / 3;
      const bool old = *std::max_element(kind.palette.begin(), kind.palette.end()) < 256;
      const auto part = [&](std::size_t at) {
        return static_cast<std::uint8_t>(kind.palette[at] >> (old ? 0 : 8));
      };
      return {part(i), part(i + count), part(i + 2 * count)};
    }
    case PHOTOMETRIC_SEPARATED: {
      const auto mix = [&](int s) {
        return static_cast<std::uint8_t>(((255 - value(s)) * (255 - value(3)) + 127) / 255);
      };
      return {mix(0), mix(1), mix(2)};
    }
    default:
      return {static_cast<std::uint8_t>(value(0)), static_cast<std::uint8_t>(value(1)),
              static_cast<std::uint8_t>(value(2))};
  }
}

void expect_pixels(Size size, const TiffKind& kind) {
  const Bytes file = make_tiff(size, kind);
  const Picture picture = decode_picture(file, {.color = true});
  const Picture gray_only = decode_picture(file);
  ASSERT_EQ(picture.gray.size(), size);
  ASSERT_EQ(picture.color.size(), size);
  EXPECT_TRUE(gray_only.color.empty());
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const Rgb wanted = expected(kind, x, y);
      ASSERT_EQ(picture.color.row(y)[x], wanted) << x << ", " << y;
      ASSERT_EQ(picture.gray.row(y)[x], gray_of(wanted)) << x << ", " << y;
      ASSERT_EQ(gray_only.gray.row(y)[x], gray_of(wanted)) << x << ", " << y;
    }
  }
}

ErrorCode code_of(const Bytes& file, const ReadOptions& options = {}) {
  return error_of([&] { decode_picture(file, options); }).code();
}

constexpr Size kSizes[] = {{1, 1}, {17, 13}, {40, 33}};

TEST(Tiff, GreyOfEveryDepth) {
  for (const Size size : kSizes) {
    for (const int kind : {PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE}) {
      for (const int bits : {1, 2, 4, 8, 9, 10, 12, 14, 15, 16}) {
        expect_pixels(size, {.photometric = kind, .bits = bits, .samples = 1});
        expect_pixels(size, {.photometric = kind, .bits = bits, .samples = 1, .tile = 16});
      }
    }
  }
}

TEST(Tiff, ColoursInStripsTilesAndPlanes) {
  for (const Size size : kSizes) {
    for (const int samples : {3, 4}) {
      for (const int bits : {8, 10, 12, 16}) {
        for (const bool separate : {false, true}) {
          for (const int tile : {0, 16})
            expect_pixels(size, {.bits = bits, .samples = samples, .separate = separate, .tile = tile});
        }
      }
    }
    for (const bool separate : {false, true})
      expect_pixels(size, {.photometric = PHOTOMETRIC_SEPARATED, .samples = 4, .separate = separate});
  }
}

TEST(Tiff, CompressionsAndOrdersOfBytes) {
  for (const int compression : {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS}) {
    expect_pixels({40, 33}, {.compression = compression});
    expect_pixels({40, 33}, {.compression = compression, .tile = 16});
  }
  expect_pixels(
      {40, 33},
      {.photometric = PHOTOMETRIC_MINISWHITE, .bits = 1, .samples = 1, .compression = COMPRESSION_CCITTFAX4});
  for (const char* mode : {"wl", "wb", "w8"}) expect_pixels({17, 13}, {.bits = 16, .mode = mode});
}

TEST(Tiff, Palettes) {
  for (const int bits : {1, 2, 4, 8}) {
    for (const int scale : {1, 257}) {
      std::vector<std::uint16_t> palette;
      for (int part = 0; part < 3; ++part) {
        for (int i = 0; i < 1 << bits; ++i)
          palette.push_back(static_cast<std::uint16_t>(((i * 53 + part * 80 + 9) & 255) * scale));
      }
      expect_pixels({17, 13},
                    {.photometric = PHOTOMETRIC_PALETTE, .bits = bits, .samples = 1, .palette = palette});
    }
  }
}

// libtiff itself makes these colours.
TEST(Tiff, OtherKindsOfPixelsAreNear) {
  const Bytes file = make_tiff({8, 8}, {.photometric = PHOTOMETRIC_CIELAB});
  const Picture picture = decode_picture(file, {.color = true});
  EXPECT_EQ(picture.gray.size(), (Size{8, 8}));
  EXPECT_NE(picture.color.row(0)[0], picture.color.row(7)[0]);
  EXPECT_EQ(picture.gray.row(3)[5], gray_of(picture.color.row(3)[5]));
}

TEST(Tiff, IsTurnedUpright) {
  const TiffKind kind{.photometric = PHOTOMETRIC_MINISBLACK, .samples = 1};
  const Picture plain = decode_picture(make_tiff({5, 3}, kind));
  for (const int photometric : {PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_CIELAB}) {
    TiffKind turned{.photometric = photometric, .samples = photometric == PHOTOMETRIC_CIELAB ? 3 : 1};
    const Picture upright = decode_picture(make_tiff({5, 3}, turned));
    turned.orientation = ORIENTATION_BOTRIGHT;
    const Picture picture = decode_picture(make_tiff({5, 3}, turned));
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 5; ++x) EXPECT_EQ(picture.gray.row(y)[x], upright.gray.row(2 - y)[4 - x]);
    }
  }
  TiffKind side = kind;
  side.orientation = ORIENTATION_RIGHTTOP;
  const Picture picture = decode_picture(make_tiff({5, 3}, side));
  ASSERT_EQ(picture.gray.size(), (Size{3, 5}));
  EXPECT_EQ(picture.gray.row(0)[2], plain.gray.row(0)[0]);
}

TEST(Tiff, FurtherPagesAreCounted) {
  const auto others = [](const TiffKind& kind) { return decode_file(make_tiff({5, 3}, kind), {}).others; };
  EXPECT_EQ(others({}), 0);
  EXPECT_EQ(others({.pages = 3}), 2);
  EXPECT_EQ(others({.pages = 3, .subfile = FILETYPE_REDUCEDIMAGE}), 0);
}

TEST(Tiff, EveryShorterFileIsAnError) {
  for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW}) {
    const Bytes whole = make_tiff({17, 13}, {.compression = compression});
    EXPECT_NO_THROW(decode_picture(whole));
    for (std::size_t size = 8; size + 6 < whole.size(); size += 3) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(code_of(cut), ErrorCode::kFormat) << size;
    }
  }
}

TEST(Tiff, AnyBrokenByteIsAnErrorOrAPicture) {
  int errors = 0;
  for (const TiffKind& kind : {TiffKind{.compression = COMPRESSION_LZW}, TiffKind{.tile = 16}}) {
    const Bytes whole = make_tiff({17, 13}, kind);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (const int flip : {1, 0x80}) {
        Bytes broken = whole;
        broken[i] ^= static_cast<std::byte>(flip);
        try {
          decode_picture(broken, {.color = true, .max_pixels = 1 << 20});
        } catch (const Error&) {
          ++errors;
        }
      }
    }
  }
  EXPECT_GT(errors, 60);
}

TEST(Tiff, SizesAreCheckedBeforeMemoryIsAskedFor) {
  const Bytes small = make_tiff({10, 10}, {});
  EXPECT_NO_THROW(decode_picture(small, {.max_pixels = 100}));
  EXPECT_EQ(code_of(small, {.max_pixels = 99}), ErrorCode::kLimit);
  // The width of a file of one row becomes large. The tag is 0x0100, of 16 or 32 bits.
  Bytes wide = make_tiff({300, 1}, {.photometric = PHOTOMETRIC_MINISBLACK, .samples = 1});
  const std::byte tag[] = {std::byte{0}, std::byte{1}};
  for (std::size_t i = 8; i + 12 < wide.size(); ++i) {
    if (std::equal(tag, tag + 2, wide.begin() + static_cast<std::ptrdiff_t>(i)) &&
        wide[i + 2] == std::byte{3} && wide[i + 4] == std::byte{1}) {
      wide[i + 2] = std::byte{4};
      wide[i + 11] = std::byte{0x40};
      break;
    }
  }
  EXPECT_EQ(code_of(wide), ErrorCode::kLimit);
}

TEST(Tiff, ALoneHeaderIsAnError) {
  for (const char* head : {"II*", "MM"}) {
    Bytes bytes;
    for (const char c : std::string(head)) bytes.push_back(static_cast<std::byte>(c));
    bytes.push_back(std::byte{0});
    if (bytes.size() < 4) bytes.push_back(std::byte{'*'});
    EXPECT_EQ(code_of(bytes), ErrorCode::kFormat);
  }
}

}  // namespace
}  // namespace winnow
