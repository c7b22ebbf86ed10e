#include "base/cuda_device.h"

#include <atomic>

#include <winnow/error.h>

#include "base/cuda_memory.h"

namespace winnow {
namespace {

// The architecture that the kernels are built for: WINNOW_CUDA_ARCHITECTURE in CMake.
constexpr int kOldestMajor = 9;

std::atomic<std::int64_t> allocations{0};

std::string megabytes(std::size_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB"; }

void* checked(cudaError_t status, void* memory, std::size_t bytes, const char* where) {
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // clears the error; the context can go on
    throw Error(ErrorCode::kDevice, "there is not enough " + std::string(where) +
                                        " memory: " + megabytes(bytes) + " were asked for");
  }
  check_cuda(status, "asking for memory");
  allocations.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

}  // namespace

void check_cuda(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  throw Error(ErrorCode::kDevice, "the device failed at " + std::string(doing) + ": " +
                                      cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")");
}

void check_launch(const char* kernel) { check_cuda(cudaGetLastError(), kernel); }

std::vector<CudaDeviceInfo> cuda_devices(std::string* why_none) {
  std::vector<CudaDeviceInfo> list;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    cudaGetLastError();
    if (why_none != nullptr) {
      *why_none = status == cudaErrorInsufficientDriver
                      ? "there is no NVIDIA driver, or it is too old for CUDA 13"
                  : status == cudaSuccess || status == cudaErrorNoDevice ? "this machine has no CUDA device"
                                                                         : cudaGetErrorString(status);
    }
    return list;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, i), "asking what a device is");
    CudaDeviceInfo info{i,
                        properties.name,
                        properties.major,
                        properties.minor,
                        properties.totalGlobalMem,
                        properties.multiProcessorCount,
                        properties.major == kOldestMajor,
                        {}};
    if (!info.usable) {
      info.why_not = info.name + " is of compute capability " + std::to_string(info.major) + "." +
                     std::to_string(info.minor) + "; this build is for " + std::to_string(kOldestMajor) +
                     ".x";
    }
    list.push_back(std::move(info));
  }
  return list;
}

void require_cuda_device(int device) {
  std::string why;
  const std::vector<CudaDeviceInfo> devices = cuda_devices(&why);
  if (devices.empty()) throw Error(ErrorCode::kBackend, "the backend cuda is not here: " + why);
  if (device < 0 || device >= static_cast<int>(devices.size())) {
    throw Error(ErrorCode::kBackend, "there is no CUDA device " + std::to_string(device) +
                                         "; this machine has " + std::to_string(devices.size()));
  }
  const CudaDeviceInfo& info = devices[static_cast<std::size_t>(device)];
  if (!info.usable) throw Error(ErrorCode::kBackend, "the backend cuda is not here: " + info.why_not);
}

int current_processors() {
  int device = 0, processors = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current device");
  check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
             "asking for the device's processors");
  return processors;
}

void allow_block_memory(const void* kernel) {
  int device = 0, most = 0;
  cudaFuncAttributes of{};
  check_cuda(cudaGetDevice(&device), "asking for the current device");
  check_cuda(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             "asking for a block's memory");
  check_cuda(cudaFuncGetAttributes(&of, kernel), "asking for a kernel's memory");
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  most - static_cast<int>(of.sharedSizeBytes)),
             "allowing a block's memory");
}

OnDevice::OnDevice(int device) {
  check_cuda(cudaGetDevice(&before_), "asking for the current device");
  if (before_ != device) check_cuda(cudaSetDevice(device), "choosing a device");
}
OnDevice::~OnDevice() { cudaSetDevice(before_); }

CudaStream make_stream(bool first) {
  int least = 0, greatest = 0;
  check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for streams' priorities");
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first ? greatest : least),
             "making a stream");
  return CudaStream(stream);
}

CudaEvent make_event(bool timed) {
  cudaEvent_t event = nullptr;
  check_cuda(cudaEventCreateWithFlags(&event, timed ? cudaEventDefault : cudaEventDisableTiming),
             "making an event");
  return CudaEvent(event);
}

std::int64_t cuda_allocations() { return allocations.load(std::memory_order_relaxed); }

void* allocate_device(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  return checked(status, memory, bytes, "device");
}
void free_device(void* memory) noexcept {
  if (memory != nullptr) cudaFree(memory);
}
void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t status = cudaMallocHost(&memory, bytes);
  return checked(status, memory, bytes, "pinned host");
}
void free_pinned(void* memory) noexcept {
  if (memory != nullptr) cudaFreeHost(memory);
}

}  // namespace winnow
