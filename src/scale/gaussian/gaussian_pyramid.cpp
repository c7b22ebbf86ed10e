#include "scale/gaussian/gaussian_pyramid.h"

#include "scale/frames/frame.h"

namespace winnow {

void GaussianPyramid::make(GrayView picture, int levels, HalveStep halve) {
  const int count = gaussian_levels(picture.size(), levels);
  places_.clear();  // stays empty if memory is short
  std::size_t bytes = 0;
  Size size = picture.size();
  for (int i = 0; i < count; ++i, size = halved(size)) bytes += static_cast<std::size_t>(frame_bytes(size));
  if (pixels_.size() < bytes) {
    pixels_.clear();  // so that growing copies nothing
    pixels_.resize(bytes);
  }
  places_.reserve(static_cast<std::size_t>(count));
  size = picture.size();
  std::size_t first = 0;
  for (int i = 0; i < count; ++i, size = halved(size)) {
    places_.push_back({first, size});
    first += static_cast<std::size_t>(frame_bytes(size));
  }
  if (count > 0) stage_rows(picture, {0, picture.height}, pixels_.data());
  for (int i = 1; i < count; ++i) {
    const Place& place = places_[static_cast<std::size_t>(i)];
    halve(level(i - 1),
          {pixels_.data() + place.first, place.size.width, place.size.height,
           static_cast<std::ptrdiff_t>(frame_pitch(place.size.width))},
          row_);
  }
}

GrayView GaussianPyramid::level(int number) const {
  const Place& place = places_[static_cast<std::size_t>(number)];
  return {pixels_.data() + place.first, place.size.width, place.size.height,
          static_cast<std::ptrdiff_t>(frame_pitch(place.size.width))};
}

void GaussianPyramid::swap(GaussianPyramid& other) noexcept {
  places_.swap(other.places_);
  pixels_.swap(other.pixels_);
  row_.sums.swap(other.row_.sums);
}

}  // namespace winnow
