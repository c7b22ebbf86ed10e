// Makes a sieve that judges one picture at a time on a device, for models that first replace the picture's
// pixels.
//
// In:     the arguments of `make_blocking_sieve` (sieve/device_sieve_cuda.h), and a table that gives a new
//         value for each pixel value.
// Out:    a sieve that reads grey views and does not change them.
// Exact:  levels are made from the new values of the pixels.
// Memory: the sieve owns its memory.
// Thread: one thread at a time.
#pragma once

#include <functional>
#include <memory>

#include "scale/frames/pixel_table_cuda.h"
#include "sieve/device_sieve_cuda.h"

namespace winnow {

std::unique_ptr<Sieve> make_remapped_sieve(const std::function<std::unique_ptr<DeviceSieve>()>& make_sieve,
                                           const PixelTable& table, int device, int frames = 1);

}  // namespace winnow
