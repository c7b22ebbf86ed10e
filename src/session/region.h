// Cuts pictures to the region that is searched, and moves found objects from the region into the picture.
//
// In:     `DetectOptions::region`, which is checked. An empty region means the whole picture.
// Out:    views into the pictures, and boxes in pixels of the pictures.
// Exact:  integers.
// Thread: any.
#pragma once

#include <algorithm>

#include <winnow/detection.h>
#include <winnow/error.h>
#include <winnow/image.h>

namespace winnow {

inline bool has_region(const DetectOptions& options) { return options.region != Box{}; }

// kUsage for a region without pixels.
inline void check_region_sides(const Box& region) {
  if (region.width < 1 || region.height < 1)
    throw Error(ErrorCode::kUsage, "a region needs a width and a height of 1 or more");
}

inline PictureView searched_part(const PictureView& picture, const DetectOptions& options) {
  return has_region(options) ? picture.crop(options.region) : picture;
}

// The upper left corner of the searched region. It is the same in every picture.
inline PixelPoint corner_of(const Box& region) { return {std::max(region.x, 0), std::max(region.y, 0)}; }

// Moves the objects in `found`, whose boxes count from the region's corner, into the picture.
inline void move_into_picture(const Box& region, Size picture, Detections& found) {
  const PixelPoint corner = corner_of(region);
  for (Detection& object : found.objects) {
    object.box.x += corner.x;
    object.box.y += corner.y;
  }
  found.picture = picture;
}

}  // namespace winnow
