// Fuzzes the readers of tracks with any bytes.
// The bytes are refused with an `Error`, or read. A track that was read must keep the promises of
// winnow/box_track.h. The first three bytes do not belong to the file: they name a format, another format and
// a track, or none.
#include <winnow/box_track.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <span>

#include <winnow/error.h>

#include "truth/tracks/track_file.h"

namespace {

void require(bool good) {
  if (!good) std::abort();
}

void check(const winnow::BoxTrack& track) {
  require(!track.frames.empty() && track.frames.size() <= winnow::kMaxFrames);
  for (const winnow::FrameBox& frame : track.frames) {
    require(std::isnan(frame.confidence) || (frame.confidence >= 0 && frame.confidence <= 1));
    if (!frame.box) continue;
    for (const double value : {frame.box->x, frame.box->y, frame.box->width, frame.box->height})
      require(std::isfinite(value));
    require(frame.box->width > 0 && frame.box->height > 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const char* const formats[] = {"", "otb", "tld", "vot", "tlp", "json", "csv"};
  winnow::BoxTrackOptions options;
  options.format = formats[data[0] % std::size(formats)];
  options.or_else = formats[data[1] % std::size(formats)];
  if (data[2] != 0) options.id = data[2] - 1;
  try {
    check(winnow::parse_box_track(std::as_bytes(std::span(data + 3, size - 3)), options));
  } catch (const winnow::Error& error) {
    require(!error.sentence().empty());
  }
  return 0;
}
