#include "answer/draw_marks.h"

#include <algorithm>
#include <cmath>

#include <winnow/answer.h>
#include <winnow/error.h>

#include "page/face_contours.h"

namespace winnow {
namespace {

// The box with a tenth of its size added on each side, clipped to the picture.
Box widened(const Box& box, Size picture) {
  const int dx = (box.width + 9) / 10, dy = (box.height + 9) / 10;
  return clip({box.x - dx, box.y - dy, box.width + 2 * dx, box.height + 2 * dy}, picture);
}

// The smallest box around the object's box and points. Points such as the chin may lie outside of the box.
Box hull_of(const Marked& object) {
  Box hull = object.box;
  if (object.shape == nullptr) return hull;
  int right = hull.x + hull.width, bottom = hull.y + hull.height;
  for (const LandmarkPoint& point : object.shape->points) {
    if (!(std::abs(point.x) < 1e6 && std::abs(point.y) < 1e6)) continue;
    hull.x = std::min(hull.x, static_cast<int>(std::floor(point.x)));
    hull.y = std::min(hull.y, static_cast<int>(std::floor(point.y)));
    right = std::max(right, static_cast<int>(std::ceil(point.x)) + 1);
    bottom = std::max(bottom, static_cast<int>(std::ceil(point.y)) + 1);
  }
  hull.width = right - hull.x;
  hull.height = bottom - hull.y;
  return hull;
}

// Writes a text into a field above the top left corner of a box, or below that corner if there is no room
// above.
void draw_label(ImageView<Rgb> image, const Box& box, const std::string& text, Rgb color, int scale) {
  // Letters of the font are 5 dots wide and 7 dots high. There is one dot between letters, and a border of
  // one dot.
  const int width = (6 * static_cast<int>(text.size()) + 1) * scale, height = 9 * scale;
  const Box field{std::clamp(box.x, 0, std::max(0, image.width - width)),
                  std::clamp(box.y >= height ? box.y - height : box.y, 0, std::max(0, image.height - height)),
                  width, height};
  draw_box(image, field, color, height);
  draw_text(image, field.x + scale, field.y + scale, text, {0, 0, 0}, scale);
}

// The outline of a box, of which every second stretch of four thicknesses is drawn.
void draw_dashes(ImageView<Rgb> image, const Box& box, Rgb color, int thickness) {
  const int dash = 4 * thickness;
  const auto side = [&](int length, const auto& part) {
    for (int from = 0; from < length; from += 2 * dash) part(from, std::min(dash, length - from));
  };
  // Parts of the outline outside of the picture would take long for a large box.
  const Box shown = clip(box, image.size());
  const auto fill = [&](const Box& part) {
    if (const Box inside = clip(part, image.size()); inside.width > 0 && inside.height > 0)
      draw_box(image, inside, color, std::max(inside.width, inside.height));
  };
  side(shown.width, [&](int from, int length) {
    for (const int y : {box.y, box.y + box.height - thickness}) fill({shown.x + from, y, length, thickness});
  });
  side(shown.height, [&](int from, int length) {
    for (const int x : {box.x, box.x + box.width - thickness}) fill({x, shown.y + from, thickness, length});
  });
}

Rgb color_of(TrackState state) {
  switch (state) {
    case TrackState::kFound:
      return kFoundColor;
    case TrackState::kTracked:
      return kTrackedColor;
    case TrackState::kLost:
      break;
  }
  return kLostColor;
}

bool has_box(const Track& track) {
  const RealBox& box = track.box;
  return std::isfinite(box.x + box.y + box.width + box.height) && box.width > 0 && box.height > 0;
}

}  // namespace

void draw_number(ImageView<Rgb> image, const Box& box, int number, Rgb color, int scale) {
  if (scale < 1 || scale > 100) throw Error(ErrorCode::kUsage, "a number needs 1 to 100 pixels a dot");
  draw_label(image, box, std::to_string(number), color, scale);
}

void draw_shape(ImageView<Rgb> image, const Shape& shape, Rgb color, int thickness) {
  // The middle of the first pixel is (0, 0) in a shape, and (0.5, 0.5) in a drawing.
  const auto place = [&](std::size_t i) { return Point{shape.points[i].x + 0.5, shape.points[i].y + 0.5}; };
  std::vector<Point> points;
  for (const LandmarkPoint& point : shape.points) points.push_back({point.x, point.y});
  for (const auto& [from, to] : shape_lines(points))
    draw_line(image, place(from), place(to), color, from == to ? 2 * thickness : thickness);
}

int line_thickness(Size picture) { return std::clamp(std::min(picture.width, picture.height) / 240, 2, 8); }

Box blurred_box(const Box& box, const Shape& shape, Size picture) {
  Marked object;
  object.box = box;
  object.shape = &shape;
  return widened(hull_of(object), picture);
}

void draw_marks(ImageView<Rgb> image, std::span<const Marked> objects, bool blur) {
  const int thickness = line_thickness(image.size());
  for (const Marked& object : objects) {
    if (blur)
      blur_box(image, object.exact ? object.box : widened(hull_of(object), image.size()));
    else if (object.dashed)
      draw_dashes(image, object.box, object.color, thickness);
    else
      draw_box(image, object.box, object.color, thickness);
  }
  if (blur) return;
  for (const Marked& object : objects) {
    if (object.shape != nullptr)
      draw_shape(image, *object.shape, object.color, std::clamp(object.box.width / 100, 1, 8));
  }
  for (const Marked& object : objects)
    if (!object.label.empty()) draw_label(image, object.box, object.label, object.color, thickness);
}

std::vector<Marked> marks_of(std::span<const Track> tracks) {
  std::vector<Marked> marked;
  // Far beyond any picture, but within an int.
  const auto whole = [](double value) { return static_cast<int>(std::lround(std::clamp(value, -1e6, 1e6))); };
  for (const Track& track : tracks) {
    if (!has_box(track)) continue;
    const bool lost = track.state == TrackState::kLost;
    Marked mark;
    mark.box = {whole(track.box.x), whole(track.box.y), whole(track.box.width), whole(track.box.height)};
    mark.label = std::to_string(track.id) + (lost ? " lost" : "");
    mark.color = color_of(track.state);
    mark.dashed = lost;
    marked.push_back(mark);
  }
  return marked;
}

void TrackPaths::add(std::span<const Track> tracks) {
  if (frames_ == 0) return;
  for (const Track& track : tracks) {
    std::deque<std::optional<Place>>& path = paths_[track.id];
    std::optional<Place> place;
    if (track.state != TrackState::kLost && has_box(track))
      place = {{track.box.x + track.box.width / 2, track.box.y + track.box.height / 2},
               color_of(track.state)};
    path.push_back(place);
    if (path.size() > frames_) path.pop_front();
  }
}

void TrackPaths::draw(ImageView<Rgb> image) const {
  for (const auto& [id, path] : paths_) {
    for (std::size_t i = 1; i < path.size(); ++i)
      if (path[i - 1] && path[i])
        draw_line(image, path[i - 1]->at, path[i]->at, path[i]->color, line_thickness(image.size()));
  }
}

}  // namespace winnow
