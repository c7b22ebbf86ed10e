#include "frame_reader.h"

#include <winnow/error.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "byte_stream.h"
#include "stop.h"

namespace winnow::cli {
namespace {

constexpr std::size_t kQueueBytes = std::size_t{256} << 20;
constexpr std::size_t kQueueFrames = 64;
constexpr std::size_t kFrontFrames = 16;  // of the input that is taken, whatever others have queued
constexpr std::size_t kCameraFrames = 2;
constexpr std::chrono::milliseconds kStopInterval{50};

constexpr int kMostReaders = 16;  // each holds a picture

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

// Ends take no room: an input has one.
bool takes_room(const FrameEvent& event) { return event.kind != FrameEvent::Kind::kEnd; }

}  // namespace

std::size_t FrameEvent::bytes() const {
  const auto pixels = [](Size size) {
    return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  };
  return pixels(picture.gray.size()) + pixels(picture.color.size()) * sizeof(Rgb);
}

int reader_threads(int search_threads) { return std::min(search_threads, kMostReaders); }

FrameReader::FrameReader(const std::vector<Input>& inputs, const FrameReaderOptions& options)
    : inputs_(inputs), options_(options) {
  const std::size_t threads = std::min(static_cast<std::size_t>(std::max(options.threads, 1)), inputs.size());
  for (std::size_t i = 0; i < threads; ++i) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // there may be no more of them; one will do
      if (threads_.empty()) throw;
      break;
    }
  }
}

FrameReader::~FrameReader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  room_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool FrameReader::next(FrameEvent& event) {
  std::unique_lock lock(mutex_);
  for (;;) {
    // A signal cannot wake a condition: look for it now and then.
    if (stop_requested()) return false;
    if (!slots_.empty() && !slots_.front().events.empty()) break;
    if (front_ == inputs_.size()) return false;
    ready_.wait_for(lock, kStopInterval);
  }
  std::deque<FrameEvent>& events = slots_.front().events;
  event = std::move(events.front());
  events.pop_front();
  if (takes_room(event)) {
    --waiting_frames_;
    waiting_bytes_ -= event.bytes();
  }
  const bool over = slots_.front().done && events.empty();
  if (over) {
    slots_.pop_front();
    ++front_;
  }
  // Many readers may wait: they are woken where half of a room is free again, which the front's always is if
  // it has nothing.
  const bool reading = slots_.empty() || !slots_.front().done;
  const std::size_t at_front = slots_.empty() ? 0 : slots_.front().events.size();
  if (waiting_frames_ <= kQueueFrames / 2 || (reading && at_front <= (over ? 0 : kFrontFrames / 2)))
    room_.notify_all();
  return true;
}

bool FrameReader::ready() {
  const std::lock_guard lock(mutex_);
  return !slots_.empty() && !slots_.front().events.empty();
}

void FrameReader::work() {
  const std::size_t most_begun = kQueueFrames + static_cast<std::size_t>(std::max(options_.threads, 1));
  for (;;) {
    std::size_t index = 0;
    {
      std::unique_lock lock(mutex_);
      // No further ahead than there is room for.
      room_.wait(lock, [&] { return stopping_ || slots_.size() < most_begun; });
      index = front_ + slots_.size();
      if (stopping_ || index == inputs_.size()) return;
      slots_.emplace_back();
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
    if (!problem.empty() && !push(problem_event(index, std::move(problem)))) return;
    finish(index);
  }
}

void FrameReader::read(std::size_t index) {
  const Input& input = inputs_[index];
  const InputKind kind = input.kind == InputKind::kUnknown ? look_inside(input.path) : input.kind;
  if (kind == InputKind::kBroken) throw Error(ErrorCode::kIo, input.problem, input.path);
  if (kind == InputKind::kPicture) {
    Picture picture = read_picture(input.path, {options_.color, options_.max_pixels});
    push(frame_event(index, std::move(picture), 0));
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
  if (const std::int64_t broken = reader.broken(); broken > 0 && !stopping_) {
    push(problem_event(index, name_of(inputs_[index]) + ": " + std::to_string(broken) +
                                  (broken == 1 ? " packet" : " packets") +
                                  " could not be read or decoded: frames may be missing"));
  }
}

void FrameReader::read_stream(std::size_t index) {
  ByteStream bytes(inputs_[index].path, stopping_);
  PictureStream stream([&](std::byte* buffer, std::size_t size) { return bytes.read(buffer, size); },
                       {options_.color, options_.max_pixels});
  for (std::int64_t i = 0;; ++i) {
    Picture picture;
    try {
      if (!stream.next(picture)) return;
    } catch (const Error& error) {
      if (!push(problem_event(index, text_of(error, inputs_[index]))) || stream.lost()) return;
      continue;
    }
    if (i % options_.every == 0 && !push(frame_event(index, std::move(picture), i))) return;
  }
}

bool FrameReader::wait_for_turn(std::size_t index) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return stopping_ || turn_ == index; });
  return !stopping_;
}

// What is taken next has room always: all others may wait for it.
bool FrameReader::has_room(const FrameEvent& event) {
  const std::size_t queued = slot(event.input).events.size();
  const bool front = event.input == front_;
  if (front && queued == 0) return true;
  if (inputs_[event.input].kind == InputKind::kCamera && queued >= kCameraFrames) return false;
  return waiting_bytes_ + event.bytes() <= kQueueBytes &&
         (waiting_frames_ < kQueueFrames || (front && queued < kFrontFrames));
}

bool FrameReader::push(FrameEvent event) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return stopping_ || has_room(event); });
  if (stopping_) return false;
  ++waiting_frames_;
  waiting_bytes_ += event.bytes();
  const std::size_t index = event.input;
  slot(index).events.push_back(std::move(event));
  if (index == front_) ready_.notify_one();
  return true;
}

void FrameReader::finish(std::size_t index) {
  const std::lock_guard lock(mutex_);
  FrameEvent end;
  end.input = index;
  slot(index).events.push_back(std::move(end));
  slot(index).done = true;
  if (index == front_) ready_.notify_one();
  const std::size_t before = turn_;
  while (turn_ < front_ + slots_.size() && slot(turn_).done) ++turn_;
  if (turn_ != before) room_.notify_all();
}

}  // namespace winnow::cli
