// A small picture of a place in a large one, for a page: the place and a margin around it, as a JPEG inside a
// data: URI, and where in it the place lies.
#pragma once

#include <optional>
#include <string>

#include <winnow/image.h>
#include <winnow/truth.h>

namespace winnow {

struct Thumb {
  std::string uri;
  int width = 0, height = 0;
  RealBox place;  // in parts of width and height, 0 to 1
};

// None if the place lies outside the picture.
std::optional<Thumb> make_thumb(GrayView picture, const RealBox& place);

}  // namespace winnow
