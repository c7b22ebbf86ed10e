// Gives the tests that SVMs and cascades over HOG share, for detectors on a device.
//
// In:     a model, and pictures as views.
// Out:    a test fails if a device's answers differ from the answers of `reference` or `cpu`.
// Exact:  objects and counters must be equal.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

#include <winnow/detector.h>

#include "session/answers_for_test.h"

#ifdef WINNOW_HAVE_CUDA

#include "base/device/cuda_memory.h"

namespace winnow::sample {

// Detectors of one model on every backend.
class EveryBackend {
 public:
  explicit EveryBackend(const DetectorModel& model)
      : reference_(model, {BackendKind::kReference, 1}),
        cpu_(model, {BackendKind::kCpu, 2}),
        cuda_(model, {BackendKind::kCuda, 1}) {}

  // Searches all pictures, on the device in batches of each size. Returns the number of objects.
  std::size_t expect_one_answer(const std::vector<PictureView>& all, const DetectOptions& options,
                                std::initializer_list<std::size_t> batches) {
    std::vector<Detections> wanted, of_cpu;
    reference_.detect(all, options, wanted);
    cpu_.detect(all, options, of_cpu);
    std::size_t objects = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      expect_same(wanted[i], of_cpu[i]);
      objects += wanted[i].objects.size();
    }
    for (const std::size_t batch : batches) expect_all(cuda_, all, options, wanted, batch);
    return objects;
  }

 private:
  Detector reference_, cpu_, cuda_;
};

// Options change between searches of one plan. The plan's graphs must not keep the old options. `scores`:
// values of `min_score`. `all` has at least four pictures.
inline void expect_options_change(const DetectorModel& model, const std::vector<PictureView>& all,
                                  const double (&scores)[3]) {
  Detector reference(model, {BackendKind::kReference, 1}), cuda(model, {BackendKind::kCuda, 1});
  for (int round = 0; round < 24; ++round) {
    DetectOptions options;
    options.min_score = scores[round / 2 % 3];
    options.gray = round / 6 % 2 == 1;
    options.min_neighbors = round / 4 % 3;
    options.step = round >= 18 ? Size{16, 16} : Size{};
    std::vector<Detections> wanted;
    reference.detect(all, options, wanted);
    SCOPED_TRACE(round);
    expect_all(cuda, all, options, wanted, 7);
    cuda.enqueue(all[3], options);
    expect_same(wanted[3], cuda.collect());
  }
}

// Every window survives. These are more windows than a block of threads can group, and more than the device
// first has room for.
inline void expect_crowd(Detector& cpu, Detector& cuda, const std::vector<PictureView>& all,
                         DetectOptions options) {
  options.min_score = -1e5;
  for (const int min_neighbors : {0, 2}) {
    options.min_neighbors = min_neighbors;
    std::vector<Detections> wanted;
    cpu.detect(all, options, wanted);
    EXPECT_EQ(wanted[0].counters.reached.back(), wanted[0].counters.windows);
    EXPECT_GT(wanted[0].counters.windows, all[0].gray.width > 200 ? 20000 : 1000);
    expect_all(cuda, all, options, wanted, 5);
  }
}

// The sizes in which pictures of one call alternate. Some have no windows. Pictures of the largest size are
// searched by rows for other models.
constexpr Size kAlternating[] = {{32, 48}, {31, 48}, {1, 1}, {97, 131}, {2100, 2050}, {211, 64}};

inline void expect_many_sizes(const DetectorModel& model, const std::vector<PictureView>& all) {
  DetectOptions options;
  options.scale_factor = 1.5;
  Detector cpu(model, {BackendKind::kCpu, 1});
  std::vector<Detections> wanted;
  cpu.detect(all, options, wanted);
  for (const std::vector<int>& devices : {std::vector<int>{0}, {0, 0}}) {
    MachineOptions machine{BackendKind::kCuda};
    machine.devices = devices;
    Detector cuda(model, machine);
    for (const std::size_t batch : {all.size(), std::size_t{1}})
      expect_all(cuda, all, options, wanted, batch);
  }
}

inline void expect_memory_once(const DetectorModel& model, const std::vector<PictureView>& all) {
  Detector cuda(model, {BackendKind::kCuda, 1});
  std::vector<Detections> results;
  cuda.detect(all, {}, results);
  const std::int64_t before = cuda_allocations();
  for (int i = 0; i < 5; ++i) cuda.detect(all, {}, results);
  EXPECT_EQ(cuda_allocations(), before);
}

}  // namespace winnow::sample

#endif  // WINNOW_HAVE_CUDA
