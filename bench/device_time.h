// Times work on a device with device events.
//
// In:     a stream, a number of runs, and the work, which enqueues something on the stream.
// Out:    the median time of a run in microseconds. Two more runs come first and are not counted.
// Memory: creates and destroys two events.
// Thread: one thread at a time per stream.
#pragma once

#include <algorithm>
#include <vector>

#include "base/device/cuda_device.h"

namespace bench {

// Calls `before()`, `work()`, `after()` for each run. Only the work that `work` enqueues on the stream is
// timed.
template <class Before, class Work, class After>
double median_us(int repeat, cudaStream_t stream, Before before, Work work, After after) {
  using winnow::check_cuda;
  const winnow::CudaEvent start = winnow::make_event(true), end = winnow::make_event(true);
  std::vector<float> times;
  for (int i = 0; i < repeat + 2; ++i) {
    before();
    check_cuda(cudaEventRecord(start.get(), stream), "recording");
    work();
    check_cuda(cudaEventRecord(end.get(), stream), "recording");
    after();
    check_cuda(cudaEventSynchronize(end.get()), "waiting");
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, start.get(), end.get()), "timing");
    if (i >= 2) times.push_back(ms * 1000);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class Work>
double median_us(int repeat, cudaStream_t stream, Work work) {
  return median_us(
      repeat, stream, [] {}, work, [] {});
}

}  // namespace bench
