// Makes a model of gradients by hand that finds upright bright figures, and pictures of the figure.
//
// In:     the size of the picture.
// Out:    a bright figure on dark ground, half as wide and three quarters as high as the picture. The model
//         has a window of 32 x 64, and its weights are the figure's own HOG values.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <winnow/detector.h>
#include <winnow/hog.h>
#include <winnow/image.h>

namespace winnow::sample {

inline GrayImage upright_figure(Size size) {
  GrayImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const double dx = (x + 0.5) / size.width - 0.5, dy = (y + 0.5) / size.height - 0.5;
      const double out = dx * dx * 16 + dy * dy * dy * dy * 50;  // 1 on the figure's edge
      image.row(y)[x] = static_cast<std::uint8_t>(out < 1 ? 210 : 50 + (x * 7 + y * 3) % 3);
    }
  }
  return image;
}

// A window's score is the sum of its HOG values times the weights. So a model with one weight of 1 and all
// others 0 gives one HOG value of the figure.
inline HogSvm upright_finder() {
  static const HogSvm finder = [] {
    const GrayImage figure = upright_figure({32, 64});
    HogSvmModel model;
    model.shape.window = {32, 64};
    model.card.name = "upright figures";
    model.weights.assign(model.shape.values(), 0);
    DetectOptions options;
    options.scale_factor = 2;  // the window's own size is the only level
    options.raw = true;
    std::vector<float> values;
    double own = 0;
    for (float& weight : model.weights) {
      weight = 1;
      const Detections one =
          Detector(HogSvm(model), {BackendKind::kReference}).detect(figure.view(), options);
      values.push_back(static_cast<float>(one.objects.at(0).score));
      own += one.objects[0].score * one.objects[0].score;
      weight = 0;
    }
    model.weights = values;
    model.bias = -0.75 * own;
    return HogSvm(std::move(model));
  }();
  return finder;
}

}  // namespace winnow::sample
