// Gives `winnow::Error`, the type of the library's own exceptions.
//
// In:     a code, a sentence, and the file and the place in the file, if they are known.
// Out:    the library throws `Error`. If the system has no memory or thread left, it may throw std::bad_alloc
//         or std::system_error instead. The library never prints, exits or aborts.
// Memory: an Error owns its texts, which live as long as the Error. `error_code_name` returns a string that
//         lives as long as the program.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <winnow/export.h>

namespace winnow {

enum class ErrorCode {
  kUsage,        // an argument that makes no sense (scale <= 1, a picture without pixels)
  kIo,           // a file or device that cannot be opened, read or written
  kFormat,       // bytes that are not what they claim to be
  kUnsupported,  // a request or file that makes sense, but that this build cannot handle
  kLimit,        // data that is refused for its size, or for lack of host memory
  kBackend,      // a backend or device that is not available
  kDevice,       // a device that ran out of memory, or failed
};

// The enumerator as a word: "usage", "io", "format", "unsupported", "limit", "backend", "device".
WINNOW_API const char* error_code_name(ErrorCode code);

// `what()` is "<file>: <place>: <sentence>", without what is unknown. Control characters are \n or \x1b.
class WINNOW_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, std::string sentence, std::string file = {}, std::string place = {});
  ~Error() override;

  ErrorCode code() const { return code_; }
  const std::string& sentence() const { return sentence_; }
  const std::string& file() const { return file_; }
  const std::string& place() const { return place_; }  // "line 12", "byte 3071", "stage 4"

  // The same error with `file` in place of an earlier file's name. Readers of bytes know no file; their
  // callers add the name.
  Error in_file(const std::string& file) const;

 private:
  ErrorCode code_;
  std::string sentence_, file_, place_;
};

}  // namespace winnow
