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
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct FrameSource {
  std::string video;
  std::string raw, size;  // instead of a video; the size as in "1920x1080"
};

std::vector<winnow::GrayImage> read_frames(const FrameSource& source, std::size_t most);

// Declares the options that benches of such frames share, for `app`, a `CLI::App`. `results`: a
// `ResultOptions` (results_file.h).
template <class App, class Results>
void add_frame_options(App& app, FrameSource& source, std::uint64_t& seed, Results& results) {
  app.add_option("VIDEO", source.video);
  app.add_option("--raw", source.raw, "a file of grey frames instead of a video");
  app.add_option("--size", source.size, "the size of raw frames, such as 1920x1080");
  app.add_option("--seed", seed);
  app.add_option("--json", results.file, "a file of bench/results/ to write");
  app.add_option("--device", results.device, "the machine in words");
  app.add_option("--commit", results.commit, "the commit that is measured");
}

// The numbers of "X,Y,WIDTH,HEIGHT".
winnow::RealBox parse_box(const std::string& text);

}  // namespace bench
