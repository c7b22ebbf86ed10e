// Reads the sizes of coded pictures from the headers of HEVC and AV1, before a decoder allocates pixels.
//
// In:     bytes as a decoder gets them, which may be hostile, not copied.
// Out:    the size with the most pixels; no pixels if no header is whole. Sides are at most 2^30.
// Memory: nothing is kept.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace winnow {

struct CodedSize {
  std::int64_t width = 0, height = 0;
  std::int64_t pixels() const { return width * height; }
};

// One NAL unit of HEVC, without its length.
CodedSize hevc_unit_size(std::span<const std::byte> unit);
// NAL units of HEVC, each behind four bytes with its length.
CodedSize hevc_size(std::span<const std::byte> units);
// Units (OBUs) of AV1. Sets `whole` to false if the last one may go on behind the bytes.
CodedSize av1_size(std::span<const std::byte> units, bool& whole);

}  // namespace winnow
