// Gives the steps with which a device searches for the objects of a model. The steps serve pipelines, and
// sessions that run more steps after a search.
//
// In:     a detector model.
// Out:    the model's `DeviceKind`. kBackend if no device searches the kind.
// Exact:  a search with the `DeviceKind` gives the answers of `reference`.
// Memory: the `DeviceKind` keeps alive the data that it needs.
// Thread: any.
#pragma once

#include <winnow/detector_model.h>

#include "pipeline/device_pipeline_cuda.h"

namespace winnow {

// `merge`: the host's steps for candidates that the device does not merge.
DeviceKind device_kind(const DetectorModel& model, const MergeSteps& merge);

}  // namespace winnow
