#include "image/video_functions.h"

#include <winnow/error.h>

#include "image/opened_library.h"

namespace winnow {

#if defined(WINNOW_VIDEO_LIBRARY)

const VideoFunctions& video_functions(const std::string& path) {
  static const VideoFunctions& functions = open_table<VideoFunctions>(
      {WINNOW_VIDEO_LIBRARY, "winnow_video_functions", WINNOW_VIDEO_STAMP, "videos need"}, path);
  return functions;
}

#elif defined(WINNOW_HAVE_VIDEO)

const VideoFunctions& video_functions(const std::string&) { return *winnow_video_functions(); }

#else

const VideoFunctions& video_functions(const std::string& path) {
  throw Error(
      ErrorCode::kUnsupported,
      "this build has no video: it was configured without FFmpeg. In Python read the frames with PyAV or "
      "OpenCV; for the command, build Winnow where FFmpeg's packages are installed",
      path);
}

#endif

}  // namespace winnow
