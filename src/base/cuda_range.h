// Named ranges that NVIDIA's profilers show (NVTX): what the host does for a device, step by step. Costs a
// few nanoseconds where no profiler listens. What a graph does shows as its kernels' names.
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
