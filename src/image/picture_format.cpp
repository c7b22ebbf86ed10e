#include "image/picture_format.h"

#include <algorithm>
#include <cstring>

namespace winnow {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array kFormats{
    PictureFormat{PictureKind::kJpeg, "JPEG", "a", true, {".jpg", ".jpeg", ".jpe", ".jfif"}, ".jpg"},
    PictureFormat{PictureKind::kPng, "PNG", "a", true, {".png"}, ".png"},
    PictureFormat{PictureKind::kPnm, "PNM", "a", true, {".ppm", ".pgm", ".pbm", ".pnm"}, ".ppm"},
    PictureFormat{PictureKind::kBmp, "BMP", "a", true, {".bmp", ".dib"}, ".png"},
    PictureFormat{PictureKind::kGif, "GIF", "a", true, {".gif"}, ".png"},
    PictureFormat{PictureKind::kWebp, "WebP", "a", true, {".webp"}, ".jpg"},
    PictureFormat{PictureKind::kTiff, "TIFF", "a", true, {".tif", ".tiff"}, ".png"},
    PictureFormat{PictureKind::kHeic, "HEIC", "a", true, {".heic", ".heif", ".hif"}, ".jpg"},
    PictureFormat{PictureKind::kAvif, "AVIF", "an", true, {".avif"}, ".jpg"},
    PictureFormat{PictureKind::kPam, "PAM", "a", false, {".pam"}, ".png"},
    PictureFormat{PictureKind::kPsd, "PSD", "a", false, {".psd"}, ".png"},
    PictureFormat{PictureKind::kJpegXl, "JPEG XL", "a", false, {".jxl"}, ".png"},
    PictureFormat{PictureKind::kJpeg2000, "JPEG 2000", "a", false, {".jp2", ".j2k"}, ".png"},
    PictureFormat{PictureKind::kIcon, "ICO", "an", false, {".ico", ".cur"}, ".png"},
    PictureFormat{PictureKind::kQoi, "QOI", "a", false, {".qoi"}, ".png"},
    PictureFormat{PictureKind::kDds, "DDS", "a", false, {".dds"}, ".png"},
    PictureFormat{PictureKind::kPcx, "PCX", "a", false, {".pcx"}, ".png"},
    PictureFormat{PictureKind::kSgi, "SGI", "an", false, {".sgi", ".rgb"}, ".png"},
    PictureFormat{PictureKind::kExr, "EXR", "an", false, {".exr"}, ".png"},
    PictureFormat{PictureKind::kPdf, "PDF", "a", false, {".pdf"}, ".png"},
};

bool starts(std::span<const std::byte> bytes, std::string_view with, std::size_t at = 0) {
  return bytes.size() >= at + with.size() && std::memcmp(bytes.data() + at, with.data(), with.size()) == 0;
}

bool is_pnm(std::span<const std::byte> bytes) {
  if (bytes.size() < 3 || bytes[0] != std::byte{'P'} || bytes[1] < std::byte{'1'} ||
      bytes[1] > std::byte{'6'})
    return false;
  const int behind = std::to_integer<int>(bytes[2]);
  return behind == ' ' || (behind >= '\t' && behind <= '\r') || behind == '#';
}

// Two letters alone would be the beginning of many texts. So the size of the header must be known, too.
bool is_bmp(std::span<const std::byte> bytes) {
  if (!starts(bytes, "BM"sv)) return false;
  constexpr std::array kSizes{"\x0c\0\0\0"sv, "\x28\0\0\0"sv, "\x34\0\0\0"sv, "\x38\0\0\0"sv,
                              "\x40\0\0\0"sv, "\x6c\0\0\0"sv, "\x7c\0\0\0"sv};
  return std::any_of(kSizes.begin(), kSizes.end(),
                     [&](std::string_view size) { return starts(bytes, size, 14); });
}

bool is_pcx(std::span<const std::byte> bytes) {
  if (bytes.size() < 4 || bytes[0] != std::byte{10} || std::to_integer<int>(bytes[1]) > 5) return false;
  const int bits = std::to_integer<int>(bytes[3]);
  return bytes[2] == std::byte{1} && (bits == 1 || bits == 2 || bits == 4 || bits == 8);
}

bool has_brand(std::span<const std::byte> bytes, std::span<const std::string_view> brands) {
  return starts(bytes, "ftyp"sv, 4) && std::any_of(brands.begin(), brands.end(), [&](std::string_view brand) {
           return starts(bytes, brand, 8);
         });
}

bool begins(PictureKind kind, std::span<const std::byte> bytes) {
  static constexpr std::array kHeic{"heic"sv, "heix"sv, "hevc"sv, "hevx"sv, "heim"sv,
                                    "heis"sv, "hevm"sv, "mif1"sv, "msf1"sv};
  static constexpr std::array kAvif{"avif"sv, "avis"sv};
  switch (kind) {
    case PictureKind::kJpeg:
      return starts(bytes, "\xff\xd8\xff"sv);
    case PictureKind::kPng:
      return starts(bytes, "\x89PNG\r\n\x1a\n"sv);
    case PictureKind::kPnm:
      return is_pnm(bytes);
    case PictureKind::kBmp:
      return is_bmp(bytes);
    case PictureKind::kGif:
      return starts(bytes, "GIF87a"sv) || starts(bytes, "GIF89a"sv);
    case PictureKind::kWebp:
      return starts(bytes, "RIFF"sv) && starts(bytes, "WEBP"sv, 8);
    case PictureKind::kTiff:  // also BigTIFF
      return starts(bytes, "II*\0"sv) || starts(bytes, "MM\0*"sv) || starts(bytes, "II+\0"sv) ||
             starts(bytes, "MM\0+"sv);
    case PictureKind::kHeic:
      return has_brand(bytes, kHeic);
    case PictureKind::kAvif:
      return has_brand(bytes, kAvif);
    case PictureKind::kPam:
      return starts(bytes, "P7\n"sv);
    case PictureKind::kPsd:
      return starts(bytes, "8BPS\0"sv);
    case PictureKind::kJpegXl:
      return starts(bytes, "\xff\x0a"sv) || starts(bytes, "\0\0\0\x0cJXL "sv);
    case PictureKind::kJpeg2000:
      return starts(bytes, "\xff\x4f\xff\x51"sv) || starts(bytes, "\0\0\0\x0cjP  "sv);
    case PictureKind::kIcon:  // the number of its pictures is small, and a byte is 0
      return (starts(bytes, "\0\0\1\0"sv) || starts(bytes, "\0\0\2\0"sv)) && starts(bytes, "\0"sv, 5) &&
             starts(bytes, "\0"sv, 9);
    case PictureKind::kQoi:
      return starts(bytes, "qoif"sv);
    case PictureKind::kDds:
      return starts(bytes, "DDS \x7c\0\0\0"sv);
    case PictureKind::kPcx:  // a version, run lengths, and 1 to 8 bits
      return is_pcx(bytes);
    case PictureKind::kSgi:  // packed or not, and 1 or 2 bytes
      return starts(bytes, "\1\xda"sv) && bytes.size() > 3 && std::to_integer<int>(bytes[2]) <= 1 &&
             (bytes[3] == std::byte{1} || bytes[3] == std::byte{2});
    case PictureKind::kExr:
      return starts(bytes, "\x76\x2f\x31\x01"sv);
    case PictureKind::kPdf:
      return starts(bytes, "%PDF-"sv);
  }
  return false;
}

template <class Fits>
const PictureFormat* find(Fits fits) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), fits);
  return found == kFormats.end() ? nullptr : &*found;
}

}  // namespace

