#include "feed/input_frames.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "feed/byte_stream.h"
#include "feed/file_frames.h"
#include "feed/input_kind.h"

namespace winnow {
namespace {

constexpr const char* kNoAddresses =
    "addresses need FFmpeg's libraries, which are not here; let the program ffmpeg read it: ffmpeg -i "
    "ADDRESS -f image2pipe -c:v mjpeg - | winnow detect -";

FrameEvent frame_event(std::size_t index, Picture picture, std::int64_t number) {
  FrameEvent event = event_of(FrameEvent::Kind::kFrame, index);
  event.picture = std::move(picture);
  event.index = number;
  event.sequence = true;
  return event;
}

void give_pictures(const Input& input, const FrameReaderOptions& options, const InputReading& reading) {
  give_file_frames(input, options, [&](FrameEvent event) {
    event.input = reading.index;
    return reading.give(std::move(event));
  });
}

void give_video(const Input& input, const FrameReaderOptions& options, const InputReading& reading) {
  if (!input.address.empty() && !video_supported())
    throw Error(ErrorCode::kUnsupported, kNoAddresses, input_name(input));
  VideoOptions wanted{options.color, options.every, options.max_pixels};
  wanted.address = input.address;
  wanted.stop = reading.over;
  VideoReader reader(input.path, wanted);
  const auto info = std::make_shared<const VideoInfo>(reader.info());
  VideoFrame frame;
  while (!reading.over.stop_requested() && reader.next(frame)) {
    FrameEvent event = frame_event(reading.index, std::move(frame.picture), frame.index);
    event.time = frame.time;
    event.video = info;
    if (!reading.give(std::move(event))) return;
    frame = VideoFrame();
  }
  if (const std::int64_t broken = reader.broken(); broken > 0 && !reading.over.stop_requested()) {
    reading.give(problem_event(reading.index, input_name(input) + ": " + std::to_string(broken) +
                                                  (broken == 1 ? " packet" : " packets") +
                                                  " could not be read or decoded: frames may be missing"));
  }
}

void give_stream(const Input& input, const FrameReaderOptions& options, const InputReading& reading) {
  ByteStream bytes(input.path, reading.over);
  PictureStream stream([&](std::byte* buffer, std::size_t size) { return bytes.read(buffer, size); },
                       {options.color, options.max_pixels});
  for (std::int64_t i = 0;; ++i) {
    Picture picture;
    try {
      if (!stream.next(picture)) return;
    } catch (const Error& error) {
      if (!reading.give(problem_event(reading.index, text_of(error, input))) || stream.lost()) return;
      continue;
    }
    if (i % options.every != 0) continue;
    if (!reading.give(frame_event(reading.index, std::move(picture), i))) return;
  }
}

void give_made_frames(const Input& input, const InputReading& reading) {
  for (FrameEvent event; input.frames(event, reading.over); event = FrameEvent()) {
    event.input = reading.index;
    if (!reading.give(std::move(event))) return;
  }
}

}  // namespace

void give_input_frames(const Input& input, const FrameReaderOptions& options, const InputReading& reading) {
  if (input.frames) return give_made_frames(input, reading);
  if (input.file != nullptr) return give_pictures(input, options, reading);
  const bool is_file = input.kind == InputKind::kPicture || input.kind == InputKind::kVideo ||
                       input.kind == InputKind::kUnknown;
  const InputKind kind = is_file ? read_input_kind(input.path) : input.kind;
  if (kind == InputKind::kBroken) throw Error(ErrorCode::kIo, input.problem, input.path);
  if (kind == InputKind::kPicture) return give_pictures(input, options, reading);
  if (!reading.wait_for_earlier()) return;
  if (kind == InputKind::kStream) {
    give_stream(input, options, reading);
  } else {
    give_video(input, options, reading);
  }
}

FrameEvent event_of(FrameEvent::Kind kind, std::size_t index) {
  FrameEvent event;
  event.kind = kind;
  event.input = index;
  return event;
}

FrameEvent problem_event(std::size_t index, std::string problem) {
  FrameEvent event = event_of(FrameEvent::Kind::kProblem, index);
  event.problem = std::move(problem);
  return event;
}

std::string text_of(const Error& error, const Input& input) {
  return error.file().empty() ? error.in_file(input_name(input)).what() : error.what();
}

}  // namespace winnow
