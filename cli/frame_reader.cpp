#include "frame_reader.h"

#include <winnow/error.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "byte_stream.h"
#include "stop.h"

namespace winnow::cli {
namespace {

constexpr std::size_t kQueueBytes = std::size_t{256} << 20;
constexpr std::size_t kQueueFrames = 16;
constexpr std::size_t kCameraFrames = 2;
constexpr std::chrono::milliseconds kStopInterval{50};

FrameEvent problem_event(std::size_t input, std::string problem) {
  FrameEvent event;
  event.kind = FrameEvent::Kind::kProblem;
  event.input = input;
  event.problem = std::move(problem);
  return event;
}

FrameEvent frame_event(std::size_t input, Picture picture, std::int64_t index) {
  FrameEvent event;
  event.kind = FrameEvent::Kind::kFrame;
  event.input = input;
  event.picture = std::move(picture);
  event.index = index;
  return event;
}

std::string name_of(const Input& input) { return input.path == "-" ? "standard input" : input.path; }

std::string text_of(const Error& error, const Input& input) {
  return error.file().empty() ? error.in_file(name_of(input)).what() : error.what();
}

}  // namespace

std::size_t FrameEvent::bytes() const {
  const auto pixels = [](Size size) {
    return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  };
  return pixels(picture.gray.size()) + pixels(picture.color.size()) * sizeof(Rgb);
}

FrameReader::FrameReader(const std::vector<Input>& inputs, const FrameReaderOptions& options)
    : inputs_(inputs), options_(options) {
  const std::size_t threads = std::min(static_cast<std::size_t>(std::max(options.threads, 1)), inputs.size());
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

FrameReader::~FrameReader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool FrameReader::next(FrameEvent& event) {
  std::unique_lock lock(mutex_);
  for (;;) {
    // A signal cannot wake a condition: look for it now and then.
    if (stop_requested()) return false;
    if (!queue_.empty()) break;
    if (turn_ == inputs_.size()) return false;
    changed_.wait_for(lock, kStopInterval);
  }
  event = std::move(queue_.front());
  queue_.pop_front();
  queue_bytes_ -= event.bytes();
  changed_.notify_all();
  return true;
}

void FrameReader::work() {
  for (;;) {
    std::size_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      if (stopping_ || next_input_ == inputs_.size()) return;
      index = next_input_++;
    }
    std::string problem;
    try {
      read(index);
    } catch (const Error& error) {
      problem = text_of(error, inputs_[index]);
    } catch (const std::bad_alloc&) {
      problem = name_of(inputs_[index]) + ": there is not enough memory for it";
    } catch (const std::exception& error) {
      problem = name_of(inputs_[index]) + ": " + error.what();
    }
    if (!wait_for_turn(index)) return;
    if (!problem.empty()) push(problem_event(index, std::move(problem)));
    FrameEvent end;
    end.input = index;
    push(std::move(end));
    {
      const std::lock_guard lock(mutex_);
      ++turn_;
    }
    changed_.notify_all();
  }
}

void FrameReader::read(std::size_t index) {
  const Input& input = inputs_[index];
  const InputKind kind = input.kind == InputKind::kUnknown ? look_inside(input.path) : input.kind;
  if (kind == InputKind::kBroken) throw Error(ErrorCode::kIo, input.problem, input.path);
  if (kind == InputKind::kPicture) {
    Picture picture = read_picture(input.path, {options_.color, options_.max_pixels});
    if (wait_for_turn(index)) push(frame_event(index, std::move(picture), 0));
    return;
  }
  // Only one video or stream is open at a time.
  if (!wait_for_turn(index)) return;
  if (kind == InputKind::kStream) {
    read_stream(index);
  } else {
    read_video(index);
  }
}

void FrameReader::read_video(std::size_t index) {
  VideoReader reader(inputs_[index].path, {options_.color, options_.every, options_.max_pixels});
  const auto info = std::make_shared<const VideoInfo>(reader.info());
  VideoFrame frame;
  while (!stopping_ && reader.next(frame)) {
    FrameEvent event = frame_event(index, std::move(frame.picture), frame.index);
    event.time = frame.time;
    event.video = info;
    if (!push(std::move(event))) return;
    frame = VideoFrame();
  }
}

void FrameReader::read_stream(std::size_t index) {
  ByteStream bytes(inputs_[index].path, stopping_);
  PictureStream stream([&](std::byte* buffer, std::size_t size) { return bytes.read(buffer, size); },
                       {options_.color, options_.max_pixels});
  std::string last_problem;
  for (std::int64_t i = 0;; ++i) {
    Picture picture;
    try {
      if (!stream.next(picture)) return;
    } catch (const Error& error) {
      // A stream goes on behind a broken picture; the same problem twice means that this one cannot.
      const std::string problem = text_of(error, inputs_[index]);
      if (problem == last_problem || !push(problem_event(index, problem))) return;
      last_problem = problem;
      continue;
    }
    if (i % options_.every == 0 && !push(frame_event(index, std::move(picture), i))) return;
  }
}

bool FrameReader::wait_for_turn(std::size_t index) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || turn_ == index; });
  return !stopping_;
}

bool FrameReader::push(FrameEvent event) {
  const std::size_t bytes = event.bytes();
  const bool camera = inputs_[event.input].kind == InputKind::kCamera;
  const std::size_t frames = camera ? kCameraFrames : kQueueFrames;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return stopping_ || queue_.empty() || (queue_.size() < frames && queue_bytes_ + bytes <= kQueueBytes);
  });
  if (stopping_) return false;
  queue_bytes_ += bytes;
  queue_.push_back(std::move(event));
  changed_.notify_all();
  return true;
}

}  // namespace winnow::cli
