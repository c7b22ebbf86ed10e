// Where positives come from: each source lists what may be one and opens it as a picture and the window's
// place in it, so that copies can be cut from the picture itself. Nothing is cut here.
#pragma once

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
  Affine place;
  std::string name;
};

class PositiveSource {
 public:
  virtual ~PositiveSource() = default;
  virtual std::string kind() const = 0;  // "crops", "vec", ...
  virtual std::size_t count() const = 0;
  // False, with a note, if number `i` is no positive after all.
  virtual bool open(std::size_t i, Positive& positive, const PackNote& note) = 0;
};

// `negatives` is what warps are laid on; it must outlive the source, as must the options.
std::unique_ptr<PositiveSource> open_positives(const std::string& path,
                                               const std::vector<Pack::Negative>& negatives,
                                               const PackOptions& options, const PackNote& note);

// The place of a whole crop (or of its part `part`, if that is not empty): all of it if its shape is the
// window's within a fiftieth, else the widest part in its middle that has the window's shape.
Affine place_crop(Size crop, const RealBox& part, Size window);
// A box made `margin` times as large, then grown to the window's shape, about its middle.
Affine place_label(const RealBox& box, double margin, Size window);
// Eyes level, `span` times their distance wide, their middle in the middle at `line` of the height.
Affine place_eyes(const Point& left, const Point& right, double span, double line, Size window);

// "0/1" or "36-41,50/42-47" as two lists of numbers; kUsage if it is neither.
struct EyePoints {
  std::vector<std::size_t> left, right;
};
EyePoints parse_eyes(const std::string& text);

}  // namespace winnow
