// winnow_witness_inside: compares steps with OpenCV's. The library does not publish these steps, so the
// program links their rooms.
//   halving: cv::pyrDown and the forms `reference` and `cpu`, with every SIMD target
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "base/simd.h"
#include "random.h"
#include "scale/gaussian/gaussian_pyramid.h"
#include "scale/gaussian/halve.h"

namespace {

using winnow::GrayView;
using witness::Random;

struct Counts {
  long passed = 0, failed = 0;
  void check(bool good, const std::string& what) {
    ++(good ? passed : failed);
    if (!good && failed <= 5) std::printf("  DIFFERENT %s\n", what.c_str());
  }
};

// A picture of noise, of black and white pixels, of a chessboard, or of one grey. It is part of a wider
// picture, so that there may be other pixels between its rows.
cv::Mat random_gray(Random& random, cv::Size size) {
  cv::Mat wide(size.height, size.width + random.below(20), CV_8UC1);
  const int kind = random.below(6), value = random.pick({0, 127, 128, 255});
  for (int y = 0; y < wide.rows; ++y)
    for (int x = 0; x < wide.cols; ++x)
      wide.at<std::uint8_t>(y, x) = static_cast<std::uint8_t>(kind == 0   ? 255 * random.below(2)
                                                              : kind == 1 ? 255 * ((x + y) % 2)
                                                              : kind == 2 ? value
                                                                          : random.below(256));
  return wide(cv::Rect({0, 0}, size));
}

GrayView view_of(const cv::Mat& gray) {
  return {gray.data, gray.cols, gray.rows, static_cast<std::ptrdiff_t>(gray.step)};
}

bool same(GrayView ours, const cv::Mat& theirs) {
  if (ours.width != theirs.cols || ours.height != theirs.rows) return false;
  for (int y = 0; y < ours.height; ++y)
    if (!std::equal(ours.row(y), ours.row(y) + ours.width, theirs.ptr(y))) return false;
  return true;
}

// Compares a pyramid with OpenCV's, level by level.
void compare(const cv::Mat& gray, int levels, winnow::HalveStep halve, winnow::GaussianPyramid& pyramid,
             const char* form, Counts& counts) {
  pyramid.make(view_of(gray), levels, halve);
  cv::Mat level = gray;
  for (int i = 1; i < pyramid.levels(); ++i) {
    cv::Mat half;
    cv::pyrDown(level, half);
    counts.check(same(pyramid.level(i), half), std::string(form) + ", " + winnow::simd_target() + ": level " +
                                                   std::to_string(i) + " of " + std::to_string(gray.cols) +
                                                   "x" + std::to_string(gray.rows));
    level = half;
  }
}

Counts compare_halves() {
  Random random(witness::hash_text("halve", 1));
  std::vector<cv::Mat> pictures;
  for (int height = 1; height <= 40; ++height)
    for (int width = 1; width <= 40; ++width) pictures.push_back(random_gray(random, {width, height}));
  for (int n = 0; n < 60; ++n)
    pictures.push_back(random_gray(random, {random.between(1, 1500), random.between(1, 500)}));
  for (const cv::Size size : {cv::Size(1280, 720), cv::Size(1283, 721), cv::Size(1920, 1080)})
    pictures.push_back(random_gray(random, size));
  Counts counts;
  winnow::GaussianPyramid pyramid;
  for (const cv::Mat& gray : pictures) compare(gray, 3, winnow::halve_ref, pyramid, "reference", counts);
  for (const std::string& target : winnow::simd_targets()) {
    winnow::simd_force(target);
    for (const cv::Mat& gray : pictures) compare(gray, 5, winnow::halve_cpu, pyramid, "cpu", counts);
  }
  winnow::simd_force("");
  return counts;
}

}  // namespace

int main() {
  try {
    std::printf("OpenCV %s\n", CV_VERSION);
    const Counts counts = compare_halves();
    std::printf("%-44s %8ld equal %6ld different\n", "halving: levels and cv::pyrDown", counts.passed,
                counts.failed);
    std::printf("%ld passed, %ld failed\n", counts.passed, counts.failed);
    return counts.failed > 0 ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_witness_inside: %s\n", error.what());
    return 1;
  }
}
