// Makes frames with a mirrored border from pictures on a device.
//
// In:     pictures of one size in device memory (`scale/frames/frame.h`; 1 byte a pixel, or 3 for colours),
//         one after the other, and the border's width in pixels.
// Out:    for each picture one frame, or three for colours: blue, green, red. A side of a frame is the
//         picture's side plus twice the width. The bytes behind a row, up to the next multiple of 4, are 0.
// Exact:  pixels are mirrored as `image/border.h` says.
// Memory: the caller owns pictures and frames. Nothing is allocated, and the call does not wait.
// Thread: any.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <winnow/box.h>

namespace winnow {

// `channels`: 1 or 3.
void add_borders(const std::uint8_t* pictures, Size picture, int channels, int margin, int count,
                 std::uint8_t* frames, cudaStream_t stream);

}  // namespace winnow
