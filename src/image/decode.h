// The decoders behind `decode_picture`, one a format. Each takes hostile bytes, checks the size before it
// asks for memory, throws `Error` with the byte where it gave up, and returns the picture upright.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <winnow/image.h>

namespace winnow {

class ByteReader;

inline constexpr std::int64_t kMaxPictureBytes = std::int64_t{1} << 30;

// `first_byte` is where the picture begins in a stream, for error messages only.
Picture decode_jpeg(std::span<const std::byte> bytes, const ReadOptions& options,
                    std::int64_t first_byte = 0);
Picture decode_png(std::span<const std::byte> bytes, const ReadOptions& options);
// Reads exactly one picture; what follows it stays in the reader.
Picture decode_pnm(ByteReader& reader, const ReadOptions& options);

// "byte 3071"
std::string byte_place(std::int64_t position);
// kFormat if there are no pixels, kLimit if there are more than allowed.
void check_picture_size(std::int64_t width, std::int64_t height, const ReadOptions& options);

}  // namespace winnow
