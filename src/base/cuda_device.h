// CUDA, one checked call at a time: devices, streams, events, graphs. Everything here throws `Error`
// (kBackend: no such device, too old; kDevice: out of memory, or a device that failed, after which its
// context is lost to the process). Objects belong to the device that was current when they were made, and are
// used with it current (`OnDevice`).
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <utility>
#include <vector>

namespace winnow {

// `doing`: what was tried, as in "copying a frame to the device".
void check_cuda(cudaError_t status, const char* doing);
// Of a kernel launch: a wrong configuration shows here, what goes wrong on the device at the next wait.
void check_launch(const char* kernel);

struct CudaDeviceInfo {
  int number = 0;
  std::string name;
  int major = 0, minor = 0;  // compute capability
  std::size_t memory = 0;
  int processors = 0;
  bool usable = false;
  std::string why_not;
};
// Devices of this machine; empty, with the reason in `why_none`, where there are none or no driver.
std::vector<CudaDeviceInfo> cuda_devices(std::string* why_none = nullptr);
// kBackend, with a sentence, if this device cannot be used.
void require_cuda_device(int device);

// Of the current device.
int current_processors();

// Lets blocks of this kernel ask for all of the memory that the current device has for one. That is the
// kernel's on this device, not a launch's, so nobody may let it ask for less: others use the kernel, too.
void allow_block_memory(const void* kernel);

class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

// Owner of a CUDA handle: moved, never copied.
template <class Handle, cudaError_t (*kDestroy)(Handle)>
class CudaHandle {
 public:
  CudaHandle() = default;
  explicit CudaHandle(Handle handle) : handle_(handle) {}
  ~CudaHandle() { reset(); }
  CudaHandle(CudaHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  CudaHandle& operator=(CudaHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  void reset() noexcept {
    if (handle_ != nullptr) kDestroy(std::exchange(handle_, nullptr));
  }

 private:
  Handle handle_ = nullptr;
};

using CudaStream = CudaHandle<cudaStream_t, cudaStreamDestroy>;
using CudaEvent = CudaHandle<cudaEvent_t, cudaEventDestroy>;
using CudaGraph = CudaHandle<cudaGraphExec_t, cudaGraphExecDestroy>;

// `first`: its blocks are placed before those of other streams, wherever a processor has room.
CudaStream make_stream(bool first = false);
CudaEvent make_event(bool timed = false);

// What `enqueue(stream)` puts on the stream, as a graph to be launched as often as one likes.
template <class Enqueue>
CudaGraph capture_graph(cudaStream_t stream, Enqueue enqueue) {
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
  cudaGraphExec_t exec = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  check_cuda(status, "making a graph");
  return CudaGraph(exec);
}

}  // namespace winnow
