// Joins file, place and sentence of an `Error`, and gives the names of error codes and the version, as
// winnow/error.h and winnow/version.h declare. Their opening comments hold here.
#include <winnow/error.h>
#include <winnow/version.h>

#include <utility>

#include "base/clean_text.h"

namespace winnow {
namespace {

std::string join(const std::string& file, const std::string& place, const std::string& sentence) {
  std::string text;
  if (!file.empty()) text += one_line(file) + ": ";
  if (!place.empty()) text += place + ": ";
  return text + sentence;
}

}  // namespace

const char* error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kFormat:
      return "format";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kLimit:
      return "limit";
    case ErrorCode::kDevice:
      return "device";
    case ErrorCode::kBackend:
      return "backend";
  }
  return "unknown";
}

Error::Error(ErrorCode code, std::string sentence, std::string file, std::string place)
    : std::runtime_error(join(file, place, sentence)),
      code_(code),
      sentence_(std::move(sentence)),
      file_(std::move(file)),
      place_(std::move(place)) {}

Error::~Error() = default;

Error Error::in_file(const std::string& file) const { return Error(code_, sentence_, file, place_); }

const char* version() { return WINNOW_VERSION; }

}  // namespace winnow
