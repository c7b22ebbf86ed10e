// Draws objects into copies of pictures and videos, as winnow/answer.h declares; its opening comment holds
// here. A copy never replaces a file: it gets a name that is free in the folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <winnow/answer.h>
#include <winnow/error.h>

#include "answer/draw_marks.h"
#include "image/picture_format.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

std::string picture_ending(const std::string& place) {
  const std::string ending = ending_of(place);
  if (ending == ".jpg" || ending == ".jpeg" || ending == ".png" || ending == ".ppm") return ending;
  const PictureFormat* format = format_of_ending(place);
  return format == nullptr ? ".png" : std::string(format->copy);
}

std::string video_ending(const std::string& place) {
  const std::string ending = ending_of(place);
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

}  // namespace

struct Annotator::State {
  State(const AnnotatorOptions& wanted, std::stop_token token)
      : options(wanted), stop(std::move(token)), paths(wanted.trail) {}
  ~State() {
    try {
      // The run may have ended early, for instance because nobody reads the pipe. So no more audio is copied.
      finish_input(true);
    } catch (...) {  // a destructor must not throw; `Annotator::finish_input` reports such errors
    }
  }

  // Returns false if the copy of the video failed before.
  bool write(const Input& input, FrameEvent& frame, std::span<const Marked> objects);
  void finish_input(bool given_up);
  std::string free_path(const std::string& place, const std::string& ending) const;

  const AnnotatorOptions options;
  const std::stop_token stop;
  std::optional<VideoWriter> writer;
  std::string writer_path;
  std::string copy;  // of the last frame
  bool video_failed = false;
  TrackPaths paths;
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

bool Annotator::State::write(const Input& input, FrameEvent& frame, std::span<const Marked> objects) {
  copy.clear();
  if (frame.video && video_failed) return false;
  if (frame.picture.color.size().width == 0)
    throw Error(ErrorCode::kUsage, "the frame has no colour picture: read it with FrameReaderOptions::color");
  if (!options.blur) paths.draw(frame.picture.color.view());
  draw_marks(frame.picture.color.view(), objects, options.blur);
  const RgbView image = std::as_const(frame.picture.color).view();
  if (!frame.video) {
    std::string place = input.place;
    if (input.kind == InputKind::kStream) {
      place = fmt::format("{}-{:06}.jpg", place, frame.index);
    } else if (frame.sequence) {  // a file of several pictures
      const std::string ending = fs::path(place).extension().string();
      place.resize(place.size() - ending.size());
      place += fmt::format("-{:06}{}", frame.index, ending);
    }
    const std::string path = free_path(place, picture_ending(place));
    write_picture(path, image);
    copy = path;
    return true;
  }
  try {
    if (!writer) {
      VideoInfo info = *frame.video;
      info.frames_per_second /= options.every;
      const bool camera = input.kind == InputKind::kCamera;
      writer_path = free_path(input.place, video_ending(input.place));
      writer.emplace(writer_path, info, camera ? "" : input.path);
    }
    writer->write(image, *frame.time);
    copy = writer_path;
  } catch (...) {
    video_failed = true;
    writer.reset();  // removes the unfinished copy, so that it takes no name
    throw;
  }
  return true;
}

void Annotator::State::finish_input(bool given_up) {
  video_failed = false;
  paths.clear();
  if (!writer) return;
  VideoWriter last = std::move(*writer);
  writer.reset();
  last.finish(given_up);
}

Annotator::Annotator(const AnnotatorOptions& options, std::stop_token stop)
    : state_(std::make_unique<State>(options, std::move(stop))) {
  if (options.every < 1) throw Error(ErrorCode::kUsage, "a video keeps every Nth frame: N must be 1 or more");
  if (options.trail < 0) throw Error(ErrorCode::kUsage, "a path has 0 frames or more");
  make_folder(options.folder);
}
Annotator::~Annotator() = default;
Annotator::Annotator(Annotator&&) noexcept = default;
Annotator& Annotator::operator=(Annotator&&) noexcept = default;

void Annotator::write(const Input& input, FrameEvent& frame, std::span<const Detection> objects) {
  std::vector<Marked> marked;
  for (const Detection& object : objects) marked.push_back({.box = object.box});
  state_->write(input, frame, marked);
}

void Annotator::write(const Input& input, FrameEvent& frame, std::span<const Detection> objects,
                      std::span<const Shape> shapes) {
  if (shapes.size() != objects.size())
    throw Error(ErrorCode::kUsage, "there must be a shape for each object");
  std::vector<Marked> marked;
  for (std::size_t i = 0; i < objects.size(); ++i)
    marked.push_back({.box = objects[i].box, .shape = &shapes[i]});
  state_->write(input, frame, marked);
}

void Annotator::write_followed(const Input& input, FrameEvent& frame, std::span<const Followed> faces) {
  std::vector<Marked> marked;
  for (const Followed& face : faces)
    if (face.state != FaceState::kLost) marked.push_back({face.box, &face.shape, std::to_string(face.id)});
  state_->write(input, frame, marked);
}

bool Annotator::write_covered(const Input& input, FrameEvent& frame, std::span<const FaceCover> covers) {
  std::vector<Marked> marked;
  for (const FaceCover& cover : covers) {
    Marked& mark = marked.emplace_back();
    mark.box = cover.box;
    mark.exact = true;
  }
  return state_->write(input, frame, marked);
}

void Annotator::write_tracks(const Input& input, FrameEvent& frame, std::span<const Track> tracks) {
  state_->paths.add(tracks);
  state_->write(input, frame, marks_of(tracks));
}

const std::string& Annotator::copy() const { return state_->copy; }

void Annotator::finish_input() { state_->finish_input(state_->stop.stop_requested()); }

void Annotator::drop_input() {
  state_->writer.reset();
  state_->video_failed = false;
  state_->paths.clear();
}

}  // namespace winnow
