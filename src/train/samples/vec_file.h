// OpenCV's .vec files of positives, as opencv_createsamples writes them: two int32 (samples, values in one),
// two int16 of nothing, then for each sample a byte of nothing and its values as int16; all little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <winnow/image.h>

namespace winnow {

inline constexpr std::int64_t kMaxVecBytes = std::int64_t{1} << 32;

// True if the sizes in the head fit the file to the byte; such a file has no magic number.
bool looks_like_vec(std::span<const std::byte> bytes);

// Refused: another size than the window's, values that are no bytes, a file that is too short or too long.
std::vector<GrayImage> read_vec(std::span<const std::byte> bytes, Size window);

}  // namespace winnow
