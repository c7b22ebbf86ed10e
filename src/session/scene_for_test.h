// Makes cascades by hand that find dark squares on bright ground, and scenes with such squares.
//
// In:     for a cascade, the factor of its window size or its thresholds; for a scene, its size and its
//         squares.
// Out:    cascades and pictures, the same for the same arguments.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <winnow/cascade.h>
#include <winnow/image.h>

namespace winnow::sample {

// Finds windows of 24 x 24 whose middle 12 x 12 is darker than the whole. The second stage weighs the four
// sides. All sizes are multiplied by `factor`.
inline Cascade square_finder(int factor = 1) {
  CascadeModel model;
  model.window = {24 * factor, 24 * factor};
  const auto feature = [&](const Box& rect, float weight) {
    const auto enlarged = [factor](const Box& box) {
      return Box{box.x * factor, box.y * factor, box.width * factor, box.height * factor};
    };
    model.haar.push_back(
        {{HaarRect{enlarged({0, 0, 24, 24}), -1.f}, HaarRect{enlarged(rect), weight}, HaarRect{}}, false});
  };
  feature({6, 6, 12, 12}, 4.f);
  feature({0, 0, 24, 4}, 6.f), feature({0, 20, 24, 4}, 6.f), feature({0, 0, 4, 24}, 6.f),
      feature({20, 0, 4, 24}, 6.f);
  const float thresholds[] = {-0.5f, 0.3f, 0.3f, 0.3f, 0.3f}, lefts[] = {1.f, -1.f, -0.75f, -1.25f, -0.5f};
  for (std::int32_t i = 0; i < 5; ++i) {
    model.nodes.push_back({0, -1, i, thresholds[i]});
    model.leaves.push_back(lefts[i]);
    model.leaves.push_back(-lefts[i]);
    model.trees.push_back({i, 1, 2 * i});
  }
  model.stages = {{0, 1, 0.5f}, {1, 4, 1.75f}};
  model.card.name = "squares";
  return Cascade(std::move(model));
}

// The first weak classifier of `square_finder`, with a threshold that all windows except flat ones pass.
inline Cascade crowd_finder() {
  CascadeModel model = square_finder().model();
  model.stages.resize(1);
  model.trees.resize(1);
  model.nodes.resize(1);
  model.leaves.resize(2);
  model.stages[0].threshold = -5;
  return Cascade(std::move(model));
}

// The weak classifiers of `square_finder` as a soft cascade: one stage per weak classifier, on one running
// sum.
inline Cascade soft_square_finder() {
  CascadeModel model = square_finder().model();
  model.rules.sum = SumRule::kRunning;
  model.rules.threshold_slack = 0;
  model.stages = {{0, 1, 0.5f}, {1, 1, -0.25f}, {2, 1, 0.25f}, {3, 1, 1.5f}, {4, 1, 2.75f}};
  model.card.name = "soft squares";
  return Cascade(std::move(model));
}

// Repeats the five weak classifiers of `soft_square_finder` until there are 330, one per stage. The
// thresholds begin at `first` and rise by `rise` per stage. For a window with a square, every five weak
// classifiers add 4.5. For a window whose square lacks a bright side they add 2 to 3.5, and for bright ground
// -4.5.
inline Cascade long_square_finder(float first, float rise) {
  CascadeModel model = soft_square_finder().model();
  for (std::int32_t i = 0; i < 330; ++i) {
    if (i >= 5) {
      model.nodes.push_back(model.nodes[static_cast<std::size_t>(i % 5)]);
      for (const int leaf : {0, 1})
        model.leaves.push_back(model.leaves[static_cast<std::size_t>(2 * (i % 5) + leaf)]);
      model.trees.push_back({i, 1, 2 * i});
      model.stages.push_back({i, 1, 0.f});
    }
    model.stages[static_cast<std::size_t>(i)].threshold = first + rise * static_cast<float>(i);
  }
  model.card.name = "long squares";
  return Cascade(std::move(model));
}

// Bright ground with dark squares. The right half has a faint texture; the left half is flat.
inline GrayImage make_scene(Size size, const std::vector<Box>& squares) {
  GrayImage scene(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const int texture = x < size.width / 2 ? 0 : (x * 7 + y * 13 + x * y) % 9;
      scene.row(y)[x] = static_cast<std::uint8_t>(200 + texture);
    }
  }
  // The middle half of each box is dark, so that the box is the window that finds the square.
  for (const Box& box : squares) {
    const Box dark =
        clip({box.x + box.width / 4, box.y + box.height / 4, box.width / 2, box.height / 2}, size);
    for (int y = dark.y; y < dark.y + dark.height; ++y) {
      for (int x = dark.x; x < dark.x + dark.width; ++x) scene.row(y)[x] = 30;
    }
  }
  return scene;
}

}  // namespace winnow::sample
