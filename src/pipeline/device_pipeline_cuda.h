// Makes the pipeline of a model on one or several devices: batches of pictures, each batch one graph.
//
// In:     jobs of `Pipeline`, and a sieve of the model for each batch in flight.
// Out:    as `Pipeline`. A batch becomes a graph when a batch of the same kind comes a second time. Large
//         pictures are searched by rows on all devices (`split_pipeline_cuda.h`) if a call has only one
//         picture of a size, or fewer than there are devices. A picture of 1,920 Ki pixels or more that is
//         alone in its call is searched by rows on the first device.
// Exact:  same answers for every number of devices and batch size.
// Memory: the pipeline owns buffers on host and devices, allocated when a plan needs more than before. Each
//         plan gets new graphs.
// Thread: one thread at a time. After any error but kUsage, all further calls are kDevice errors.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "pipeline/device_search_cuda.h"
#include "pipeline/pipeline.h"
#include "scale/frames/pixel_table_cuda.h"

namespace winnow {

// How a device searches a kind of model. Each function makes a sieve on the current device.
struct DeviceKind {
  MakeDeviceSieve make_sieve;
  // Makes a sieve that judges parts of a picture, for large pictures. Null, or returns null, if the model has
  // no such sieve.
  MakeDeviceSieve make_tile_sieve;
  Size window;
  std::size_t stages;                    // number of stages, for the counters of pictures without windows
  MergeSteps merge;                      // for candidates that the device does not merge
  std::optional<PixelTable> table = {};  // replaces the pixels of pictures before levels are made
  std::optional<ShapeMarks> marks = {};  // marks points in the objects; not with a table
};

std::unique_ptr<Pipeline> make_device_pipeline(const DeviceKind& kind, std::span<const int> devices);

}  // namespace winnow
