// Makes streams of pictures for tests of scans. The first pixels of each frame tell the stream and the frame.
//
// In:     the number of frames of each stream.
// Out:    the streams as inputs, with a broken input after the second stream.
// Memory: the streams are files of a folder that ends with the object.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include <winnow/feed.h>

#include "base/folder_for_test.h"

namespace winnow {

// Identifies a frame of `Streams` by its first two pixels: the stream's number and the frame's number.
struct Mark {
  int stream, frame;
  bool operator==(const Mark&) const = default;
};
inline Mark mark_of(const FrameEvent& event) {
  const std::uint8_t* row = event.picture.gray.view().row(0);
  return {row[0], row[1]};
}

// Makes one stream for each number of frames in `counts`. A broken input follows the second stream.
class Streams : public TestFolder {
 public:
  explicit Streams(const std::vector<int>& counts, int sizes = 1) {
    for (std::size_t s = 0; s < counts.size(); ++s) {
      // Frames of different streams may differ in size.
      const int width = 8 + (sizes > 1 ? static_cast<int>(s) % sizes : 0);
      const std::string path = file("stream" + std::to_string(s));
      std::ofstream out(path, std::ios::binary);
      for (int f = 0; f < counts[s]; ++f) {
        out << "P5 " << width << " 2 255\n";
        std::string pixels(static_cast<std::size_t>(2 * width), '\0');
        pixels[0] = static_cast<char>(s);
        pixels[1] = static_cast<char>(f);
        out << pixels;
      }
      inputs_.push_back({InputKind::kStream, path, "", ""});
      if (s == 1) inputs_.push_back({InputKind::kBroken, "*.gif", "", "no file is called so"});
    }
  }
  const std::vector<Input>& inputs() const { return inputs_; }

 private:
  std::vector<Input> inputs_;
};

}  // namespace winnow
