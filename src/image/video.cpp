// Passes the calls of `VideoReader` and `VideoWriter` to the room `video`. The opening comment of
// winnow/video.h, which declares them, holds here.
#include <winnow/error.h>
#include <winnow/video.h>

#include "image/video_functions.h"

namespace winnow {

bool video_supported() {
  try {
    video_functions({});
    return true;
  } catch (const Error&) {
    return false;
  }
}

struct VideoReader::State {
  std::unique_ptr<VideoSource> source;
};

VideoReader::VideoReader(const std::string& path, const VideoOptions& options)
    : state_(std::make_unique<State>(State{video_functions(path).open(path, options)})) {}
VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;
const VideoInfo& VideoReader::info() const { return state_->source->info(); }
bool VideoReader::next(VideoFrame& frame) { return state_->source->next(frame); }
std::int64_t VideoReader::broken() const { return state_->source->broken(); }

struct VideoWriter::State {
  std::unique_ptr<VideoSink> sink;
};

VideoWriter::VideoWriter(const std::string& path, const VideoInfo& info, const std::string& source)
    : state_(std::make_unique<State>(State{video_functions(path).create(path, info, source)})) {}
VideoWriter::~VideoWriter() = default;
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;
void VideoWriter::write(RgbView frame, double time) { state_->sink->write(frame, time); }
void VideoWriter::finish(bool given_up) { state_->sink->finish(given_up); }

}  // namespace winnow
