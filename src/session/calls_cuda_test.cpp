// What a search asks of the driver, counted by NVIDIA's tools interface (CUPTI): a graph and a wait a batch,
// no memory, no other wait, once batches of a kind have come twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include <winnow/detector.h>

#include "base/device_for_test.h"
#include "session/scene_for_test.h"

#if defined(WINNOW_HAVE_CUDA) && __has_include(<cupti.h>)

#include <cupti.h>
#include <dlfcn.h>

namespace winnow {
namespace {

// Calls of the driver by name, while it lives.
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
    there_ = enable(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS;
  }
  ~DriverCalls() {
    if (there_) function<decltype(&cuptiUnsubscribe)>("cuptiUnsubscribe")(subscriber_);
  }
  DriverCalls(const DriverCalls&) = delete;
  DriverCalls& operator=(const DriverCalls&) = delete;

  bool there() const { return there_; }
  void clear() { counts_.clear(); }
  const std::map<std::string, int>& counts() const { return counts_; }

 private:
  static void CUPTIAPI called(void* self, CUpti_CallbackDomain, CUpti_CallbackId, const void* data) {
    const auto* call = static_cast<const CUpti_CallbackData*>(data);
    if (call->callbackSite == CUPTI_API_ENTER) ++static_cast<DriverCalls*>(self)->counts_[call->functionName];
  }
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_ = nullptr;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  bool there_ = false;
  std::map<std::string, int> counts_;
};

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }
bool starts_with_any(const std::string& text, std::initializer_list<const char*> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const char* start) { return starts_with(text, start); });
}

// What looks at the thread's state and nothing else.
bool harmless(const std::string& name) {
  return starts_with_any(
      name, {"cuCtxGet", "cuCtxSet", "cuDeviceGet", "cuDevicePrimaryCtx", "cuDriverGet", "cuGetProc"});
}

bool cupti_is_wanted() {
  const char* required = std::getenv("WINNOW_REQUIRE_CUDA");
  return required != nullptr && *required == '1';
}

TEST(CallsCuda, AGraphAndAWaitABatch) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  if (!calls.there() && cupti_is_wanted()) FAIL() << "CUPTI is not installed here";
  if (!calls.there()) GTEST_SKIP() << "needs CUPTI, which is not installed here";
  std::vector<GrayImage> images;
  std::vector<GrayView> views;
  for (int i = 0; i < 64 * 6; ++i)
    images.push_back(sample::make_scene({160, 120}, {{20 + i % 60, 30, 36, 36}}));
  for (const GrayImage& image : images) views.push_back(image.view());
  Detector detector(sample::square_finder(), {BackendKind::kCuda, 1});
  std::vector<Detections> results;
  detector.detect(views, {}, results);  // plans and captures
  calls.clear();
  detector.detect(views, {}, results);
  int graphs = 0, waits = 0;
  for (const auto& [name, count] : calls.counts()) {
    RecordProperty(name, count);
    if (starts_with(name, "cuGraphLaunch")) {
      graphs += count;
    } else if (starts_with(name, "cuStreamSynchronize")) {
      waits += count;
    } else {
      EXPECT_TRUE(harmless(name)) << name << ": " << count;
    }
  }
  EXPECT_EQ(graphs, 6);
  EXPECT_EQ(waits, 6);
}

// Step by step, and still one wait and no memory.
TEST(CallsCuda, AWaitALargePictureAlone) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  if (!calls.there() && cupti_is_wanted()) FAIL() << "CUPTI is not installed here";
  if (!calls.there()) GTEST_SKIP() << "needs CUPTI, which is not installed here";
  const GrayImage scene = sample::make_scene({1920, 1080}, {{20, 30, 36, 36}, {1700, 900, 80, 80}});
  Detector detector(sample::square_finder(), {BackendKind::kCuda, 1});
  detector.detect(scene.view());  // plans
  calls.clear();
  detector.detect(scene.view());
  int launches = 0, waits = 0;
  for (const auto& [name, count] : calls.counts()) {
    RecordProperty(name, count);
    if (starts_with(name, "cuLaunchKernel")) {
      launches += count;
    } else if (starts_with(name, "cuStreamSynchronize")) {
      waits += count;
    } else {
      const bool does_not_wait =
          starts_with_any(name, {"cuMemcpyHtoDAsync", "cuMemsetD", "cuEventRecord", "cuStreamWaitEvent"});
      EXPECT_TRUE(does_not_wait || harmless(name)) << name << ": " << count;
    }
  }
  EXPECT_EQ(launches, 5);  // of two waves, and what is found
  EXPECT_EQ(waits, 1);
}

}  // namespace
}  // namespace winnow

#elif defined(WINNOW_HAVE_CUDA)

TEST(CallsCuda, AGraphAndAWaitABatch) { GTEST_SKIP() << "was built without cupti.h"; }

#endif
