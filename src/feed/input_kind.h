// Tells pictures from videos, by the endings of names and by the first bytes of files.
//
// In:     a path.
// Out:    kPicture, kVideo or kUnknown; or an `Error`.
// Memory: results belong to the caller; nothing is kept, and no file stays open.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <winnow/feed.h>

namespace winnow {

// What the ending of the name says.
InputKind kind_of_ending(const std::string& path);

// The number of first bytes that is enough for `kind_of_bytes`.
inline constexpr std::size_t kKindBytes = 512;
// What the first bytes say: kPicture for a format that is read, or kVideo for a usual container of videos.
// `path`: the name of the file. A .mjpeg file is a video, although it begins like a JPEG.
InputKind kind_of_bytes(std::span<const std::byte> first_bytes, const std::string& path);

// What the file's first bytes say, or else its ending. An unreadable file is what its ending says.
InputKind kind_of_file(const std::string& path);

// Decides like `kind_of_file`, and gives no kUnknown. A file of a format that is not read is then kPicture, so
// that its reader names the format. Others are kVideo; FFmpeg may still refuse them. Throws an `Error` for a
// file whose ending says nothing: kIo if it cannot be read, kFormat if it is empty or text.
InputKind read_input_kind(const std::string& path);

}  // namespace winnow
