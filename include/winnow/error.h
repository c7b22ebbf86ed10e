// Gives `winnow::Error`, the one type for everything that can go wrong.
//
// Out:    the library throws `Error`. The library never prints, exits or aborts.
// Memory: an Error owns its texts.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <winnow/export.h>

namespace winnow {

enum class ErrorCode {
  kUsage,        // an argument that makes no sense (scale <= 1, an empty picture where one is needed)
  kIo,           // a file or device that cannot be opened, read or written
  kFormat,       // bytes that are not what they claim to be
  kUnsupported,  // understood, but not done by this build
  kLimit,        // refused because of its size
  kBackend,      // a backend or device that is not here
  kDevice,       // a device that ran out of memory, or failed
};

WINNOW_API const char* error_code_name(ErrorCode code);

// `what()` is "<file>: <place>: <sentence>", without the parts that are not known.
class WINNOW_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, std::string sentence, std::string file = {}, std::string place = {});
  ~Error() override;

  ErrorCode code() const { return code_; }
  const std::string& sentence() const { return sentence_; }
  const std::string& file() const { return file_; }
  const std::string& place() const { return place_; }  // "line 12", "byte 3071", "stage 4"

  // The same error with the file named. Readers use this function if they see bytes only.
  Error in_file(const std::string& file) const;

 private:
  ErrorCode code_;
  std::string sentence_, file_, place_;
};

}  // namespace winnow
