// Finds devices and wraps CUDA's calls, as base/device/cuda_device.h and base/device/cuda_memory.h declare.
// Their opening comments hold here.
#include "base/device/cuda_device.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <winnow/error.h>

#include "base/device/cuda_memory.h"

namespace winnow {
namespace {

std::atomic<std::int64_t> allocations{0};

std::string megabytes(std::size_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB"; }

std::string capability(int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); }

// Calls `use(number, real, is_virtual)` for each entry of a list such as "75-real,90". 90 stands for 9.0.
template <class Use>
void each_architecture(std::string_view list, Use use) {
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), entry.size() + 1));
    int number = 0;
    const auto read = std::from_chars(entry.data(), entry.data() + entry.size(), number);
    const std::string_view ending(read.ptr, static_cast<std::size_t>(entry.data() + entry.size() - read.ptr));
    if (read.ec == std::errc()) use(number, ending != "-virtual", ending != "-real");
  }
}

// Writes a list of architectures for a message: "7.5, 9.0 and newer".
std::string capabilities(std::string_view architectures) {
  std::string text;
  bool newer = false;
  each_architecture(architectures, [&](int number, bool, bool is_virtual) {
    text += (text.empty() ? "" : ", ") + capability(number / 10, number % 10);
    newer = newer || is_virtual;
  });
  return text + (newer ? " and newer" : "");
}

// The reason why the runtime finds no driver that it can use.
std::string why_no_driver() {
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0) return "there is no NVIDIA driver";
  return "the NVIDIA driver is made for CUDA " + capability(version / 1000, version % 1000 / 10) +
         "; this build needs a driver for CUDA " +
         capability(CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10) + " or newer";
}

// The most bytes of shared memory that WINNOW_CUDA_BLOCK_MEMORY allows a block; no limit if it is not set.
int held_block_memory() {
  static const int held = [] {
    const char* text = std::getenv("WINNOW_CUDA_BLOCK_MEMORY");
    if (text == nullptr || *text == 0) return std::numeric_limits<int>::max();
    int kibibytes = 0;
    const char* end = text + std::strlen(text);
    const auto read = std::from_chars(text, end, kibibytes);
    if (read.ec != std::errc() ||
        std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr)) != "K" || kibibytes < 48 ||
        kibibytes > 1024)
      throw Error(ErrorCode::kUsage, "WINNOW_CUDA_BLOCK_MEMORY wants a size such as 48K, at least 48K");
    return kibibytes << 10;
  }();
  return held;
}

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
      *why_none = status == cudaErrorInsufficientDriver                  ? why_no_driver()
                  : status == cudaSuccess || status == cudaErrorNoDevice ? "this machine has no CUDA device"
                                                                         : cudaGetErrorString(status);
    }
    return list;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, i), "asking what a device is");
    CudaDeviceInfo info;
    info.number = i;
    info.name = properties.name;
    info.capability = capability(properties.major, properties.minor);
    info.memory = properties.totalGlobalMem;
    info.processors = properties.multiProcessorCount;
    info.code = code_for(WINNOW_CUDA_ARCHITECTURES, properties.major, properties.minor);
    info.usable = !info.code.empty();
    if (!info.usable) {
      info.why_not = info.name + " has compute capability " + info.capability + "; this build has code for " +
                     capabilities(WINNOW_CUDA_ARCHITECTURES);
    }
    list.push_back(std::move(info));
  }
  return list;
}

std::string code_for(std::string_view architectures, int major, int minor) {
  int best_real = -1, best_virtual = -1;
  each_architecture(architectures, [&](int number, bool real, bool is_virtual) {
    if (real && number / 10 == major && number % 10 <= minor) best_real = std::max(best_real, number);
    if (is_virtual && number <= 10 * major + minor) best_virtual = std::max(best_virtual, number);
  });
  if (best_real >= 0) return "code for " + capability(best_real / 10, best_real % 10);
  if (best_virtual < 0) return {};
  return "code for " + capability(best_virtual / 10, best_virtual % 10) + ", compiled by the driver";
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

void start_cuda_device(int device) {
  require_cuda_device(device);
  const OnDevice on(device);
  check_cuda(cudaFree(nullptr), "starting a device");
}

int current_processors() {
  int device = 0, processors = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current device");
  check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
             "asking for the device's processors");
  return processors;
}

DeviceRoom device_room() {
  int device = 0;
  DeviceRoom room;
  check_cuda(cudaGetDevice(&device), "asking for the current device");
  check_cuda(cudaDeviceGetAttribute(&room.block_memory, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             "asking for a block's memory");
  check_cuda(
      cudaDeviceGetAttribute(&room.processor_memory, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device),
      "asking for a processor's memory");
  check_cuda(cudaDeviceGetAttribute(&room.block_overhead, cudaDevAttrReservedSharedMemoryPerBlock, device),
             "asking for a block's memory");
  check_cuda(cudaDeviceGetAttribute(&room.processor_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
             "asking for a processor's threads");
  const int held = held_block_memory();
  if (held < room.block_memory) {
    room.block_memory = held;
    room.processor_memory = std::min(room.processor_memory, held + room.block_overhead);
  }
  return room;
}

int blocks_at_once(const void* kernel, int threads, int block_bytes) {
  int blocks = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                           static_cast<std::size_t>(block_bytes)),
             "asking how many blocks run at once");
  return std::max(blocks, 1);
}

void allow_block_memory(const void* kernel) {
  cudaFuncAttributes of{};
  check_cuda(cudaFuncGetAttributes(&of, kernel), "asking for a kernel's memory");
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  device_room().block_memory - static_cast<int>(of.sharedSizeBytes)),
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
