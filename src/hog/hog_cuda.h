// Scores windows of a batch of frames with a linear SVM over histograms of oriented gradients, on a device.
//
// In:     a model, from which a sieve is made. The sieve takes what `DeviceSieve` takes; frames have one
//         plane (grey) or three (colour).
// Out:    sieves. They judge whole levels, so waves are a kUsage error.
// Exact:  same windows, scores and counters as every other backend.
// Memory: as `DeviceSieve`. Blocks take up to 512 MiB, or more if one level of one frame needs more.
// Thread: one thread at a time. The device on which a `DeviceSieve` was made must be current.
#pragma once

#include <memory>

#include <winnow/detector_model.h>

#include "hog/hog_program.h"
#include "sieve/device_sieve_cuda.h"
#include "sieve/stages.h"

namespace winnow {

// Tests lower `limits`, so that small pictures need many passes.
std::unique_ptr<DeviceSieve> make_device_hog_sieve(const DetectorModel& model, const HogLimits& limits = {});
// Makes a sieve that judges one picture at a time, with `frames` as in `make_blocking_sieve`.
std::unique_ptr<Sieve> make_hog_sieve_cuda(const DetectorModel& model, int device, int frames = 1,
                                           const HogLimits& limits = {});

}  // namespace winnow
