// Judges windows of a batch of frames with a cascade of HOG blocks, on a device.
//
// In:     a model, from which a sieve is made. The sieve takes what `DeviceSieve` takes, with grey levels
//         whose pixels are replaced by `root_table`.
// Out:    sieves. They judge whole levels, so waves are a kUsage error.
// Exact:  same windows, scores and counters as every other backend.
// Memory: as `DeviceSieve`. Integral histograms take up to 512 MiB, or more if one level of one frame needs
//         more.
// Thread: one thread at a time. The device on which a `DeviceSieve` was made must be current.
#pragma once

#include <cstdint>
#include <memory>

#include <winnow/detector_model.h>

#include "scale/frames/pixel_table_cuda.h"
#include "sieve/device_sieve_cuda.h"
#include "sieve/stages.h"

namespace winnow {

// The most bytes of integral histograms in a pass. Frames or levels that do not fit get passes of their own.
inline constexpr std::int64_t kMostHistogramBytes = std::int64_t{512} << 20;

// Maps each pixel value to its square root (`root_pixel`).
PixelTable root_table();

// `pass_bytes`: the most bytes of integral histograms in a pass. Tests lower this limit, so that small
// pictures need many passes.
std::unique_ptr<DeviceSieve> make_device_block_sieve(const DetectorModel& model,
                                                     std::int64_t pass_bytes = kMostHistogramBytes);
// Makes a sieve that judges one picture at a time and replaces the pixels itself. `frames`: as in
// `make_blocking_sieve`.
std::unique_ptr<Sieve> make_block_sieve_cuda(const DetectorModel& model, int device, int frames = 1,
                                             std::int64_t pass_bytes = kMostHistogramBytes);

}  // namespace winnow
