#include "primitives/npp.h"

#include <dlfcn.h>

#include <stdexcept>

namespace bench {
namespace {

using winnow::check_cuda;

// Structures with the layout of NPP 12 and 13.
struct NppSize {
  int width, height;
};
struct NppStream {
  cudaStream_t stream;
  int device, processors, threads_a_processor, threads_a_block;
  std::size_t shared_a_block;
  int major, minor;
  unsigned flags;
  int reserved;
};
struct NppVersion {
  int major, minor, build;
};
static_assert(sizeof(NppStream) == 48);

using Sum = int (*)(const std::uint8_t*, int, std::int32_t*, int, NppSize, std::int32_t, NppStream);
template <class Square>
using SumAndSquare = int (*)(const std::uint8_t*, int, std::int32_t*, int, Square*, int, NppSize,
                             std::int32_t, Square, NppStream);

NppStream context(cudaStream_t stream) {
  NppStream c{};
  c.stream = stream;
  check_cuda(cudaGetDevice(&c.device), "asking for the device");
  const auto ask = [&](int& value, cudaDeviceAttr what) {
    check_cuda(cudaDeviceGetAttribute(&value, what, c.device), "asking what a device is");
  };
  int shared = 0;
  ask(c.processors, cudaDevAttrMultiProcessorCount);
  ask(c.threads_a_processor, cudaDevAttrMaxThreadsPerMultiProcessor);
  ask(c.threads_a_block, cudaDevAttrMaxThreadsPerBlock);
  ask(shared, cudaDevAttrMaxSharedMemoryPerBlock);
  ask(c.major, cudaDevAttrComputeCapabilityMajor);
  ask(c.minor, cudaDevAttrComputeCapabilityMinor);
  c.shared_a_block = static_cast<std::size_t>(shared);
  check_cuda(cudaStreamGetFlags(stream, &c.flags), "asking for a stream's flags");
  return c;
}

void check_npp(int status) {
  if (status != 0) throw std::runtime_error("NPP answers " + std::to_string(status));
}

}  // namespace

// The libraries stay loaded, because their state lasts until the process ends.
Npp::Npp() {
  for (const char* major : {".13", ".12"}) {
    core_ = dlopen((std::string("libnppc.so") + major).c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* statistics =
        core_ != nullptr ? dlopen((std::string("libnppist.so") + major).c_str(), RTLD_NOW) : nullptr;
    if (statistics == nullptr) {
      if (const char* error = dlerror(); error != nullptr && why_not_.empty()) why_not_ = error;
      continue;
    }
    sum_ = dlsym(statistics, "nppiIntegral_8u32s_C1R_Ctx");
    square_ = dlsym(statistics, "nppiSqrIntegral_8u32s_C1R_Ctx");
    square_double_ = dlsym(statistics, "nppiSqrIntegral_8u32s64f_C1R_Ctx");
    why_not_ =
        sum_ != nullptr && square_ != nullptr && square_double_ != nullptr ? "" : "it lacks a function";
    return;
  }
}

std::string Npp::version() const {
  const auto ask = reinterpret_cast<const NppVersion* (*)()>(dlsym(core_, "nppGetLibVersion"));
  if (ask == nullptr) return "unknown";
  const NppVersion& v = *ask();
  return std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.build);
}

void Npp::integral(const std::uint8_t* pixels, int pixel_stride, std::int32_t* sum, int sum_stride, int width,
                   int height, cudaStream_t stream) const {
  check_npp(reinterpret_cast<Sum>(sum_)(pixels, pixel_stride, sum, sum_stride, {width, height}, 0,
                                        context(stream)));
}

void Npp::integral(const std::uint8_t* pixels, int pixel_stride, std::int32_t* sum, int sum_stride,
                   std::int32_t* square, int square_stride, int width, int height,
                   cudaStream_t stream) const {
  check_npp(reinterpret_cast<SumAndSquare<std::int32_t>>(square_)(
      pixels, pixel_stride, sum, sum_stride, square, square_stride, {width, height}, 0, 0, context(stream)));
}

void Npp::integral(const std::uint8_t* pixels, int pixel_stride, std::int32_t* sum, int sum_stride,
                   double* square, int square_stride, int width, int height, cudaStream_t stream) const {
  check_npp(reinterpret_cast<SumAndSquare<double>>(square_double_)(
      pixels, pixel_stride, sum, sum_stride, square, square_stride, {width, height}, 0, 0, context(stream)));
}

}  // namespace bench
