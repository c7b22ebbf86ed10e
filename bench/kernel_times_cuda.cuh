// Times each kernel of some work on a device by itself, in the order of the work.
//
// In:     work that puts only kernels on a stream, one after the other.
// Out:    for each kernel its name and its median time.
// Memory: creates and destroys a graph and events.
// Thread: one thread at a time per stream.
//
// The work is captured once, and its kernels are launched with the arguments that the graph holds. An event
// is recorded between neighbouring kernels. So the sum of the kernels' times is a few microseconds more than
// the time of the whole work.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "schedulers/scoreboard_cuda.cuh"

namespace bench {

struct KernelTime {
  std::string name;  // the kernel's mangled name
  double us = 0;
};

// The kernels of a captured graph, from the first to the last. The graph must be one chain.
inline std::vector<cudaKernelNodeParams> kernels_of(cudaGraph_t graph) {
  using winnow::check_cuda;
  std::size_t count = 0;
  check_cuda(cudaGraphGetRootNodes(graph, nullptr, &count), "reading a graph");
  if (count != 1) throw std::runtime_error("the work is not one chain of kernels");
  cudaGraphNode_t node{};
  check_cuda(cudaGraphGetRootNodes(graph, &node, &count), "reading a graph");
  std::vector<cudaKernelNodeParams> kernels;
  while (true) {
    cudaGraphNodeType type{};
    check_cuda(cudaGraphNodeGetType(node, &type), "reading a graph");
    if (type != cudaGraphNodeTypeKernel) throw std::runtime_error("the work has more than kernels");
    cudaKernelNodeParams kernel{};
    check_cuda(cudaGraphKernelNodeGetParams(node, &kernel), "reading a graph");
    kernels.push_back(kernel);
    // CUDA 13 added the parameter for the edges' data to this call.
#if CUDART_VERSION >= 13000
    const auto next = [&](cudaGraphNode_t* to) {
      return cudaGraphNodeGetDependentNodes(node, to, nullptr, &count);
    };
#else
    const auto next = [&](cudaGraphNode_t* to) { return cudaGraphNodeGetDependentNodes(node, to, &count); };
#endif
    check_cuda(next(nullptr), "reading a graph");
    if (count == 0) return kernels;
    if (count != 1) throw std::runtime_error("the work is not one chain of kernels");
    cudaGraphNode_t following{};
    check_cuda(next(&following), "reading a graph");
    node = following;
  }
}

// `before(stream)` comes before each run, and is not timed. The first two runs are not counted.
template <class Before, class Enqueue>
std::vector<KernelTime> kernel_times(int repeat, cudaStream_t stream, Before before, Enqueue enqueue) {
  using winnow::check_cuda;
  check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning a graph");
  cudaGraph_t graph = nullptr;
  try {
    enqueue(stream);
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    throw;
  }
  check_cuda(cudaStreamEndCapture(stream, &graph), "ending a graph");
  const winnow::CudaHandle<cudaGraph_t, cudaGraphDestroy> owner(graph);
  const std::vector<cudaKernelNodeParams> kernels = kernels_of(graph);
  std::vector<KernelTime> times(kernels.size());
  std::vector<std::vector<float>> us(kernels.size());
  std::vector<winnow::CudaEvent> events;
  for (std::size_t i = 0; i <= kernels.size(); ++i) events.push_back(winnow::make_event(true));
  winnow::PinnedBuffer<int> hold(1);
  volatile int& go = hold[0];
  for (int run = 0; run < repeat + 2; ++run) {
    before(stream);
    check_cuda(cudaStreamSynchronize(stream), "waiting");
    go = 0;
    hold_kernel<<<1, 1, 0, stream>>>(hold.data());
    winnow::check_launch("holding the stream");
    check_cuda(cudaEventRecord(events[0].get(), stream), "recording");
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const cudaKernelNodeParams& kernel = kernels[i];
      check_cuda(cudaLaunchKernel(kernel.func, kernel.gridDim, kernel.blockDim, kernel.kernelParams,
                                  kernel.sharedMemBytes, stream),
                 "launching a kernel of a graph");
      check_cuda(cudaEventRecord(events[i + 1].get(), stream), "recording");
    }
    go = 1;
    check_cuda(cudaStreamSynchronize(stream), "waiting");
    for (std::size_t i = 0; run >= 2 && i < kernels.size(); ++i) {
      float ms = 0;
      check_cuda(cudaEventElapsedTime(&ms, events[i].get(), events[i + 1].get()), "timing");
      us[i].push_back(ms * 1000);
    }
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    std::sort(us[i].begin(), us[i].end());
    times[i].us = us[i][us[i].size() / 2];
    const char* name = nullptr;
    if (cudaFuncGetName(&name, kernels[i].func) == cudaSuccess) {
      times[i].name = name;
    } else {
      cudaGetLastError();  // clears the error: without a name, the order of the kernels still identifies them
    }
  }
  return times;
}

// The total time, in microseconds, of all kernels whose names contain `name`.
inline double time_of(const std::vector<KernelTime>& times, const std::string& name) {
  double us = 0;
  bool any = false;
  for (const KernelTime& time : times)
    if (time.name.find(name) != std::string::npos) us += time.us, any = true;
  if (!any) throw std::runtime_error("no kernel is called " + name);
  return us;
}

}  // namespace bench
