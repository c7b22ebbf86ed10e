// Draws objects into copies of pictures and videos, as winnow/answer.h declares; its opening comment holds
// here. A copy never replaces a file: it gets a name that is free in the folder.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <winnow/answer.h>
#include <winnow/error.h>

#include "page/face_contours.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr Rgb kFrameColor{40, 230, 60}, kFoundColor{40, 120, 255}, kTrackedColor{255, 220, 0};

std::string lower_ending(const std::string& place) {
  std::string ending = fs::path(place).extension().string();
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

std::string picture_ending(const std::string& place) {
  const std::string ending = lower_ending(place);
  if (ending == ".jpg" || ending == ".jpeg" || ending == ".png" || ending == ".ppm") return ending;
  if (ending == ".pgm" || ending == ".pnm" || ending == ".pbm") return ".ppm";
  return ".png";
}

std::string video_ending(const std::string& place) {
  const std::string ending = lower_ending(place);
  return ending == ".mp4" || ending == ".m4v" ? ".mp4" : ".mkv";
}

// A name that is too long is an error of one file, not of the disk. So its code is kLimit instead of kIo.
ErrorCode code_of(const std::error_code& error) {
  return error == std::errc::filename_too_long ? ErrorCode::kLimit : ErrorCode::kIo;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error)) {
    const std::string reason = error ? error.message() : "something else has this name";
    throw Error(code_of(error), "the folder cannot be made: " + reason, folder.string());
  }
}

// The box with a tenth of its size added on each side, clipped to the picture.
Box widened(const Box& box, Size picture) {
  const int dx = (box.width + 9) / 10, dy = (box.height + 9) / 10;
  return clip({box.x - dx, box.y - dy, box.width + 2 * dx, box.height + 2 * dy}, picture);
}

// An object as it is drawn into a marked copy of the picture.
struct Marked {
  Box box;
  const Shape* shape = nullptr;  // null: no points
  int number = 0;                // 0: no number
  Rgb color = kFrameColor;
};

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

void draw(ImageView<Rgb> image, std::span<const Marked> objects, bool blur) {
  const int thickness = std::clamp(std::min(image.width, image.height) / 240, 2, 8);
  for (const Marked& object : objects) {
    if (blur) {
      blur_box(image, widened(hull_of(object), image.size()));
    } else {
      draw_box(image, object.box, object.color, thickness);
    }
  }
  if (blur) return;
  for (const Marked& object : objects) {
    if (object.shape != nullptr)
      draw_shape(image, *object.shape, object.color, std::clamp(object.box.width / 100, 1, 8));
  }
  for (const Marked& object : objects)
    if (object.number > 0) draw_number(image, object.box, object.number, object.color, thickness);
}

}  // namespace

void draw_number(ImageView<Rgb> image, const Box& box, int number, Rgb color, int scale) {
  if (scale < 1 || scale > 100) throw Error(ErrorCode::kUsage, "a number needs 1 to 100 pixels a dot");
  // Letters of the font are 5 dots wide and 7 dots high. There is one dot between letters, and a border of
  // one dot.
  const std::string text = std::to_string(number);
  const int width = (6 * static_cast<int>(text.size()) + 1) * scale, height = 9 * scale;
  const Box field{std::clamp(box.x, 0, std::max(0, image.width - width)),
                  std::clamp(box.y >= height ? box.y - height : box.y, 0, std::max(0, image.height - height)),
                  width, height};
  draw_box(image, field, color, height);
  draw_text(image, field.x + scale, field.y + scale, text, {0, 0, 0}, scale);
}

void draw_shape(ImageView<Rgb> image, const Shape& shape, Rgb color, int thickness) {
  // The middle of the first pixel is (0, 0) in a shape, and (0.5, 0.5) in a drawing.
  const auto place = [&](std::size_t i) { return Point{shape.points[i].x + 0.5, shape.points[i].y + 0.5}; };
  for (const auto& [from, to] : shape_lines(shape.points.size()))
    draw_line(image, place(from), place(to), color, from == to ? 2 * thickness : thickness);
}

struct Annotator::State {
  State(const AnnotatorOptions& wanted, std::stop_token token) : options(wanted), stop(std::move(token)) {}
  ~State() {
    try {
      // The run may have ended early, for instance because nobody reads the pipe. So no more audio is copied.
      finish_input(true);
    } catch (...) {  // a destructor must not throw; `Annotator::finish_input` reports such errors
    }
  }

  void write(const Input& input, FrameEvent& frame, std::span<const Marked> objects);
  void finish_input(bool given_up);
  std::string free_path(const std::string& place, const std::string& ending) const;

