// Replaces the pixels of frames on a device by a table's values.
//
// In:     frames in device memory (`scale/frames/frame.h`), one after the other, and a value for each pixel.
// Out:    the frames, written over; so is the padding behind rows.
// Exact:  the table's own bytes.
// Memory: the caller owns the frames. Nothing is allocated, and the call does not wait.
// Thread: any.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

namespace winnow {

using PixelTable = std::array<std::uint8_t, 256>;

// `bytes`: a multiple of 16.
void replace_pixels(const PixelTable& table, std::uint8_t* frames, std::int64_t bytes, cudaStream_t stream);

}  // namespace winnow
