// Reads tracks from bytes: finds the format, and converts each line to a box.
//
// In:     the bytes of a file, possibly hostile.
// Out:    a `BoxTrack` with at least one frame, or an `Error` that names the line, not the file.
// Exact:  as winnow/box_track.h says.
// Memory: the result belongs to the caller. Nothing of the bytes is kept.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <winnow/box_track.h>

namespace winnow {

// The largest file that is read, in bytes. `parse_box_track` does not check this limit.
inline constexpr std::int64_t kMaxTrackBytes = std::int64_t{1} << 28;
// Limits both the frames and the boxes of a file. 4 Mi frames are more than a day of video.
inline constexpr std::size_t kMaxFrames = std::size_t{1} << 22;

BoxTrack parse_box_track(std::span<const std::byte> bytes, const BoxTrackOptions& options);

// Readers of each kind of file. The text is not empty.
BoxTrack read_box_lines(std::string_view text, std::optional<BoxTrackFormat> named,
                        std::optional<BoxTrackFormat> or_else);
BoxTrack read_json_lines(std::string_view text, std::optional<std::int64_t> id);
BoxTrack read_track_csv(std::string_view text, std::optional<std::int64_t> id);

// Throws kFormat for a confidence outside 0 to 1.
double checked_confidence(double confidence);
// Throws kFormat for a box without an area.
RealBox checked_box(const RealBox& box);

}  // namespace winnow
