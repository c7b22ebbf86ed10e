// Draws what was found into a marked copy of a picture: boxes, labels, points, and paths of tracked objects.
//
// In:     a colour picture, and objects.
// Out:    the picture, changed.
// Memory: `TrackPaths` keeps two numbers for each frame of a path.
// Thread: one thread at a time for a picture.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/image.h>
#include <winnow/landmarker.h>
#include <winnow/tracker.h>

namespace winnow {

inline constexpr Rgb kFrameColor{40, 230, 60}, kFoundColor{40, 120, 255}, kTrackedColor{255, 220, 0},
    kLostColor{255, 80, 60};

// An object as it is drawn into a marked copy of the picture.
struct Marked {
  Box box;
  const Shape* shape = nullptr;  // null: no points
  std::string label = {};        // may be empty
  Rgb color = kFrameColor;
  bool dashed = false;
  bool exact = false;  // a blurred area is the box, and not a tenth wider at each side
};

// The width of lines in a picture of this size.
int line_thickness(Size picture);

// Draws the objects, or blurs them.
void draw_marks(ImageView<Rgb> image, std::span<const Marked> objects, bool blur);

// A lost object has its last box, dashed. One that was never seen is left out.
std::vector<Marked> marks_of(std::span<const Track> tracks);

// The middles of tracked objects in the last frames. A path has a gap where the object was lost.
class TrackPaths {
 public:
  explicit TrackPaths(int frames) : frames_(static_cast<std::size_t>(frames)) {}
  // Takes the tracks of the next frame.
  void add(std::span<const Track> tracks);
  void draw(ImageView<Rgb> image) const;
  void clear() { paths_.clear(); }

 private:
  struct Place {
    Point at;
    Rgb color;
  };
  std::size_t frames_;
  std::map<int, std::deque<std::optional<Place>>> paths_;
};

}  // namespace winnow
