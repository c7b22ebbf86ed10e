#include "train/warp_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <winnow/error.h>

#include "train/options.h"
#include "train/share_work.h"
#include "train/warp.h"

namespace winnow {
namespace {

// The picture's plane in space. Its middle is the origin, and the camera looks at it from `distance` away.
class Plane {
 public:
  Plane(double x, double y, double z, double distance) : distance_(distance) {
    const Turn a = turn_by(x), b = turn_by(y), c = turn_by(z);
    // Turned about z in its own plane first, then about y, then about x.
    right_ = {b.cos * c.cos, a.cos * c.sin + a.sin * b.sin * c.cos, a.sin * c.sin - a.cos * b.sin * c.cos};
    down_ = {-b.cos * c.sin, a.cos * c.cos - a.sin * b.sin * c.sin, a.sin * c.cos + a.cos * b.sin * c.sin};
  }

  // Where a point of the plane is seen.
  Point seen(double p, double q) const {
    const double away = distance_ + p * right_.z + q * down_.z;
    return {(p * right_.x + q * down_.x) * distance_ / away, (p * right_.y + q * down_.y) * distance_ / away};
  }
  // The point of the plane that is seen there; false if none is.
  bool under(const Point& at, Point& plane) const {
    const double d = distance_;
    const double a = d * right_.x - at.x * right_.z, b = d * down_.x - at.x * down_.z;
    const double c = d * right_.y - at.y * right_.z, e = d * down_.y - at.y * down_.z;
    const double area = a * e - b * c;
    if (area == 0) return false;
    plane = {d * (at.x * e - at.y * b) / area, d * (a * at.y - c * at.x) / area};
    return d + plane.x * right_.z + plane.y * down_.z > 0;
  }

 private:
  struct Axis {
    double x, y, z;
  };
  Axis right_, down_;
  double distance_;
};

Plane random_plane(Size picture, const PackOptions& options, Random& random) {
  const double x = random.real(-options.warp_x, options.warp_x);
  // What the turn about x leaves, so that the picture is never seen from its edge.
  const double left = std::clamp(options.warp_y - std::abs(x), 0.0, options.warp_y);
  const double y = random.real(-left, left);
  const double z = random.real(-options.warp_z, options.warp_z);
  return {x, y, z, random.real(2, 4) * std::max(picture.width, picture.height)};
}

// The box around the picture as it is seen, grown to the window's shape about its middle.
RealBox seen_box(const Plane& plane, Size picture, Size window) {
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  for (const int corner : {0, 1, 2, 3}) {
    const Point p = plane.seen((corner % 2 - 0.5) * picture.width, (corner / 2 - 0.5) * picture.height);
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  const double side = std::max((right - left) / window.width, (bottom - top) / window.height);
  const double width = side * window.width, height = side * window.height;
  return {(left + right - width) / 2, (top + bottom - height) / 2, width, height};
}

// A random part of the negative, from the window's size to the largest that fits.
Affine random_place(Size negative, Size window, Random& random) {
  const double most = std::min(negative.width / static_cast<double>(window.width),
                               negative.height / static_cast<double>(window.height));
  const double scale = random.real(1, std::max(most, 1.0));
  const double width = scale * window.width, height = scale * window.height;
  const double x = random.real(0, std::max(negative.width - width, 0.0));
  const double y = random.real(0, std::max(negative.height - height, 0.0));
  return place_box({x, y, width, height}, window);
}

bool is_clear(std::uint8_t pixel, const PackOptions& options) {
  return options.background >= 0 && std::abs(pixel - options.background) <= options.background_tolerance;
}

}  // namespace

void check_warps(const PackOptions& options) {
  const auto require = [](bool good, const char* sentence) {
    if (!good) throw Error(ErrorCode::kUsage, sentence);
  };
  if (options.warps < 0 || options.warps > kMostSamples)
    refuse("the number of warps must be from 0 to " + std::to_string(kMostSamples));
  // Nearer to a quarter turn the picture is a line.
  const auto angle = [](double radians, double most) { return radians >= 0 && radians <= most; };
  require(angle(options.warp_x, 1.4) && angle(options.warp_y, 1.4), "a warp turns by 0 to 1.4 about x and y");
  require(angle(options.warp_z, 3.14159), "a warp turns by 0 to 3.14159 about z");
  require(options.warp_intensity >= 0 && options.warp_intensity <= 255,
          "the intensity of warps must be from 0 to 255");
  require(options.background >= -1 && options.background <= 255, "the background must be from 0 to 255");
  require(options.background_tolerance >= 0 && options.background_tolerance <= 255,
          "the tolerance of the background must be from 0 to 255");
}

void warp_picture(GrayView picture, GrayView negative, const PackOptions& options, Random& random,
                  ImageView<std::uint8_t> window) {
  const Plane plane = random_plane(picture.size(), options, random);
  const double light = random.real(-options.warp_intensity, options.warp_intensity);
  const Affine place = place_box(seen_box(plane, picture.size(), window.size()), window.size());
  sample_affine(negative, random_place(negative.size(), window.size(), random), window);
  // Twice as many taps as for a flat map: what is nearer to the camera is finer.
  const int taps = taps_along(2 * std::max(place.xx, place.yy) + 2);
  const auto make_row = [&](std::size_t, std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < window.width; ++x) {
      double sum = 0;
      int covered = 0;
      for (int tap = 0; tap < taps * taps; ++tap) {
        Point on;
        if (!plane.under(place.at(x + (tap % taps + 0.5) / taps, y + (tap / taps + 0.5) / taps), on))
          continue;
        const double px = on.x + picture.width / 2.0, py = on.y + picture.height / 2.0;
        if (!(px >= 0 && px < picture.width && py >= 0 && py < picture.height)) continue;
        if (is_clear(picture.row(static_cast<int>(py))[static_cast<int>(px)], options)) continue;
        sum += std::clamp(bilinear(picture, px - 0.5, py - 0.5) + light, 0.0, 255.0);
        ++covered;
      }
      std::uint8_t& pixel = window.row(y)[x];
      pixel = to_byte((sum + pixel * static_cast<double>(taps * taps - covered)) / (taps * taps));
    }
  };
  // A large picture has millions of taps, a small one fewer than are worth a thread.
  constexpr std::int64_t kTapsAThread = 200'000;
  const std::int64_t threads = 1 + std::int64_t{taps} * taps * window.width * window.height / kTapsAThread;
  share_work(static_cast<int>(std::min<std::int64_t>(threads, threads_for(0))),
             static_cast<std::size_t>(window.height), 1, make_row);
}

}  // namespace winnow
