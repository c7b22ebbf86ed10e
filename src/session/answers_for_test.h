// Makes many scenes for tests, and compares answers.
//
// In:     a number of scenes and their size; two answers.
// Out:    scenes with two squares each, at different places. A test fails if the answers differ.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include <winnow/detector.h>

#include "session/scene_for_test.h"

namespace winnow::sample {

inline std::vector<GrayImage> scenes(int count, Size size) {
  std::vector<GrayImage> list;
  for (int i = 0; i < count; ++i)
    list.push_back(
        make_scene(size, {{10 + i * 3 % 90, 20, 36, 36}, {60, 50 + i * 7 % 60, 48 + i % 5, 48 + i % 5}}));
  return list;
}

inline std::vector<GrayView> views(const std::vector<GrayImage>& images) {
  std::vector<GrayView> list;
  for (const GrayImage& image : images) list.push_back(image.view());
  return list;
}

inline void expect_same(const Detections& wanted, const Detections& got) {
  EXPECT_EQ(wanted.objects, got.objects);
  EXPECT_TRUE(wanted.counters.same_answer(got.counters));
  EXPECT_EQ(wanted.picture, got.picture);
}

inline Detector square_detector(BackendKind backend) { return Detector(square_finder(), {backend, 1}); }

// Searches all pictures on a device, `batch` pictures per call, and expects the wanted answers.
template <class View>
void expect_all(Detector& cuda, const std::vector<View>& all, const DetectOptions& options,
                const std::vector<Detections>& wanted, std::size_t batch) {
  std::vector<Detections> got;
  for (std::size_t first = 0; first < all.size(); first += batch) {
    const std::size_t count = std::min(batch, all.size() - first);
    cuda.detect(std::span(all).subspan(first, count), options, got);
    for (std::size_t i = 0; i < count; ++i) {
      SCOPED_TRACE(testing::Message() << "batch " << batch << ", picture " << first + i);
      expect_same(wanted[first + i], got[i]);
      EXPECT_EQ(got[i].backend, "cuda");
    }
  }
}

}  // namespace winnow::sample
