#include "video/functions.h"

namespace winnow {

const VideoFunctions* winnow_video_functions() {
  static constexpr VideoFunctions kFunctions{WINNOW_VIDEO_STAMP, open_video, create_video};
  return &kFunctions;
}

}  // namespace winnow
