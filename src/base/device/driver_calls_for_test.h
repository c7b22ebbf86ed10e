// Counts a program's calls of the CUDA driver, with NVIDIA's tools interface (CUPTI).
//
// In:     a `DriverCalls` that lives while calls are counted. Without <cupti.h> this header is empty.
// Out:    numbers of calls by name, of copies by direction, and of all graphs, launches, waits and copies.
// Thread: one thread at a time; one object at a time.
#pragma once

#if __has_include(<cupti.h>)

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string>

#include <cupti.h>
#include <dlfcn.h>

namespace winnow::sample {

// Counts calls of the driver by name, as long as the object lives.
class DriverCalls {
 public:
  DriverCalls() {
    for (const char* name :
         {"libcupti.so.13", "libcupti.so", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
          "/usr/local/cuda/lib64/libcupti.so"}) {
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library_ == nullptr) return;
    const auto subscribe = function<decltype(&cuptiSubscribe)>("cuptiSubscribe");
    const auto enable = function<decltype(&cuptiEnableDomain)>("cuptiEnableDomain");
    if (subscribe(&subscriber_, &DriverCalls::called, this) != CUPTI_SUCCESS) return;
    there_ = enable(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS &&
             enable(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API) == CUPTI_SUCCESS;
  }
  ~DriverCalls() {
    if (there_) function<decltype(&cuptiUnsubscribe)>("cuptiUnsubscribe")(subscriber_);
  }
  DriverCalls(const DriverCalls&) = delete;
  DriverCalls& operator=(const DriverCalls&) = delete;

  bool there() const { return there_; }
  void clear() {
    counts_.clear();
    to_host_ = to_device_ = on_device_ = 0;
  }
  // Copies that the program asked the CUDA runtime for, by direction. Copies inside a graph are not counted.
  int to_host() const { return to_host_; }
  int to_device() const { return to_device_; }
  int on_device() const { return on_device_; }
  // The number of calls that wait for the device, of all kinds.
  int waits() const {
    int waits = 0;
    for (const auto& [name, count] : counts_) {
      if (name.find("Synchronize") != std::string::npos) waits += count;
    }
    return waits;
  }
  const std::map<std::string, int>& counts() const { return counts_; }

 private:
  static void CUPTIAPI called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void* data) {
    const auto* call = static_cast<const CUpti_CallbackData*>(data);
    if (call->callbackSite != CUPTI_API_ENTER) return;
    auto& calls = *static_cast<DriverCalls*>(self);
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
      ++calls.counts_[call->functionName];
      return;
    }
    switch (id) {
      case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020:
        calls.copied(static_cast<const cudaMemcpy_v3020_params*>(call->functionParams)->kind);
        break;
      case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020:
        calls.copied(static_cast<const cudaMemcpyAsync_v3020_params*>(call->functionParams)->kind);
        break;
      case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020:
        calls.copied(static_cast<const cudaMemcpy2DAsync_v3020_params*>(call->functionParams)->kind);
        break;
      default:
        break;
    }
  }
  void copied(cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDeviceToHost) ++to_host_;
    if (kind == cudaMemcpyHostToDevice) ++to_device_;
    if (kind == cudaMemcpyDeviceToDevice) ++on_device_;
  }
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_ = nullptr;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  bool there_ = false;
  std::map<std::string, int> counts_;
  int to_host_ = 0, to_device_ = 0, on_device_ = 0;
};

inline bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }
inline bool starts_with_any(const std::string& text, std::initializer_list<const char*> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const char* start) { return starts_with(text, start); });
}

// Skips a test where CUPTI is not installed.
#define WINNOW_NEEDS_CUPTI(calls)                                                         \
  if (!(calls).there()) {                                                                 \
    const char* required = std::getenv("WINNOW_REQUIRE_CUDA");                            \
    if (required != nullptr && *required == '1') FAIL() << "CUPTI is not installed here"; \
    GTEST_SKIP() << "needs CUPTI, which is not installed here";                           \
  }

struct Asked {
  int graphs = 0, launches = 0, waits = 0, copies = 0;
};

// Counts graphs, launches, waits and copies. Any other call fails the test, unless its name begins with an
// entry of `may` or of the list of harmless calls below.
inline Asked count(const DriverCalls& calls, std::initializer_list<const char*> may) {
  Asked asked;
  for (const auto& [name, count] : calls.counts()) {
    ::testing::Test::RecordProperty(name, count);
    if (starts_with(name, "cuGraphLaunch")) {
      asked.graphs += count;
    } else if (starts_with(name, "cuLaunchKernel")) {
      asked.launches += count;
    } else if (starts_with_any(name, {"cuStreamSynchronize", "cuEventSynchronize"})) {
      asked.waits += count;
    } else if (starts_with(name, "cuMemcpyHtoDAsync") || starts_with(name, "cuMemcpy2DAsync")) {
      asked.copies += count;
    } else {
      const bool harmless = starts_with_any(name, {"cuCtxGet", "cuCtxSet", "cuKernelGetName", "cuDeviceGet",
                                                   "cuDevicePrimaryCtx", "cuDriverGet", "cuGetProc"});
      EXPECT_TRUE(harmless || starts_with_any(name, may)) << name << ": " << count;
    }
  }
  return asked;
}

}  // namespace winnow::sample

#endif
