// Splits pictures in colour into planes on a device: blue, green, red.
//
// In:     colour frames in device memory (`scale/frames/frame.h`, 3 bytes a pixel), one after the other.
// Out:    for each picture three frames, one after the other. Padding behind a row of a plane is 0, or holds
//         bytes of the padding behind the row of colours.
// Exact:  the channels' own bytes.
// Memory: the caller owns colours and planes. Nothing is allocated, and the call does not wait.
// Thread: any.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <winnow/box.h>

namespace winnow {

void split_colors(const std::uint8_t* colors, Size picture, int frames, std::uint8_t* planes,
                  cudaStream_t stream);

}  // namespace winnow
