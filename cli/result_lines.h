// Answers as text. JSON: one line a frame, keys always in the same order, numbers in their shortest exact
// form, so that equal answers are equal bytes. CSV: one line an object, quoted as RFC 4180 says, after a
// header line.
#pragma once

#include <winnow/detector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace winnow::cli {

enum class ResultFormat { kJsonLines, kCsv };

struct FrameResult {
  std::string source;
  std::int64_t frame = 0;
  std::optional<double> time;
  Size picture;
  std::string model;
  std::vector<Detection> objects;
  std::string backend;  // with timing only
  double seconds = 0;   // with timing only
};

// "" for JSON lines.
std::string result_header(ResultFormat format, bool timing);
std::string result_lines(ResultFormat format, bool timing, const FrameResult& result);

}  // namespace winnow::cli
