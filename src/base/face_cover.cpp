// Names the reasons for covers, as winnow/face_cover.h declares; its opening comment holds here.
#include <winnow/face_cover.h>

namespace winnow {

const char* reason_name(CoverReason reason) {
  static constexpr const char* kNames[] = {"found", "carried", "joined", "lingering"};
  return kNames[static_cast<int>(reason)];
}

}  // namespace winnow