std::span<const PictureFormat> picture_formats() { return kFormats; }

const PictureFormat* format_of(std::span<const std::byte> first_bytes) {
  return find([&](const PictureFormat& format) { return begins(format.kind, first_bytes); });
}

const PictureFormat* format_of_ending(const std::string& path) {
  const std::string ending = ending_of(path);
  return find([&](const PictureFormat& format) {
    return format.is_read && !ending.empty() &&
           std::find(format.endings.begin(), format.endings.end(), ending) != format.endings.end();
  });
}

std::string ending_of(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == std::string::npos || path[dot] != '.') return {};
  std::string ending = path.substr(dot);
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

const std::vector<std::string>& picture_endings() {
  static const std::vector<std::string> endings = [] {
    std::vector<std::string> all;
    for (const bool capital : {false, true}) {
      for (const PictureFormat& format : kFormats) {
        for (const std::string_view small : format.endings) {
          if (!format.is_read || small.empty()) continue;
          all.emplace_back(small);
          if (!capital) continue;
          for (char& c : all.back()) {
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
          }
        }
      }
    }
    return all;
  }();
  return endings;
}

std::string names_of_formats() {
  std::string names;
  std::string_view last;
  for (const PictureFormat& format : kFormats) {
    if (!format.is_read) continue;
    if (!last.empty()) names.append(names.empty() ? "" : ", ").append(last);
    last = format.name;
  }
  return names.append(" and ").append(last);
}

}  // namespace winnow
