// Reads the box of one object in each frame of a sequence: what people marked, or what a tracker answered.
//
//   winnow::BoxTrack truth = winnow::read_box_track("car/gt.txt", {.format = "tld"});
//   for (const winnow::FrameBox& frame : truth.frames)
//     if (frame.box) std::printf("%g %g\n", frame.box->x, frame.box->y);
//
// In:     a file; hostile bytes are refused.
// Out:    a box or none for each frame, in the order of the file. Pixels count from 0.
// Exact:  numbers as the file gives them, converted in doubles as `BoxTrackFormat` says.
// Memory: the result belongs to the caller. A file has at most 256 MiB and 4 Mi frames. A returned name lives
//         as long as the program.
// Thread: any thread may call the functions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>

namespace winnow {

// Formats of tracks.
// - Text has one box a line, with commas, blanks or tabs between the numbers. All lines have equally many
//   numbers. NaN in place of the numbers means that there is no object. So do four zeros where the format has
//   width and height. A fifth number is a confidence.
// - Boxes may extend beyond the picture.
enum class BoxTrackFormat {
  kOtb,  // x,y,width,height. Pixels count from 1, so 1 is subtracted from x and y.
  kTld,  // x1,y1,x2,y2. Column x2 and row y2 belong to the box, so the width is x2 - x1 + 1.
  kVot,  // The corners x1,y1 to x4,y4 of a polygon, whose upright box is taken, or x,y,width,height.
  kTlp,  // frame,x,y,width,height,lost, or x,y,width,height. `lost` is 0 or 1.
  // One line of JSON a frame: {"source":..,"frame":0,"tracks":[{"id":1,"x":..,"y":..,"width":..,"height":..,
  // "confidence":..,"state":"found"}]}. The state is "found", "tracked" or "lost". A lost object has no box.
  kJson,
  kCsv,  // A head line that names columns: source,frame,id,x,y,width,height,confidence,state.
};
// "otb", "tld", "vot", "tlp", "json" or "csv".
WINNOW_API const char* box_track_format_name(BoxTrackFormat format);

// An object in one frame.
struct FrameBox {
  std::optional<RealBox> box = {};  // no value: people marked no object, or the tracker lost it
  double confidence = std::numeric_limits<double>::quiet_NaN();  // from 0 to 1; NaN if none is stated
};

struct BoxTrack {
  BoxTrackFormat format = BoxTrackFormat::kOtb;
  std::vector<FrameBox> frames;
  Size picture = {};  // the largest size of a frame that lines of JSON state; none without it
};

struct BoxTrackOptions {
  std::string format = {};  // a name from `box_track_format_name`; "": recognised by content
  // The format of text whose content fits several formats; "": such text is an error. The option takes effect
  // if it names one of these formats.
  std::string or_else = {};
  std::optional<std::int64_t> id = {};  // the track to take from JSON or CSV; no value: the only one
};

// Errors name the file, and the line if one is at fault: kIo for a file that cannot be read, kFormat for
// bytes that are no track, kLimit for a file that is too large. kUsage for an unknown format or id, and for
// several ids without `id`.
//
// Content decides the format if it leaves no choice: eight numbers are a polygon, and six are TLP's. Four
// numbers are no corners if a third number is below the first, or a fourth below the second. Among widths and
// heights, only OTB has blanks or tabs between the numbers.
WINNOW_API BoxTrack read_box_track(const std::string& path, const BoxTrackOptions& options = {});

}  // namespace winnow
