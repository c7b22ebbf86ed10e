// Wraps CUDA's devices, streams, events and graphs, and checks every call.
//
// In:     a device's number, a kernel, or the work of a graph.
// Out:    owners of streams, events and graphs. A failure throws `Error`: kBackend for a device that is
//         missing or too old, kDevice for a failed call or device. After a device has failed, its context is
//         lost for the rest of the process.
// Memory: an owner destroys its handle. An object belongs to the device that was current when it was made. A
//         list of devices belongs to the caller.
// Thread: an object may be used only by a thread whose current device is the device of the object. `OnDevice`
//         makes a device current for the calling thread.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winnow {

// Throws kDevice unless `status` is success. `doing` completes the message, as in "copying a frame to the
// device".
void check_cuda(cudaError_t status, const char* doing);
// Throws kDevice if the kernel could not be launched. A failure while the kernel runs shows only at the next
// wait for the device.
void check_launch(const char* kernel);

struct CudaDeviceInfo {
  int number = 0;
  std::string name;
  std::string capability;  // compute capability: "9.0"
  std::size_t memory = 0;
  int processors = 0;
  std::string code;  // which of this build's code the device runs, in the words of `code_for`
  bool usable = false;
  std::string why_not;
};
// The devices of this machine. The list is empty if there is no device or no driver; `why_none` then gives
// the reason.
std::vector<CudaDeviceInfo> cuda_devices(std::string* why_none = nullptr);
// Throws kBackend, with the reason, if this device cannot be used.
void require_cuda_device(int device);
// Starts the driver and the device, so that no later call has to wait for them. kBackend if the device cannot
// be used.
void start_cuda_device(int device);

// The number of multiprocessors of the current device.
int current_processors();

// The limits of the current device for blocks of threads. Kernels that size their blocks by these limits run
// on every device. Memory is shared memory in bytes. For tests, the variable WINNOW_CUDA_BLOCK_MEMORY (such
// as 48K) lowers `block_memory`.
struct DeviceRoom {
  int block_memory = 0;       // the most memory of one block
  int processor_memory = 0;   // memory of a multiprocessor, for all blocks on it
  int block_overhead = 0;     // part of `processor_memory` that each block takes beside its own memory
  int processor_threads = 0;  // the most threads of all blocks on a multiprocessor
};
DeviceRoom device_room();

// The number of blocks of this kernel that a multiprocessor of the current device runs at once; at least 1.
int blocks_at_once(const void* kernel, int threads, int block_bytes);

// Says which code of a build a device of this compute capability runs: "code for 9.0", or "code for 7.5,
// compiled by the driver". Returns "" if the device can run none of the code. `architectures` lists what the
// build was compiled for, as CMake writes it: "75-real,90,120-virtual". "-real" is machine code, for devices
// of the same major number and the same or a higher minor number. "-virtual" is code that drivers compile for
// the same and every newer device. A number alone means both.
std::string code_for(std::string_view architectures, int major, int minor);

// Lets blocks of this kernel request all the shared memory that `device_room` allows a block. The limit
// belongs to the kernel on this device, not to a launch. No call may lower the limit, since other launches of
// the kernel need it, too.
void allow_block_memory(const void* kernel);

// Makes `device` current for the calling thread. When the object is destroyed, the previous device is
// current again.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

// Owns a CUDA handle and destroys it. A handle is moved, never copied.
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

// `first`: the stream has the highest priority. A multiprocessor with room takes blocks of this stream before
// blocks of other streams.
CudaStream make_stream(bool first = false);
CudaEvent make_event(bool timed = false);

// Captures all work that `enqueue(stream)` puts on the stream, as a graph that can be launched any number of
// times.
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
