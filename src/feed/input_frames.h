// Gives the frames of one input: a picture's file, a video, a camera, a stream, or frames made elsewhere.
//
// In:     an input, and what its reader lends.
// Out:    calls of `give` with kFrame and kProblem events that name the input's number. `Error` if the input
//         cannot be read at all.
// Memory: as VideoReader, PictureStream and give_file_frames.
// Thread: any.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

#include <winnow/error.h>
#include <winnow/feed.h>

namespace winnow {

// What a reader lends while an input is read.
struct InputReading {
  std::size_t index = 0;                       // the input's number
  std::stop_token over = {};                   // ends the waiting for bytes and frames
  std::function<bool(FrameEvent event)> give;  // false: nothing further is wanted
  // Waits until all inputs before are read, because only one video or stream is open at a time. False: nothing
  // further is wanted.
  std::function<bool()> wait_for_earlier;
};

void give_input_frames(const Input& input, const FrameReaderOptions& options, const InputReading& reading);

// An event without a picture, for the input of this number.
FrameEvent event_of(FrameEvent::Kind kind, std::size_t index);
FrameEvent problem_event(std::size_t index, std::string problem);
// The error's sentence, which names the input.
std::string text_of(const Error& error, const Input& input);

}  // namespace winnow
