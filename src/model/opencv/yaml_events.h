// Reads YAML as a stream of events, with the line of each for error messages.
//
// In:     at most 64 MiB of UTF-8, possibly hostile: YAML, JSON, or OpenCV's YAML with its own first line.
// Out:    events, one at a time. Errors are kFormat, or kLimit for size, depth and memory, with the line.
// Exact:  scalars are texts, as libyaml gives them; nothing is converted.
// Memory: a few KiB for any file: events are not kept. The bytes must outlive the `YamlEvents`. An event
//         lives until the next one. libyaml does not recurse.
// Thread: one thread at a time.
//
// Aliases are refused, so that a short text cannot expand to a long one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <winnow/error.h>

namespace winnow {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{64} << 20;

class YamlEvents {
 public:
  enum class Kind { kScalar, kListStart, kListEnd, kMapStart, kMapEnd, kEnd };
  struct Event {
    Kind kind = Kind::kEnd;
    std::size_t line = 0;
    std::string_view text;  // the text of a scalar; valid until the next event
    std::string_view tag;   // the tag of a list or map; "" if there is none
  };

  explicit YamlEvents(std::span<const std::byte> bytes);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  // Returns the next event, and `kEnd` after the first document.
  const Event& next();
  const Event& event() const { return event_; }
  // Goes to the end of the list or map that the current event begins. A scalar has nothing to skip.
  void skip();
  [[noreturn]] static void fail(std::size_t line, const std::string& sentence,
                                ErrorCode code = ErrorCode::kFormat);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  Event event_;
  int depth_ = 0;
};

}  // namespace winnow
