// Decodes pictures, with one function for each format. `decode_picture` calls these functions.
//
// In:     bytes, which may be hostile, not copied.
// Out:    an upright picture. A failure throws `Error` with the byte at which decoding stopped. An error
//         about the size names no byte, except for PNM. Errors of WebP, TIFF, HEIC and AVIF name none.
//         std::bad_alloc passes through; `decode_picture` makes it kLimit.
// Exact:  grey follows `gray_rule.h`, or is the Y plane of a JPEG.
// Memory: the picture belongs to the caller. The size is checked before pixels are allocated.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <winnow/image.h>

namespace winnow {

class ByteReader;

// A picture of a file, and what else the file has.
struct DecodedFile {
  Picture picture;
  std::int64_t others = 0;  // pictures that are not read: those of an animation, or further pages
  std::size_t next = 0;     // where the next picture of a PNM file begins; 0 if none follows
};

// The size in bytes of the largest file that is read as a picture. The functions here do not check it.
inline constexpr std::int64_t kMaxPictureBytes = std::int64_t{1} << 30;

// `first_byte` is the position of the picture's first byte in a stream, for error messages only.
Picture decode_jpeg(std::span<const std::byte> bytes, const ReadOptions& options,
                    std::int64_t first_byte = 0);
Picture decode_png(std::span<const std::byte> bytes, const ReadOptions& options, std::int64_t first_byte = 0);
// Reads exactly one picture. Bytes behind the picture stay in the reader.
Picture decode_pnm(ByteReader& reader, const ReadOptions& options);
// Where the next picture begins behind a PNM picture that was read; 0 if none follows.
std::size_t next_pnm(ByteReader& reader);
// Whether a file holds several PNM pictures. False if the first one is broken. Binary pixels are not decoded.
bool holds_several_pnm(std::span<const std::byte> file, const ReadOptions& options);
Picture decode_bmp(std::span<const std::byte> bytes, const ReadOptions& options);
DecodedFile decode_webp(std::span<const std::byte> bytes, const ReadOptions& options);
// A HEIC or AVIF.
DecodedFile decode_heif(std::span<const std::byte> bytes, const ReadOptions& options);
DecodedFile decode_tiff(std::span<const std::byte> bytes, const ReadOptions& options);
DecodedFile decode_gif(std::span<const std::byte> bytes, const ReadOptions& options);

// Recognises the format, and decodes the first picture, or the picture of a PNM file that begins at `first`.
DecodedFile decode_file(std::span<const std::byte> bytes, const ReadOptions& options, std::size_t first = 0);

// Writes a position as "byte 3071".
std::string byte_place(std::int64_t position);
// Throws kFormat if there are no pixels. Throws kLimit if there are more pixels than `options` allow, or if a
// side is above 2^30 pixels.
void check_picture_size(std::int64_t width, std::int64_t height, const ReadOptions& options);

}  // namespace winnow
