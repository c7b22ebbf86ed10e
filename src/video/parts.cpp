#include "video/parts.h"

namespace winnow {

const VideoParts* winnow_video_parts() {
  static constexpr VideoParts kParts{kVideoStamp, open_video, create_video};
  return &kParts;
}

}  // namespace winnow
