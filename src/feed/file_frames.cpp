#include "feed/file_frames.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/file.h"
#include "image/files/decode.h"

namespace winnow {
void give_file_frames(const Input& input, const FrameReaderOptions& options,
                      const std::function<bool(FrameEvent event)>& give) {
  FileBytes file = input.file;
  if (file == nullptr)
    file = std::make_shared<const std::vector<std::byte>>(read_file(input.path, kMaxPictureBytes));
  const ReadOptions read{options.color, options.max_pixels};
  if (options.files && !holds_several_pnm(*file, read)) {
    FrameEvent event;
    event.kind = FrameEvent::Kind::kFrame;
    event.file = std::move(file);
    give(std::move(event));
    return;
  }
  std::size_t first = 0;
  for (std::int64_t i = 0; i == 0 || first > 0; ++i) {
    DecodedFile decoded = decode_file(*file, read, first);
    first = decoded.next;
    FrameEvent event;
    event.kind = FrameEvent::Kind::kFrame;
    event.picture = std::move(decoded.picture);
    event.index = i;
    event.sequence = i > 0 || first > 0;  // a file of several pictures is a stream that lies on the disk
    event.unread = decoded.others;
    if (i % options.every == 0 && !give(std::move(event))) return;
  }
}

}  // namespace winnow
