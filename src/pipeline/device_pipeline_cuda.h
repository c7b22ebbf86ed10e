// The pipeline of a model on one or several devices: batches of pictures, each batch one graph.
//
// In:     jobs of `Pipeline`, and a sieve of the model for each batch in flight.
// Out:    as `Pipeline`. A batch becomes a graph when it comes the second time. Large pictures that are too
// few
//         for a batch a device are searched by rows on all devices (`split_pipeline_cuda.h`).
// Exact:  same answers for every number of devices and batch size.
#pragma once

#include <memory>
#include <span>

#include "pipeline/device_search_cuda.h"
#include "pipeline/pipeline.h"

namespace winnow {

// How a kind of model is searched on a device. Each function makes a sieve on the current device.
struct DeviceKind {
  MakeDeviceSieve make_sieve;
  // A sieve that judges parts of a picture, for large pictures; null, or a function that returns null, if the
  // model has no such sieve.
  MakeDeviceSieve make_tile_sieve;
  Size window;
  std::size_t stages;
};

std::unique_ptr<Pipeline> make_device_pipeline(const DeviceKind& kind, std::span<const int> devices);

}  // namespace winnow
