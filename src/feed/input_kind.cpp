#include "feed/input_kind.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include <sys/stat.h>

#include <winnow/error.h>

#include "image/picture_format.h"

namespace winnow {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array kVideoEndings{".mp4"sv,  ".m4v"sv, ".mov"sv,  ".mkv"sv,   ".webm"sv, ".avi"sv, ".mpg"sv,
                                   ".mpeg"sv, ".ts"sv,  ".m2ts"sv, ".mts"sv,   ".flv"sv,  ".wmv"sv, ".ogv"sv,
                                   ".3gp"sv,  ".y4m"sv, ".vob"sv,  ".mjpeg"sv, ".mjpg"sv};

// First bytes of containers: Matroska and WebM, Flash, Ogg, Windows Media, YUV4MPEG2, and two forms of MPEG.
constexpr std::array kVideoBeginnings{
    "\x1a\x45\xdf\xa3"sv, "FLV\1"sv,      "OggS\0"sv,    "\x30\x26\xb2\x75\x8e\x66\xcf\x11"sv,
    "YUV4MPEG2 "sv,       "\0\0\1\xba"sv, "\0\0\1\xb3"sv};

// Beginnings of the brands that MP4 files name first. Other brands are pictures or sound.
constexpr std::array kMovieBrands{"iso"sv,  "mp4"sv,  "avc1"sv, "hvc1"sv, "av01"sv,
                                  "qt  "sv, "M4V"sv,  "MSNV"sv, "3g"sv,   "dash"sv,
                                  "cmf"sv,  "mmp4"sv, "f4v"sv,  "F4V"sv,  "XAVC"sv};
// What the first box of an older QuickTime file may be. Its size stands before.
constexpr std::array kMovieBoxes{"moov"sv, "mdat"sv, "wide"sv, "free"sv, "skip"sv};

bool starts(std::string_view bytes, std::string_view with, std::size_t at = 0) {
  return bytes.size() >= at && bytes.substr(at).starts_with(with);
}

// Packets of a transport stream have 188 bytes, or 192 with a time before each.
bool is_transport_stream(std::string_view bytes) {
  const auto is_packet = [&](std::size_t at) { return at < bytes.size() && bytes[at] == 'G'; };
  return (is_packet(0) && is_packet(188) && is_packet(376)) ||
         (is_packet(4) && is_packet(196) && is_packet(388));
}

bool begins_as_video(std::string_view bytes) {
  const auto begins = [&](std::size_t at) {
    return [&bytes, at](std::string_view with) { return starts(bytes, with, at); };
  };
  return std::any_of(kVideoBeginnings.begin(), kVideoBeginnings.end(), begins(0)) ||
         (starts(bytes, "RIFF"sv) && starts(bytes, "AVI "sv, 8)) ||
         (starts(bytes, "ftyp"sv, 4) && std::any_of(kMovieBrands.begin(), kMovieBrands.end(), begins(8))) ||
         (starts(bytes, "\0"sv) && std::any_of(kMovieBoxes.begin(), kMovieBoxes.end(), begins(4))) ||
         is_transport_stream(bytes);
}

bool is_probably_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t'; });
}

// The first bytes of a file; none if it cannot be read, and then `errno` says why. A pipe or a camera gives each
// byte only once, so nothing is read from it.
std::string read_first_bytes(const std::string& path) {
  struct stat status {};
  const bool flows =
      ::stat(path.c_str(), &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode));
  errno = 0;
  if (flows) return {};
  std::string bytes(kKindBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

InputKind kind_of(const std::string& bytes, const std::string& path) {
  const InputKind kind = kind_of_bytes(std::as_bytes(std::span(bytes)), path);
  return kind == InputKind::kUnknown ? kind_of_ending(path) : kind;
}

}  // namespace

InputKind kind_of_ending(const std::string& path) {
  if (format_of_ending(path) != nullptr) return InputKind::kPicture;
  if (std::count(kVideoEndings.begin(), kVideoEndings.end(), ending_of(path)) > 0) return InputKind::kVideo;
  return InputKind::kUnknown;
}

InputKind kind_of_bytes(std::span<const std::byte> first_bytes, const std::string& path) {
  if (const PictureFormat* format = format_of(first_bytes); format != nullptr && format->is_read) {
    const std::string ending = ending_of(path);
    const bool motion = format->kind == PictureKind::kJpeg && (ending == ".mjpeg" || ending == ".mjpg");
    return motion ? InputKind::kVideo : InputKind::kPicture;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(first_bytes.data()), first_bytes.size());
  return begins_as_video(bytes) ? InputKind::kVideo : InputKind::kUnknown;
}

InputKind kind_of_file(const std::string& path) { return kind_of(read_first_bytes(path), path); }

InputKind read_input_kind(const std::string& path) {
  const std::string bytes = read_first_bytes(path);
  const int why = errno;
  const InputKind kind = kind_of(bytes, path);
  if (kind != InputKind::kUnknown) return kind;
  if (bytes.empty() && why != 0) throw Error(ErrorCode::kIo, std::strerror(why), path);
  if (bytes.empty()) throw Error(ErrorCode::kFormat, "the file is empty", path);
  if (format_of(std::as_bytes(std::span(bytes))) != nullptr) return InputKind::kPicture;
  if (is_probably_text(bytes))
    throw Error(ErrorCode::kFormat, "this is text, neither a picture nor a video", path);
  return InputKind::kVideo;
}

}  // namespace winnow
