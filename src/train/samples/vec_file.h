// Reads OpenCV's .vec files of positives, as opencv_createsamples writes them.
//
// In:     the bytes of a file, which are hostile input, and the window.
// Out:    a grey image for each sample.
// Exact:  the bytes of the samples.
// Memory: the caller owns the images. The size in the head is checked before images are made.
// Thread: any.
//
// A file begins with two int32 (the number of samples, and the number of values in a sample) and two unused
// int16. Each sample is an unused byte, followed by its values as int16. All numbers are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/image.h>

namespace winnow {

inline constexpr std::int64_t kMaxVecBytes = std::int64_t{1} << 32;

// True if the sizes in the head fit the file to the byte. The format has no magic number.
bool is_probably_vec(std::span<const std::byte> bytes);

// kUsage if the samples are not of the window's size. kFormat for a bad head, for a value outside 0 to 255,
// and for a file that is too short or too long.
std::vector<GrayImage> read_vec(std::span<const std::byte> bytes, Size window);

}  // namespace winnow
