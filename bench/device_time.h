// What something costs on a device: as a graph, so that the host's time for launching does not count, and the
// median of device events over some runs after two that are not counted.
#pragma once

#include <algorithm>
#include <vector>

#include "base/cuda_device.h"

namespace bench {

// `enqueue(stream)` puts it on a stream.
template <class Enqueue>
double median_us(int repeat, cudaStream_t stream, Enqueue enqueue) {
  using winnow::check_cuda;
  const winnow::CudaGraph graph = winnow::capture_graph(stream, enqueue);
  const winnow::CudaEvent start = winnow::make_event(true), end = winnow::make_event(true);
  std::vector<float> times;
  for (int i = 0; i < repeat + 2; ++i) {
    check_cuda(cudaEventRecord(start.get(), stream), "recording");
    check_cuda(cudaGraphLaunch(graph.get(), stream), "launching a graph");
    check_cuda(cudaEventRecord(end.get(), stream), "recording");
    check_cuda(cudaEventSynchronize(end.get()), "waiting");
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, start.get(), end.get()), "timing");
    if (i >= 2) times.push_back(ms * 1000);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace bench
