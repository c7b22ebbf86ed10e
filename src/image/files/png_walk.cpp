#include "image/files/png_walk.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include <winnow/error.h>

#include "image/files/byte_reader.h"
#include "image/files/decode.h"

namespace winnow {
namespace {

[[noreturn]] void fail(const ByteReader& reader, ErrorCode code, const std::string& sentence) {
  throw Error(code, sentence, {}, byte_place(reader.position()));
}

void copy(ByteReader& reader, std::int64_t count, std::int64_t max_bytes, std::vector<std::byte>& png) {
  if (count > max_bytes - static_cast<std::int64_t>(png.size()))
    fail(reader, ErrorCode::kLimit,
         "a PNG is larger than the " + std::to_string(max_bytes) + " bytes allowed");
  while (count > 0) {
    const std::span<const std::byte> some = reader.buffered();
    if (some.empty()) fail(reader, ErrorCode::kFormat, "the PNG ends early");
    const std::size_t size = std::min(static_cast<std::size_t>(count), some.size());
    png.insert(png.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(size));
    reader.skip(size);
    count -= static_cast<std::int64_t>(size);
  }
}

}  // namespace

std::vector<std::byte> take_png(ByteReader& reader, std::int64_t max_bytes) {
  constexpr char kSignature[] = "\x89PNG\r\n\x1a\n";
  constexpr std::size_t kHead = 8;  // of a chunk: length and name. A checksum of 4 bytes follows the data
  std::vector<std::byte> png;
  copy(reader, kHead, max_bytes, png);
  if (std::memcmp(png.data(), kSignature, kHead) != 0) fail(reader, ErrorCode::kFormat, "not a PNG picture");
  for (bool last = false; !last;) {
    copy(reader, kHead, max_bytes, png);
    const std::byte* head = png.data() + png.size() - kHead;
    std::int64_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length * 256 + std::to_integer<int>(head[i]);
    last = std::memcmp(head + 4, "IEND", 4) == 0;
    copy(reader, length + 4, max_bytes, png);
  }
  return png;
}

}  // namespace winnow
