// Opens sources of positives: each positive is a picture and the window's place in it.
//
// In:     the path of a folder of crops, a picture to warp, a `.vec` file, or labels; the options.
// Out:    a picture and a place for each positive. The caller cuts the window and its copies.
// Exact:  the same positives in the same order on every machine.
// Memory: a source owns the picture of the last opened positive. The picture is valid until the next `open`.
//         All samples of a `.vec` are kept. Negatives and options must outlive the source.
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
  GrayView picture;  // valid until the source's next `open`
  // The red, green and blue channel of the picture if the options ask for colour; else empty views.
  std::array<GrayView, 3> channels;
  Affine place;  // maps points of the window to points of the picture
  std::string name;
};

class PositiveSource {
 public:
  virtual ~PositiveSource() = default;
  virtual std::string kind() const = 0;  // "crops", "vec", ...
  virtual std::size_t count() const = 0;
  // The files of the pictures that show positives. Pictures to be warped and samples are not among them.
  virtual std::vector<std::string> pictures() const { return {}; }
  // Returns false if positive `i` cannot be used, and gives the reason to `note`. If a picture cannot be
  // read, one note may serve all its labels. Positives may be opened in any order, and repeatedly.
  virtual bool open(std::size_t i, Positive& positive, const PackNote& note) = 0;
  // Throws kUsage if the positives that were opened cannot be of one object. Tells `note` if windows lose much
  // of their pictures.
  virtual void check_opened(const PackNote&) const {}
};

// Warps are drawn onto `negatives`, which may be filled before the first `open`. `negatives` and `options` must
// outlive the source. kUsage if `path` is one picture, and there are no `PackOptions::warps`, or at `open` no
// negatives. kUsage for `PackOptions::eyes` if the
// labels have no points.
std::unique_ptr<PositiveSource> open_positives(const std::string& path,
                                               const std::vector<Pack::Negative>& negatives,
                                               const PackOptions& options, const PackNote& note);

// Returns the window's place in a crop, or in the box `area` of the crop if `area` is not empty. If the ratio
// of the crop's or box's sides differs from the window's by at most 2 %, the place is the whole crop or box.
// Else the place is the largest box with the window's ratio that fits, in the middle.
Affine place_crop(Size crop, const RealBox& area, Size window);
// Returns the window's place for a label's box: the box is scaled by `margin` about its middle, then widened
// to the window's ratio of sides.
Affine place_label(const RealBox& box, double margin, Size window);
// Returns the window's place in which the eyes are level. The window is `span` times as wide as the distance
// of the eyes. The midpoint of the eyes lies in the middle of the window's width, at the fraction `line` of
// the window's height. The two eyes must be different points.
Affine place_eyes(const Point& left, const Point& right, double span, double line, Size window);

// Reads two lists of point numbers, such as "0/1" or "36-41,50/42-47". kUsage for other texts.
struct EyePoints {
  std::vector<std::size_t> left, right;
};
EyePoints parse_eyes(const std::string& text);

}  // namespace winnow
