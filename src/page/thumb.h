// Makes a small picture of a large one or of a place in it, for a page.
//
// In:     a picture, not copied, and for a place its box in pixels.
// Out:    the small picture; or a JPEG of the place and a margin around it, as a data: URI, and the place's
//         box in the JPEG.
// Memory: the result belongs to the caller.
// Thread: any.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <winnow/box.h>
#include <winnow/image.h>

namespace winnow {

struct Thumb {
  std::string uri;
  int width = 0, height = 0;
  RealBox place;  // in fractions of width and height, 0 to 1 inside the small picture
};

struct ThumbSize {
  double margin = 0.5;     // fraction of the place's longer side, added on each side
  int longest_side = 128;  // of the small picture, in pixels
};

// Returns nothing if the place lies outside the picture, or if its numbers make no sense (a million pixels or
// more).
std::optional<Thumb> make_thumb(GrayView picture, const RealBox& place, const ThumbSize& size = {});

// A colour picture whose sides have `longest_side` pixels at most. Each pixel is the average of a square.
RgbImage shrink_to(RgbView picture, int longest_side);

// Colours of points: marked by people, and found by a model.
inline constexpr const char* kMarkedColor = "#35d07f";
inline constexpr const char* kFoundColor = "#ff7a2f";

// An <svg> that covers the thumb of `place`. It shows the marked points, the found points, and a line from
// marked[i] to found[i]. Both lists must have the same length.
std::string points_over(const Thumb& thumb, const RealBox& place, std::span<const Point> marked,
                        std::span<const Point> found);

}  // namespace winnow
