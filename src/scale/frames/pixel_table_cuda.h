// Replaces each pixel of frames on a device by the table's value for that pixel.
//
// In:     frames in device memory (`scale/frames/frame.h`), one after the other, and a table with a new value
//         for each of the 256 values that a pixel may have.
// Out:    the frames with new pixels, in the same place. The padding behind rows is replaced, too.
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
