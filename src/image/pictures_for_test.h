// Makes small pictures and files of them, for the tests of this room only.
//
// JPEG and PNG files are written with libjpeg and libpng directly, in kinds that `write_picture` never
// writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

// jpeglib.h needs FILE and size_t to be declared.
#include <cstdio>

#include <jpeglib.h>
#include <png.h>

#include <winnow/error.h>
#include <winnow/image.h>

#include "base/error_for_test.h"

namespace winnow::test {

using Bytes = std::vector<std::byte>;

inline Bytes bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}
inline Bytes operator+(Bytes left, const Bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

template <class Pixel>
std::vector<Pixel> pixels(const Image<Pixel>& image) {
  return image.empty() ? std::vector<Pixel>{}
                       : std::vector<Pixel>(image.row(0),
                                            image.row(0) + std::ptrdiff_t{image.width()} * image.height());
}

// A picture in which every pixel differs from its neighbours, and which no symmetry maps to itself.
inline RgbImage colorful(int width, int height) {
  RgbImage image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.row(y)[x] = {static_cast<std::uint8_t>(40 + 7 * x + y),
                         static_cast<std::uint8_t>(200 - 5 * y + 2 * x),
                         static_cast<std::uint8_t>(30 + 3 * x + 4 * y)};
    }
  }
  return image;
}
inline GrayImage grayish(int width, int height) { return to_gray(colorful(width, height).view()); }

// Breaks each byte in three ways, one byte at a time, and counts the broken files that are errors. All other
// broken files still decode.
inline int errors_of_broken_bytes(const Bytes& whole) {
  int errors = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {1, 0x80, 0xFF}) {
      Bytes broken = whole;
      broken[i] ^= static_cast<std::byte>(flip);
      try {
        decode_picture(broken, {.color = true, .max_pixels = 1 << 20});
      } catch (const Error&) {
        ++errors;
      }
    }
  }
  return errors;
}

struct JpegKind {
  J_COLOR_SPACE given = JCS_RGB;     // colour space of the samples
  J_COLOR_SPACE stored = JCS_YCbCr;  // colour space in the file
  int components = 3;
  bool adobe_marker = true;  // false: no Adobe marker, even where libjpeg would write one
  bool progressive = false;
  bool arithmetic = false;
  int restart_rows = 0;
  int quality = 95;
  Bytes app1{};                          // payload of an APP1 segment; empty: no segment
  std::vector<jpeg_scan_info> script{};  // scans of a progressive file; empty: libjpeg's choice
};

// `samples`: rows of `components` bytes a pixel.
inline Bytes make_jpeg(int width, int height, const std::vector<std::uint8_t>& samples,
                       const JpegKind& kind) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* out = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &out, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = kind.components;
  info.in_color_space = kind.given;
  jpeg_set_defaults(&info);
  jpeg_set_colorspace(&info, kind.stored);
  jpeg_set_quality(&info, kind.quality, TRUE);
  if (!kind.adobe_marker) info.write_Adobe_marker = FALSE;
  info.restart_in_rows = kind.restart_rows;
  info.arith_code = kind.arithmetic ? TRUE : FALSE;
  if (kind.progressive) jpeg_simple_progression(&info);
  if (!kind.script.empty()) {
    info.scan_info = kind.script.data();
    info.num_scans = static_cast<int>(kind.script.size());
  }
  jpeg_start_compress(&info, TRUE);
  if (!kind.app1.empty()) {
    jpeg_write_marker(&info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(kind.app1.data()),
                      static_cast<unsigned>(kind.app1.size()));
  }
  for (int y = 0; y < height; ++y) {
    auto* row = const_cast<JSAMPLE*>(samples.data() + std::ptrdiff_t{y} * width * kind.components);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  const auto* begin = reinterpret_cast<const std::byte*>(out);
  Bytes bytes(begin, begin + size);
  std::free(out);
  return bytes;
}

inline std::vector<std::uint8_t> samples_of(const RgbImage& image) {
  std::vector<std::uint8_t> samples;
  for (const Rgb& p : pixels(image)) samples.insert(samples.end(), {p.r, p.g, p.b});
  return samples;
}
inline Bytes make_jpeg(const RgbImage& image, const JpegKind& kind = {}) {
  return make_jpeg(image.width(), image.height(), samples_of(image), kind);
}
inline Bytes make_jpeg(const GrayImage& image, JpegKind kind = {}) {
  kind.given = kind.stored = JCS_GRAYSCALE;
  kind.components = 1;
  return make_jpeg(image.width(), image.height(), pixels(image), kind);
}

struct PngKind {
  int depth = 8;
  int type = PNG_COLOR_TYPE_RGB;
  bool interlaced = false;
  bool transparent = false;  // with a tRNS chunk
  std::vector<png_color> palette{};
  Bytes exif{};
  bool exif_behind_pixels = false;
};

// `rows`: all rows, packed as PNG packs them, with `row_bytes` bytes a row.
inline Bytes make_png(int width, int height, std::vector<std::uint8_t> rows, std::size_t row_bytes,
                      const PngKind& kind) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  Bytes bytes;
  png_set_write_fn(
      png, &bytes,
      [](png_structp p, png_bytep data, std::size_t size) {
        auto* out = static_cast<Bytes*>(png_get_io_ptr(p));
        const auto* begin = reinterpret_cast<const std::byte*>(data);
        out->insert(out->end(), begin, begin + size);
      },
      [](png_structp) {});
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), kind.depth,
               kind.type, kind.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!kind.palette.empty())
    png_set_PLTE(png, info, kind.palette.data(), static_cast<int>(kind.palette.size()));
  if (kind.transparent) {
    const std::vector<png_byte> alpha(kind.palette.size(), 77);
    const png_color_16 color{0, 40, 200, 30, 1};
    png_set_tRNS(png, info, alpha.empty() ? nullptr : alpha.data(), static_cast<int>(alpha.size()), &color);
  }
  Bytes exif = kind.exif;
  auto* tiff = reinterpret_cast<png_bytep>(exif.data());
  if (!exif.empty() && !kind.exif_behind_pixels)
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()), tiff);
  png_write_info(png, info);
  std::vector<png_bytep> pointers;
  for (int y = 0; y < height; ++y) pointers.push_back(rows.data() + static_cast<std::size_t>(y) * row_bytes);
  png_write_image(png, pointers.data());
  if (!exif.empty() && kind.exif_behind_pixels)
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()), tiff);
  // libpng writes eXIf again at the end if it gets the info again.
  png_write_end(png, kind.exif_behind_pixels ? info : nullptr);
  png_destroy_write_struct(&png, &info);
  return bytes;
}
inline Bytes make_png(const RgbImage& image, const PngKind& kind = {}) {
  return make_png(image.width(), image.height(), samples_of(image),
                  static_cast<std::size_t>(image.width()) * 3, kind);
}

// TIFF data whose second entry is the orientation.
inline Bytes make_exif(int orientation, bool little) {
  std::string text = little ? std::string("II*\0\x08\0\0\0", 8) : std::string("MM\0*\0\0\0\x08", 8);
  const auto number = [&](unsigned value, int size) {
    for (int i = 0; i < size; ++i)
      text += static_cast<char>(value >> (8 * (little ? i : size - 1 - i)) & 255);
  };
  number(2, 2);
  number(0x0100, 2), number(4, 2), number(1, 4), number(640, 4);
  number(0x0112, 2), number(3, 2), number(1, 4), number(static_cast<unsigned>(orientation), 2), number(0, 2);
  number(0, 4);
  return bytes_of(text);
}

}  // namespace winnow::test
