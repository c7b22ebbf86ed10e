// Halves both sides of frames on a device.
//
// In:     frames of one size in device memory, laid out as `scale/frames/frame.h` says, one after the other.
//         They begin at a multiple of 16 bytes, and bytes behind a row do not matter.
// Out:    their halves, laid out as the frames. Bytes behind a row are written, too, with any values.
// Exact:  the bytes of `halve_ref`.
// Memory: the caller owns frames and halves, which do not overlap. Nothing is allocated and the call does not
//         wait, so a graph can hold the step.
// Thread: any.
// Cost:   one launch. It reads each frame once from memory and writes a quarter of it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include <winnow/box.h>

namespace winnow {

void halve_frames(const std::uint8_t* frames, Size size, int count, std::uint8_t* halves,
                  cudaStream_t stream);

}  // namespace winnow
