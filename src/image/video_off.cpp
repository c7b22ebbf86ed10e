#ifndef WINNOW_HAVE_VIDEO
// What include/winnow/video.h promises for a build without FFmpeg.
#include <winnow/error.h>
#include <winnow/video.h>

namespace winnow {
namespace {

[[noreturn]] void no_video(const std::string& path) {
  throw Error(ErrorCode::kUnsupported, "this build has no video: FFmpeg was not found when it was configured",
              path);
}

}  // namespace

bool video_supported() { return false; }

struct VideoReader::State {
  VideoInfo info;
};

VideoReader::VideoReader(const std::string& path, const VideoOptions&) { no_video(path); }
VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;
const VideoInfo& VideoReader::info() const { return state_->info; }
std::int64_t VideoReader::broken() const { return 0; }
bool VideoReader::next(VideoFrame&) { no_video({}); }

struct VideoWriter::State {};

VideoWriter::VideoWriter(const std::string& path, const VideoInfo&, const std::string&) { no_video(path); }
VideoWriter::~VideoWriter() = default;
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;
void VideoWriter::write(RgbView, double) { no_video({}); }
void VideoWriter::finish() { no_video({}); }

}  // namespace winnow
#endif
