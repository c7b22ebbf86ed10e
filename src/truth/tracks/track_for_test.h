// Reads tracks from a text, for tests.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <winnow/error.h>

#include "truth/tracks/track_file.h"

namespace winnow {

inline BoxTrack track_of(std::string_view text, const BoxTrackOptions& options = {}) {
  return parse_box_track(std::as_bytes(std::span(text)), options);
}

inline BoxTrack track_of(std::string_view text, const std::string& format) {
  return track_of(text, BoxTrackOptions{format, {}, {}});
}

// The sentence of the error with its place; "read" if there is no error.
inline std::string track_refused(std::string_view text, const BoxTrackOptions& options = {}) {
  try {
    track_of(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

inline std::string track_refused(std::string_view text, const std::string& format) {
  return track_refused(text, BoxTrackOptions{format, {}, {}});
}

}  // namespace winnow
