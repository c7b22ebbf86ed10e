// Blurs a grey picture on a device, for ferns.
//
// In:     a picture in device memory, with any distance between rows.
// Out:    the blurred picture, whose rows follow one another without a gap.
// Exact:  the bytes of `ObjectFrame::blurred`.
// Memory: the caller owns both pictures, which do not overlap. Nothing is allocated and the call does not
//         wait.
// Thread: any.
// Cost:   one launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "scale/gaussian/gaussian_pyramid_cuda.h"

namespace winnow {

// Blurs frame 0 of `level`.
void blur_level(const GaussianLevelView& level, std::uint8_t* blurred, cudaStream_t stream);

}  // namespace winnow
