// Reads the grey frames of a video, or of a raw file of frames that follow one another without gaps.
//
// In:     a video that FFmpeg reads; or a raw file, and the size of its frames.
// Out:    the first frames, at most as many as wanted. Throws if there are fewer than two.
// Memory: the caller owns the frames: width x height bytes each.
// Thread: any.
#pragma once

#include <winnow/box.h>
#include <winnow/image.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

struct FrameSource {
  std::string video;
  std::string raw, size;  // instead of a video; the size as in "1920x1080"
};

std::vector<winnow::GrayImage> read_frames(const FrameSource& source, std::size_t most);

// The numbers of "X,Y,WIDTH,HEIGHT".
winnow::RealBox parse_box(const std::string& text);

}  // namespace bench
