// What a search asks of the driver, counted by NVIDIA's tools interface (CUPTI): a graph and a wait a batch,
// no memory, no other wait, once batches of a kind have come twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <winnow/detector.h>
#include <winnow/pinned.h>

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

// Reasons to say nothing about calls.
#define WINNOW_NEEDS_CUPTI(calls)                                                         \
  if (!(calls).there()) {                                                                 \
    const char* required = std::getenv("WINNOW_REQUIRE_CUDA");                            \
    if (required != nullptr && *required == '1') FAIL() << "CUPTI is not installed here"; \
    GTEST_SKIP() << "needs CUPTI, which is not installed here";                           \
  }

struct Asked {
  int graphs = 0, launches = 0, waits = 0, copies = 0;
};

// Besides these there are calls that look at the thread's state and nothing else, and those that `may` be.
Asked count(const DriverCalls& calls, std::initializer_list<const char*> may) {
  Asked asked;
  for (const auto& [name, count] : calls.counts()) {
    ::testing::Test::RecordProperty(name, count);
    if (starts_with(name, "cuGraphLaunch")) {
      asked.graphs += count;
    } else if (starts_with(name, "cuLaunchKernel")) {
      asked.launches += count;
    } else if (starts_with(name, "cuStreamSynchronize")) {
      asked.waits += count;
    } else if (starts_with(name, "cuMemcpyHtoDAsync") || starts_with(name, "cuMemcpy2DAsync")) {
      asked.copies += count;
    } else {
      const bool harmless = starts_with_any(
          name, {"cuCtxGet", "cuCtxSet", "cuDeviceGet", "cuDevicePrimaryCtx", "cuDriverGet", "cuGetProc"});
      EXPECT_TRUE(harmless || starts_with_any(name, may)) << name << ": " << count;
    }
  }
  return asked;
}

TEST(CallsCuda, AGraphAndAWaitABatch) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
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
  const Asked asked = count(calls, {});
  EXPECT_EQ(asked.graphs, 6);
  EXPECT_EQ(asked.launches, 0);
  EXPECT_EQ(asked.waits, 6);
  EXPECT_EQ(asked.copies, 0) << "they are in the graphs";
}

// A copy each, of rows that are whole words of the frame's and of such that are not.
TEST(CallsCuda, PinnedPicturesAreFetchedWhereTheyLie) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  for (const int width : {160, 150}) {
    std::vector<GrayImage> images;
    std::vector<GrayView> views;
    std::vector<PinnedMemory> pinned;
    for (int i = 0; i < 8; ++i) images.push_back(sample::make_scene({width, 120}, {{20 + i, 30, 36, 36}}));
    for (const GrayImage& image : images) {
      views.push_back(image.view());
      pinned.emplace_back(std::as_bytes(std::span(image.row(0), static_cast<std::size_t>(width * 120))));
    }
    Detector detector(sample::square_finder(), {BackendKind::kCuda, 1});
    std::vector<Detections> results;
    for (int round = 0; round < 3; ++round) {
      calls.clear();
      detector.detect(views, {}, results);
    }
    const Asked asked = count(calls, {});
    EXPECT_EQ(asked.copies, 8);
    EXPECT_EQ(asked.graphs, asked.waits);
    EXPECT_EQ(asked.launches, 0);
  }
}

// Step by step, and still one wait and no memory.
TEST(CallsCuda, AWaitALargePictureAlone) {
  WINNOW_NEEDS_DEVICE();
  DriverCalls calls;
  WINNOW_NEEDS_CUPTI(calls);
  const GrayImage scene = sample::make_scene({1920, 1080}, {{20, 30, 36, 36}, {1700, 900, 80, 80}});
  Detector detector(sample::square_finder(), {BackendKind::kCuda, 1});
  detector.detect(scene.view());  // plans
  calls.clear();
  detector.detect(scene.view());
  const Asked asked = count(calls, {"cuMemsetD", "cuEventRecord", "cuStreamWaitEvent"});
  EXPECT_EQ(asked.graphs, 0);
  EXPECT_EQ(asked.launches, 5);  // of two waves, and what is found
  EXPECT_EQ(asked.waits, 1);
  EXPECT_EQ(asked.copies, 2);
}

}  // namespace
}  // namespace winnow

#elif defined(WINNOW_HAVE_CUDA)

TEST(CallsCuda, AGraphAndAWaitABatch) { GTEST_SKIP() << "was built without cupti.h"; }

#endif
