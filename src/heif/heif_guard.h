// Refuses HEIC and AVIF files for which libheif takes more memory than their pictures need, or fails.
//
// libheif 1.15 trusts what lies inside a file: the sizes of coded pictures and of grids, and how pictures are
// made of one another.
//
// In:     the bytes of a file, which may be hostile, not copied; the number of pixels allowed.
// Out:    kLimit if a coded picture or a grid has more pixels. Coded pictures may be padded: up to 63 pixels
//         a side are left out of account. kLimit also for items that share bytes again and again. kFormat
//         for pictures that are made of themselves or of what is no picture. kUnsupported for overlays,
//         which libheif copies beyond their ends. Other damage is left to libheif.
// Memory: a copy of one item's bytes at a time.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace winnow {

void guard_heif(std::span<const std::byte> bytes, std::int64_t max_pixels);

}  // namespace winnow
