// Makes pairs of pictures for tests of flow, and points in them.
//
// Out:    a smooth picture, a moved and slightly sheared copy, and random points.
// Exact:  integers only, so that pictures are the same everywhere.
// Memory: a `FlowScene` owns its pixels, and its views live as long.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <winnow/image.h>

#include "scale/gaussian/gaussian_pyramid.h"
#include "scale/gaussian/halve.h"
#include "track/flow/flow.h"

namespace winnow::sample {

// A random grey for each place of a lattice.
inline int lattice_gray(int x, int y, unsigned seed) {
  std::uint32_t hash = static_cast<std::uint32_t>(x) * 2654435761U ^
                       static_cast<std::uint32_t>(y) * 2246822519U ^ seed * 3266489917U;
  hash = (hash ^ (hash >> 15)) * 2246822519U;
  hash = (hash ^ (hash >> 13)) * 3266489917U;
  return static_cast<int>(hash >> 24);
}

// The grey at a place in 16ths of a pixel, interpolated in a lattice with a random grey every 8 pixels.
inline std::uint8_t smooth_gray(int x16, int y16, unsigned seed) {
  constexpr int kCell = 128, kFar = 1 << 20;  // far enough that all places are positive
  const int x = x16 + kFar, y = y16 + kFar, left = x / kCell, top = y / kCell, a = x % kCell, b = y % kCell;
  const int sum = lattice_gray(left, top, seed) * (kCell - a) * (kCell - b) +
                  lattice_gray(left + 1, top, seed) * a * (kCell - b) +
                  lattice_gray(left, top + 1, seed) * (kCell - a) * b +
                  lattice_gray(left + 1, top + 1, seed) * a * b;
  return static_cast<std::uint8_t>(sum / (kCell * kCell));
}

struct FlowScene {
  int width = 0, height = 0, stride = 0;
  std::vector<std::uint8_t> before_pixels, now_pixels;
  std::vector<FlowPlace> points;

  GrayView before() const { return {before_pixels.data(), width, height, stride}; }
  GrayView now() const { return {now_pixels.data(), width, height, stride}; }
};

// The second picture is the first, moved by (move_x, move_y) / 16 pixels and sheared by 1 / 64.
inline FlowScene flow_scene(int width, int height, int move_x, int move_y, unsigned seed) {
  FlowScene scene;
  scene.width = width;
  scene.height = height;
  scene.stride = width + static_cast<int>(seed % 5);
  scene.before_pixels.resize(static_cast<std::size_t>(scene.stride) * static_cast<std::size_t>(height), 7);
  scene.now_pixels = scene.before_pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::size_t at = static_cast<std::size_t>(y * scene.stride + x);
      scene.before_pixels[at] = smooth_gray(16 * x, 16 * y, seed);
      scene.now_pixels[at] = smooth_gray(16 * x - move_x + y / 4, 16 * y - move_y, seed);
    }
  }
  return scene;
}

// Adds points in the picture, points up to 70 pixels outside, and points with NaN, infinite and huge places.
inline void add_points(FlowScene& scene, int count, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int i = 0; i < count; ++i) {
    const int outside = i % 4 == 0 ? 70 : 0;
    scene.points.push_back(
        {static_cast<float>(below(64 * (scene.width + 2 * outside))) / 64 - static_cast<float>(outside),
         static_cast<float>(below(64 * (scene.height + 2 * outside))) / 64 - static_cast<float>(outside)});
  }
  constexpr float kHuge = std::numeric_limits<float>::max(),
                  kInfinite = std::numeric_limits<float>::infinity();
  for (const FlowPlace& place : {FlowPlace{kInfinite, 1}, FlowPlace{1, -kInfinite},
                                 FlowPlace{std::numeric_limits<float>::quiet_NaN(), 1},
                                 FlowPlace{kHuge, kHuge}, FlowPlace{-kHuge, 3}, FlowPlace{-0.0F, 0.0F}})
    scene.points.push_back(place);
}

struct FlowPyramids {
  GaussianPyramid before, now;
};

inline FlowPyramids pyramids_of(const FlowScene& scene, const FlowRules& rules) {
  FlowPyramids made;
  const int levels = flow_levels(scene.width, scene.height, rules);
  made.before.make(scene.before(), levels, halve_ref);
  made.now.make(scene.now(), levels, halve_ref);
  return made;
}

inline std::vector<FlowResult> carried(FlowForm form, const FlowScene& scene, const FlowRules& rules,
                                       int threads = 1) {
  const FlowPyramids pyramids = pyramids_of(scene, rules);
  std::vector<FlowResult> results(scene.points.size());
  form(pyramids.before, pyramids.now, scene.points, rules, threads, results.data());
  return results;
}

// True if all bits are equal. Places may be NaN.
inline bool same_results(const std::vector<FlowResult>& got, const std::vector<FlowResult>& wanted) {
  static_assert(sizeof(FlowResult) == 6 * 4);  // no padding
  return got.size() == wanted.size() &&
         std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof(FlowResult)) == 0;
}

struct FlowCase {
  int width, height;
  FlowRules rules;
};

// Windows of the search, each with a window of `ncc`: larger, smaller, both, and with only one other side.
inline std::vector<std::pair<Size, Size>> flow_ncc_windows() {
  return {{{9, 9}, {11, 11}}, {{21, 21}, {31, 31}}, {{31, 31}, {3, 3}},   {{21, 21}, {5, 31}},
          {{9, 5}, {7, 31}},  {{3, 3}, {31, 31}},   {{17, 31}, {31, 17}}, {{21, 21}, {21, 3}}};
}

inline FlowRules rules_of(Size window, Size ncc) {
  return {.width = window.width,
          .height = window.height,
          .back = true,
          .ncc = true,
          .ncc_width = ncc.width,
          .ncc_height = ncc.height};
}

// Pictures and windows of many sizes, and extreme rules.
inline std::vector<FlowCase> flow_cases() {
  const FlowRules all{.back = true, .ncc = true};
  std::vector<FlowCase> cases = {{160, 120, all}, {131, 97, {}}, {300, 40, {.back = true}}};
  for (const Size size : {Size{1, 1}, Size{2, 1}, Size{1, 70}, Size{5, 3}, Size{22, 21}, Size{43, 64}})
    cases.push_back({size.width, size.height, all});
  for (const Size window : {Size{3, 3}, Size{7, 9}, Size{9, 5}, Size{15, 15}, Size{17, 31}, Size{31, 31}})
    cases.push_back({111, 98, {.width = window.width, .height = window.height, .back = true, .ncc = true}});
  for (const auto& [window, ncc] : flow_ncc_windows()) cases.push_back({111, 98, rules_of(window, ncc)});
  for (const Size size : {Size{1, 1}, Size{5, 3}, Size{40, 22}})
    cases.push_back({size.width, size.height, rules_of({9, 9}, {31, 31})});
  cases.push_back({160, 120, {.levels = 1}});
  cases.push_back({160, 120, {.levels = 9, .width = 5, .height = 5}});
  cases.push_back({160, 120, {.iterations = 1, .back = true}});
  cases.push_back({160, 120, {.iterations = 100, .eps_square = 0}});
  cases.push_back({160, 120, {.min_eigen = 0.05F}});
  cases.push_back({160, 120, {.levels = 1, .back = true, .shift = {1.5F, -2.25F}}});
  cases.push_back({160, 120, {.levels = 3, .back = true, .ncc = true, .shift = {-40, 7.125F}}});
  return cases;
}

}  // namespace winnow::sample
