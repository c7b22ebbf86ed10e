#include "image/warp_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/share_work.h"
#include "image/warp.h"

namespace winnow {
namespace {

// The picture's plane in space. The middle of the picture is the origin, and the camera is `distance` away.
class Plane {
 public:
  Plane(double x, double y, double z, double distance) : distance_(distance) {
    const Rotation a = rotation_by(x), b = rotation_by(y), c = rotation_by(z);
    // The picture is turned about z first (within its own plane), then about y, then about x.
    right_ = {b.cos * c.cos, a.cos * c.sin + a.sin * b.sin * c.cos, a.sin * c.sin - a.cos * b.sin * c.cos};
    down_ = {-b.cos * c.sin, a.cos * c.cos - a.sin * b.sin * c.sin, a.sin * c.cos + a.cos * b.sin * c.sin};
  }

  // The point of the image at which the camera sees a point of the plane.
  Point seen(double p, double q) const {
    const double away = distance_ + p * right_.z + q * down_.z;
    return {(p * right_.x + q * down_.x) * distance_ / away, (p * right_.y + q * down_.y) * distance_ / away};
  }
  // Finds the point of the plane that the camera sees at the point `at` of the image. Returns false if there
  // is none.
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

Plane random_plane(Size picture, const WarpBounds& bounds, Random& random) {
  const double x = random.real(-bounds.x, bounds.x);
  // The angle about y is at most its bound minus the angle about x, so that the camera never sees the picture
  // as a line.
  const double left = std::clamp(bounds.y - std::abs(x), 0.0, bounds.y);
  const double y = random.real(-left, left);
  const double z = random.real(-bounds.z, bounds.z);
  return {x, y, z, random.real(2, 4) * std::max(picture.width, picture.height)};
}

// The box around the picture as the camera sees it, grown about its middle to the window's
// aspect ratio.
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

// A random piece of the negative, from the window's size to the largest that fits.
Affine random_place(Size negative, Size window, Random& random) {
  const double most = std::min(negative.width / static_cast<double>(window.width),
                               negative.height / static_cast<double>(window.height));
  const double scale = random.real(1, std::max(most, 1.0));
  const double width = scale * window.width, height = scale * window.height;
  const double x = random.real(0, std::max(negative.width - width, 0.0));
  const double y = random.real(0, std::max(negative.height - height, 0.0));
  return place_box({x, y, width, height}, window);
}

bool is_clear(std::uint8_t pixel, const WarpBounds& bounds) {
  return bounds.background >= 0 && std::abs(pixel - bounds.background) <= bounds.background_tolerance;
}

}  // namespace

void warp_picture(GrayView picture, GrayView negative, const WarpBounds& bounds, Random& random,
                  ImageView<std::uint8_t> window) {
  const Plane plane = random_plane(picture.size(), bounds, random);
  const double light = random.real(-bounds.intensity, bounds.intensity);
  const Affine place = place_box(seen_box(plane, picture.size(), window.size()), window.size());
  sample_affine(negative, random_place(negative.size(), window.size(), random), window);
  // Twice as many taps as for a flat map, since the far side of a turned picture is seen reduced.
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
        if (is_clear(picture.row(static_cast<int>(py))[static_cast<int>(px)], bounds)) continue;
        sum += std::clamp(bilinear(picture, px - 0.5, py - 0.5) + light, 0.0, 255.0);
        ++covered;
      }
      std::uint8_t& pixel = window.row(y)[x];
      pixel = to_byte((sum + pixel * static_cast<double>(taps * taps - covered)) / (taps * taps));
    }
  };
  // A large picture has millions of taps. A small one has too few to be worth a thread.
  constexpr std::int64_t kTapsAThread = 200'000;
  const std::int64_t threads = 1 + std::int64_t{taps} * taps * window.width * window.height / kTapsAThread;
  share_work(static_cast<int>(std::min<std::int64_t>(threads, threads_for(0))),
             static_cast<std::size_t>(window.height), 1, make_row);
}

}  // namespace winnow
