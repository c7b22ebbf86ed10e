#include "made_faces.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <stdexcept>

namespace bench {

std::vector<std::string> pictures_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (const std::string ending = entry.path().extension().string(); ending == ".jpg" || ending == ".png")
      files.push_back(entry.path().string());
  if (files.empty()) throw std::runtime_error(folder + ": no pictures");
  std::sort(files.begin(), files.end());
  return files;
}

GrayImage resized(GrayView picture, Size size) {
  GrayImage out(size.width, size.height);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double u = std::clamp((x + 0.5) * picture.width / size.width - 0.5, 0.0, picture.width - 1.0),
                   v = std::clamp((y + 0.5) * picture.height / size.height - 0.5, 0.0, picture.height - 1.0);
      const int left = std::min(static_cast<int>(u), picture.width - 2),
                top = std::min(static_cast<int>(v), picture.height - 2);
      const double right = u - left, below = v - top;
      const std::uint8_t *upper = picture.row(top) + left, *lower = picture.row(top + 1) + left;
      out.row(y)[x] =
          static_cast<std::uint8_t>(0.5 + (1 - below) * ((1 - right) * upper[0] + right * upper[1]) +
                                    below * ((1 - right) * lower[0] + right * lower[1]));
    }
  return out;
}

GrayImage lfw_face(const std::string& file, int side) {
  const winnow::Picture picture = winnow::read_picture(file);
  const GrayView gray = picture.gray.view();
  const int width = gray.width, height = gray.height;
  return resized(gray.crop({width * 3 / 20, height * 3 / 20, width * 7 / 10, height * 7 / 10}), {side, side});
}

Box place_of(int x, int y, int side) {
  const int edge = side * 2 / 15;
  return {x + edge, y + edge, side - 2 * edge, side - 2 * edge};
}

double overlap(const Box& a, const Box& b) {
  const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x),
               height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const double both = width * height;
  return both / (static_cast<double>(a.width) * a.height + static_cast<double>(b.width) * b.height - both);
}

const char* name_of(Hiding hiding) {
  static constexpr const char* kNames[] = {"noise", "dark", "ground", "turned", "dim"};
  return kNames[static_cast<int>(hiding)];
}

void step(Walk& walk, Size frame, int side) {
  walk.x += walk.dx;
  walk.y += walk.dy;
  if (walk.x < 0 || walk.x > frame.width - side) walk.dx = -walk.dx;
  if (walk.y < 0 || walk.y > frame.height - side) walk.dy = -walk.dy;
  walk.x = std::clamp(walk.x, 0.0, static_cast<double>(frame.width - side));
  walk.y = std::clamp(walk.y, 0.0, static_cast<double>(frame.height - side));
}

void paste(GrayImage& frame, GrayView face, int x, int y, double roll) {
  const double middle = (face.width - 1) / 2.0, angle = roll * std::numbers::pi / 180;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  for (int v = 0; v < face.height; ++v)
    for (int u = 0; u < face.width; ++u) {
      const double right = u - middle, below = v - middle;
      if (right * right + below * below >= face.width * face.width / 4.0) continue;
      const int to_x = x + u, to_y = y + v;
      if (to_x < 0 || to_y < 0 || to_x >= frame.width() || to_y >= frame.height()) continue;
      const double from_x = middle + cosine * right + sine * below,
                   from_y = middle - sine * right + cosine * below;
      const int left = std::clamp(static_cast<int>(from_x), 0, face.width - 2),
                top = std::clamp(static_cast<int>(from_y), 0, face.height - 2);
      const double part = from_x - left, down = from_y - top;
      const std::uint8_t *upper = face.row(top) + left, *lower = face.row(top + 1) + left;
      frame.row(to_y)[to_x] =
          static_cast<std::uint8_t>(std::clamp(0.5 + (1 - down) * ((1 - part) * upper[0] + part * upper[1]) +
                                                   down * ((1 - part) * lower[0] + part * lower[1]),
                                               0.0, 255.0));
    }
}

void darken(GrayImage& frame, double light, double noise, std::mt19937& random) {
  for (int y = 0; y < frame.height(); ++y)
    for (int x = 0; x < frame.width(); ++x) {
      // The sum of four random bytes is nearly normally distributed, with a standard deviation of 148.
      const std::uint32_t bits = random();
      const int sum = static_cast<int>((bits & 255) + (bits >> 8 & 255) + (bits >> 16 & 255) + (bits >> 24));
      const double value = light * frame.row(y)[x] + noise * (sum - 510) / 148.0;
      frame.row(y)[x] = static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
    }
}

void cover_with_noise(GrayImage& frame, const Box& box, std::mt19937& random) {
  const Box inside = winnow::clip(box, frame.size());
  for (int y = inside.y; y < inside.y + inside.height; ++y)
    for (int x = inside.x; x < inside.x + inside.width; ++x)
      frame.row(y)[x] = static_cast<std::uint8_t>(random() & 255);
}

}  // namespace bench
