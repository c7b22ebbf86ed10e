// Opens sources of positives: each positive is a picture and the window's place in it.
//
// In:     the path of a folder of crops, a picture to warp, a `.vec` file, or labels; the options.
// Out:    a picture and a place for each positive. The caller cuts the window and its copies.
// Exact:  the same positives in the same order on every machine.
// Memory: a source owns the last picture it opened, which is valid until it opens another. `.vec` samples are
//         all kept. Negatives and options must outlive the source.
// Thread: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <winnow/image.h>
#include <winnow/pack.h>

#include "image/warp.h"

namespace winnow {

struct Positive {
  GrayView picture;  // valid until the source opens another one
  // Red, green and blue of the picture if the options ask for colour; else empty views.
  std::array<GrayView, 3> channels;
  Affine place;  // from the window to the picture
  std::string name;
};

class PositiveSource {
 public:
  virtual ~PositiveSource() = default;
  virtual std::string kind() const = 0;  // "crops", "vec", ...
  virtual std::size_t count() const = 0;
  // Returns false, with a note of the reason, if positive `i` cannot be used. Labels of one unreadable
  // picture may have one common note. Positives may be opened in any order, and repeatedly.
  virtual bool open(std::size_t i, Positive& positive, const PackNote& note) = 0;
};

// Warps are drawn onto `negatives`. `negatives` and `options` must outlive the source. kUsage for one picture
// without `PackOptions::warps` or without negatives, and for `PackOptions::eyes` with labels without points.
std::unique_ptr<PositiveSource> open_positives(const std::string& path,
                                               const std::vector<Pack::Negative>& negatives,
                                               const PackOptions& options, const PackNote& note);

// The window's place in a crop, or in the box `area` of the crop if `area` is not empty. The place is the
// whole crop or box if its shape differs from the window's by at most 2 %. Else the place is the largest box
// of the window's shape in the middle.
Affine place_crop(Size crop, const RealBox& area, Size window);
// The place of a window for a label's box: the box scaled by `margin` about its middle, then widened to the
// window's shape.
Affine place_label(const RealBox& box, double margin, Size window);
// The place of a window in which the eyes are level. The window is `span` times as wide as the distance of
// the eyes. The midpoint of the eyes lies in the middle of the window's width, at the fraction `line` of its
// height. The two eyes must be different points.
Affine place_eyes(const Point& left, const Point& right, double span, double line, Size window);

// Reads two lists of point numbers, such as "0/1" or "36-41,50/42-47". kUsage for other texts.
struct EyePoints {
  std::vector<std::size_t> left, right;
};
EyePoints parse_eyes(const std::string& text);

}  // namespace winnow
