// Times fits of landmarks in a picture of random texture.
//
// In:     a landmarker, and the number of faces in a call.
// Out:    the median time of a call in microseconds, divided by the call's number of faces: processor time
//         for fits on one thread of the host, and elapsed time for all other fits.
// Memory: the caller owns the scene.
// Thread: one thread at a time per landmarker.
#pragma once

#include <winnow/landmarker.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "pairs.h"

namespace bench {

// A picture of 1280x720 with texture, and boxes of faces of 150 pixels.
struct FaceScene {
  winnow::GrayImage picture{1280, 720};
  std::vector<winnow::Box> boxes;
};

inline FaceScene random_scene(int faces) {
  std::mt19937 random(5);
  FaceScene scene;
  for (int y = 0; y < 720; ++y)
    for (int x = 0; x < 1280; ++x)
      scene.picture.row(y)[x] = static_cast<std::uint8_t>((x * y / 64 + random() % 48) & 255);
  for (int i = 0; i < faces; ++i)
    scene.boxes.push_back({static_cast<int>(random() % 1100), static_cast<int>(random() % 560), 150, 150});
  return scene;
}

// Each call takes the next `faces` boxes of the scene. The number of boxes must be a multiple of `faces`. One
// more call comes first and is not counted.
inline double fit_microseconds(winnow::Landmarker& landmarker, const FaceScene& scene, std::size_t faces,
                               int repeat) {
  const bool processor = landmarker.backend() != winnow::BackendKind::kCuda && landmarker.threads() == 1;
  const std::span<const winnow::Box> boxes = scene.boxes;
  std::vector<winnow::Shape> shapes;
  std::vector<double> times;
  std::size_t first = 0;
  const auto call = [&] { landmarker.fit(scene.picture.view(), boxes.subspan(first, faces), shapes); };
  call();
  for (int i = 0; i < repeat; ++i) {
    first = (first + faces) % boxes.size();
    times.push_back(processor ? processor_milliseconds(call) : milliseconds(call));
  }
  return 1000 * median(std::move(times)) / static_cast<double>(faces);
}

}  // namespace bench
