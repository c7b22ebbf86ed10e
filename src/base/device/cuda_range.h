// Names a span of host work that prepares a device's steps, for NVIDIA's profilers (NVTX).
//
// In:     the name that profilers show.
// Out:    a named range for the life of a `CudaRange`. Work inside a graph shows under its kernels' names
//         instead.
// Memory: a `CudaRange` keeps no pointer to the name.
// Thread: any.
// Cost:   a few nanoseconds if no profiler listens.
#pragma once

#include <nvtx3/nvToolsExt.h>

namespace winnow {

class CudaRange {
 public:
  explicit CudaRange(const char* name) { nvtxRangePushA(name); }
  ~CudaRange() { nvtxRangePop(); }
  CudaRange(const CudaRange&) = delete;
  CudaRange& operator=(const CudaRange&) = delete;
};

}  // namespace winnow