  const AnnotatorOptions options;
  const std::stop_token stop;
  std::optional<VideoWriter> writer;
  bool video_failed = false;
};

std::string Annotator::State::free_path(const std::string& place, const std::string& ending) const {
  const fs::path wanted = fs::path(options.folder) / fs::path(place);
  make_folder(wanted.parent_path());
  const std::string stem = wanted.stem().string();
  for (int number = 0;; ++number) {
    const std::string name = number == 0 ? stem + ending : fmt::format("{}-{}{}", stem, number, ending);
    const fs::path path = wanted.parent_path() / name;
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (status.type() == fs::file_type::not_found) return path.string();
    if (error) throw Error(code_of(error), error.message(), path.string());
  }
}

void Annotator::State::write(const Input& input, FrameEvent& frame, std::span<const Marked> objects) {
  if (frame.video && video_failed) return;
  if (frame.picture.color.size().width == 0)
    throw Error(ErrorCode::kUsage, "the frame has no colour picture: read it with FrameReaderOptions::color");
  draw(frame.picture.color.view(), objects, options.blur);
  const RgbView image = std::as_const(frame.picture.color).view();
  if (!frame.video) {
    const bool stream = input.kind == InputKind::kStream;
    const std::string place = stream ? fmt::format("{}-{:06}.jpg", input.place, frame.index) : input.place;
    write_picture(free_path(place, picture_ending(place)), image);
    return;
  }
  try {
    if (!writer) {
      VideoInfo info = *frame.video;
      info.frames_per_second /= options.every;
      const bool camera = input.kind == InputKind::kCamera;
      writer.emplace(free_path(input.place, video_ending(input.place)), info, camera ? "" : input.path);
    }
    writer->write(image, *frame.time);
  } catch (...) {
    video_failed = true;
    writer.reset();  // removes the unfinished copy, so that it takes no name
    throw;
  }
}

void Annotator::State::finish_input(bool given_up) {
  video_failed = false;
  if (!writer) return;
  VideoWriter last = std::move(*writer);
  writer.reset();
  last.finish(given_up);
}

Annotator::Annotator(const AnnotatorOptions& options, std::stop_token stop)
    : state_(std::make_unique<State>(options, std::move(stop))) {
  if (options.every < 1) throw Error(ErrorCode::kUsage, "a video keeps every Nth frame: N must be 1 or more");
  make_folder(options.folder);
}
Annotator::~Annotator() = default;
Annotator::Annotator(Annotator&&) noexcept = default;
Annotator& Annotator::operator=(Annotator&&) noexcept = default;

void Annotator::write(const Input& input, FrameEvent& frame, std::span<const Detection> objects) {
  std::vector<Marked> marked;
  for (const Detection& object : objects) marked.push_back({object.box});
  state_->write(input, frame, marked);
}

void Annotator::write(const Input& input, FrameEvent& frame, std::span<const Detection> objects,
                      std::span<const Shape> shapes) {
  if (shapes.size() != objects.size())
    throw Error(ErrorCode::kUsage, "there must be a shape for each object");
  std::vector<Marked> marked;
  for (std::size_t i = 0; i < objects.size(); ++i) marked.push_back({objects[i].box, &shapes[i]});
  state_->write(input, frame, marked);
}

void Annotator::write_followed(const Input& input, FrameEvent& frame, std::span<const Followed> faces) {
  std::vector<Marked> marked;
  for (const Followed& face : faces)
    if (face.state != FaceState::kLost) marked.push_back({face.box, &face.shape, face.id});
  state_->write(input, frame, marked);
}

void Annotator::write_tracks(const Input& input, FrameEvent& frame, std::span<const Track> tracks) {
  std::vector<Marked> marked;
  // Far beyond any picture, but within an int.
  const auto whole = [](double value) { return static_cast<int>(std::lround(std::clamp(value, -1e6, 1e6))); };
  for (const Track& track : tracks) {
    const RealBox& real = track.box;
    if (track.state == TrackState::kLost || !std::isfinite(real.x + real.y + real.width + real.height))
      continue;
    const Box box{whole(track.box.x), whole(track.box.y), whole(track.box.width), whole(track.box.height)};
    marked.push_back(
        {box, nullptr, track.id, track.state == TrackState::kFound ? kFoundColor : kTrackedColor});
  }
  state_->write(input, frame, marked);
}

void Annotator::finish_input() { state_->finish_input(state_->stop.stop_requested()); }

void Annotator::drop_input() {
  state_->writer.reset();
  state_->video_failed = false;
}

}  // namespace winnow
