// Lists the formats of pictures: their names, the endings of their files, and their first bytes.
//
// In:     the first bytes of a file, or its name.
// Out:    an entry of the list, or null.
// Memory: the entries live as long as the program.
// Thread: any.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winnow {

// The last ones are known by sight only, so that an error can name them.
enum class PictureKind {
  kJpeg,
  kPng,
  kPnm,
  kBmp,
  kGif,
  kWebp,
  kTiff,
  kHeic,
  kAvif,
  kPam,
  kPsd,
  kJpegXl,
  kJpeg2000,
  kIcon,
  kQoi,
  kDds,
  kPcx,
  kSgi,
  kExr,
  kPdf
};

struct PictureFormat {
  PictureKind kind;
  std::string_view name;     // "JPEG"
  std::string_view article;  // "a" or "an"
  bool is_read;
  std::array<std::string_view, 5> endings;  // in small letters, with the dot; unused places are empty
  std::string_view copy;                    // the ending of a marked copy, if the file's own is not written
};

std::span<const PictureFormat> picture_formats();
// The number of first bytes that is enough for `format_of`.
inline constexpr std::size_t kFormatBytes = 18;
// The format whose files begin with these bytes.
const PictureFormat* format_of(std::span<const std::byte> first_bytes);
// The format that is read and whose files have the ending of this name, in small or capital letters.
const PictureFormat* format_of_ending(const std::string& path);
// The ending of the file name in small letters, with its dot; empty if the name has none.
std::string ending_of(const std::string& path);
// The endings of all formats that are read, first in small, then in capital letters.
const std::vector<std::string>& picture_endings();
// The names of the formats that are read: "JPEG, PNG and PNM".
std::string names_of_formats();

}  // namespace winnow
