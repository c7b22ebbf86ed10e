// Makes programs, pictures and tasks for tests of fitters.
//
// Out:    models of many sizes, with all types of numbers; random pictures with odd strides, and boxes
//         inside, across and outside of them.
// Exact:  the same for the same seed.
// Memory: a `FitScene` owns its pixels, and its views live as long.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "base/real_box.h"
#include "model/landmarks/landmark_model.h"
#include "model/landmarks/landmark_samples_for_test.h"
#include "shape/shape_box.h"
#include "shape/shape_fit.h"

namespace winnow::sample {

inline SharedShapeProgram program_of(const LandmarkModel& model) {
  check_landmarks(model);
  return std::make_shared<const ShapeProgram>(model);
}

struct FitCase {
  const char* name;
  bool fixed_point;
  LandmarkSizes sizes;
};

inline std::vector<FitCase> fit_cases() {
  return {
      {"floats", false, {}},
      {"floats, confidence", false, {.points = 5, .confidence = true}},
      {"68 points", false, {.points = 68, .stages = 2, .trees = 33, .pixels = 101, .depth = 4}},
      {"one point, one tree", false, {.points = 1, .stages = 1, .trees = 1, .pixels = 1, .depth = 1}},
      {"16 bits", true, {.points = 68, .stages = 2, .trees = 17, .pixels = 60, .depth = 4}},
      {"8 bits", true, {.points = 9, .small = true, .confidence = true}},
      {"basis", true, {.points = 68, .depth = 4, .basis = 21, .small = true, .confidence = true}},
      {"turned", true, {.points = 9, .stages = 4, .turned = true}},
      {"turned basis, 68 points", true, {.points = 68, .depth = 4, .basis = 21, .turned = true}},
      {"wide basis", true, {.points = 11, .stages = 4, .basis = 40}},
      // In the next models, rows fill the ring of shared memory and wrap around in it, and lists are longer
      // than a block has threads.
      {"184 trees, 500 pixels", false, {.points = 68, .stages = 2, .trees = 184, .pixels = 500, .depth = 4}},
      {"600 trees, 700 pixels", false, {.points = 300, .stages = 2, .trees = 600, .pixels = 700, .depth = 2}},
      {"the same, whole", true, {.points = 300, .stages = 2, .trees = 600, .pixels = 700, .depth = 2}},
      {"depth 8", true, {.points = 3, .stages = 2, .trees = 2, .pixels = 9, .depth = 8}},
      {"presence, floats", false, {.points = 7, .confidence = true, .presence = true}},
      {"presence, 16 numbers", true, {.points = 15, .small = true, .confidence = true, .presence = true}},
      {"presence, 68 points",
       true,
       {.points = 68, .depth = 4, .basis = 21, .turned = true, .confidence = true, .presence = true}},
      {"confidence of its own sizes",
       true,
       {.points = 6,
        .stages = 2,
        .trees = 5,
        .pixels = 20,
        .depth = 2,
        .confidence = true,
        .confidence_trees = 40,
        .confidence_pixels = 90}}};
}

struct FitScene {
  std::vector<std::vector<std::uint8_t>> pixels;
  std::vector<GrayView> pictures;
  std::vector<ShapeTask> tasks;
};

inline FitScene random_fit_scene(int pictures, int tasks, unsigned seed) {
  std::mt19937 random(seed);
  FitScene scene;
  for (int i = 0; i < pictures; ++i) {
    const int width = 40 + static_cast<int>(random() % 100), height = 30 + static_cast<int>(random() % 90);
    const int stride = width + static_cast<int>(random() % 7);
    std::vector<std::uint8_t>& pixels =
        scene.pixels.emplace_back(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height));
    // Near pixels differ only a little, so that differences lie on either side of a split's threshold.
    for (std::size_t at = 0; at < pixels.size(); ++at)
      pixels[at] = static_cast<std::uint8_t>((at / 3 * 7 + random() % 64) & 255);
    scene.pictures.push_back({pixels.data(), width, height, stride});
  }
  for (int i = 0; i < tasks; ++i) {
    const auto picture = static_cast<int>(random() % static_cast<unsigned>(pictures));
    const GrayView& view = scene.pictures[static_cast<std::size_t>(picture)];
    const int side = 1 + static_cast<int>(random() % 90);
    const Box box{static_cast<int>(random() % static_cast<unsigned>(2 * view.width)) - view.width / 2,
                  static_cast<int>(random() % static_cast<unsigned>(2 * view.height)) - view.height / 2, side,
                  side + static_cast<int>(random() % 5)};
    const BoxPlace place = i % 3 == 0 ? BoxPlace{} : BoxPlace{1.2, 0.03, -0.04};
    scene.tasks.push_back({picture, placed_box(real_box(box), place)});
  }
  return scene;
}

inline FittedShapes fitted(ShapeFitter& fitter, const FitScene& scene) {
  FittedShapes shapes;
  fitter.fit(scene.pictures, scene.tasks, shapes);
  return shapes;
}

}  // namespace winnow::sample
