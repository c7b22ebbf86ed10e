#include "image/files/byte_reader.h"

#include <utility>

#include <winnow/error.h>

namespace winnow {

ByteReader::ByteReader(Read read) : read_(std::move(read)), buffer_(std::size_t{1} << 16) {
  if (!read_) throw Error(ErrorCode::kUsage, "a picture stream needs a function to read from");
}

bool ByteReader::fetch() {
  if (!read_ || ended_) return false;
  before_ += static_cast<std::int64_t>(window_.size());
  used_ = 0;
  window_ = {};
  const std::size_t got = read_(buffer_.data(), buffer_.size());
  if (got > buffer_.size())
    throw Error(ErrorCode::kUsage, "the stream's function returned more than was asked for");
  window_ = std::span<const std::byte>(buffer_).first(got);
  ended_ = got == 0;
  return got != 0;
}

void skip_space(ByteReader& reader) {
  for (int byte = reader.peek(); byte == ' ' || (byte >= '\t' && byte <= '\r'); byte = reader.peek())
    reader.get();
}

}  // namespace winnow
