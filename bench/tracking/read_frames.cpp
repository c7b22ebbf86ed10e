#include "tracking/read_frames.h"

#include <winnow/video.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "frame_size.h"

namespace bench {
using namespace winnow;

std::vector<GrayImage> read_frames(const FrameSource& source, std::size_t most) {
  if (source.raw.empty() == source.video.empty())
    throw std::runtime_error("give a video, or --raw with --size");
  std::vector<GrayImage> frames;
  if (!source.raw.empty()) {
    const Size size = parse_frame_size(source.size);
    std::ifstream file(source.raw, std::ios::binary);
    while (frames.size() < most) {
      GrayImage frame(size.width, size.height);
      bool whole = true;
      for (int y = 0; y < size.height && whole; ++y)
        whole = static_cast<bool>(file.read(reinterpret_cast<char*>(frame.row(y)), size.width));
      if (!whole) break;
      frames.push_back(std::move(frame));
    }
  } else {
    VideoReader reader(source.video);
    VideoFrame frame;
    while (frames.size() < most && reader.next(frame)) {
      const GrayView gray = frame.picture.gray.view();
      frames.emplace_back(gray.width, gray.height);
      for (int y = 0; y < gray.height; ++y) std::copy_n(gray.row(y), gray.width, frames.back().row(y));
    }
  }
  if (frames.size() < 2) throw std::runtime_error("too few frames: give a longer video, or the right --size");
  return frames;
}

RealBox parse_box(const std::string& text) {
  RealBox box;
  std::istringstream in(text);
  char comma[3] = {};
  in >> box.x >> comma[0] >> box.y >> comma[1] >> box.width >> comma[2] >> box.height;
  if (!in || in.peek() != std::istringstream::traits_type::eof() ||
      std::any_of(comma, comma + 3, [](char c) { return c != ','; }))
    throw std::runtime_error("'" + text + "' is no box; write X,Y,WIDTH,HEIGHT");
  return box;
}

}  // namespace bench
