// Puts a pipeline of another room into a detector, in place of the backend's.
//
// In:     the backend's pipeline and steps.
// Out:    the pipeline with which the detector searches.
// Exact:  the pipeline must give the answer of the backend's.
// Memory: the detector owns the pipeline.
// Thread: the thread that makes the detector.
#pragma once

#include <functional>
#include <memory>

#include "backend/backend.h"
#include "pipeline/pipeline.h"

namespace winnow {

struct PipelineChange {
  std::function<std::unique_ptr<Pipeline>(const BackendTable& backend, std::unique_ptr<Pipeline> own)> make;
};

}  // namespace winnow
