#include "train/samples/vec_file.h"

#include <cstdint>
#include <string>

#include <winnow/error.h>

namespace winnow {
namespace {

constexpr std::size_t kHead = 12;

struct Head {
  std::int64_t count = 0, size = 0;
  bool good() const { return count > 0 && size > 0; }
  // The size of the whole file. The size stays below 2^63, because `count` and `size` are below 2^31.
  std::uint64_t file_bytes() const {
    return kHead + static_cast<std::uint64_t>(count) * (1 + 2 * static_cast<std::uint64_t>(size));
  }
};

int byte_at(std::span<const std::byte> bytes, std::size_t at) { return std::to_integer<int>(bytes[at]); }

std::int64_t read_int(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<std::uint32_t>(byte_at(bytes, at + i));
  return static_cast<std::int32_t>(value);
}

Head read_head(std::span<const std::byte> bytes) {
  if (bytes.size() < kHead) return {};
  return {read_int(bytes, 0), read_int(bytes, 4)};
}

}  // namespace

bool is_probably_vec(std::span<const std::byte> bytes) {
  const Head head = read_head(bytes);
  return head.good() && head.file_bytes() == bytes.size();
}

std::vector<GrayImage> read_vec(std::span<const std::byte> bytes, Size window) {
  const Head head = read_head(bytes);
  if (!head.good()) throw Error(ErrorCode::kFormat, "is no .vec file: its head makes no sense", {}, "byte 0");
  const std::string samples =
      std::to_string(head.count) + " samples of " + std::to_string(head.size) + " values";
  if (head.size != std::int64_t{window.width} * window.height) {
    throw Error(ErrorCode::kUsage, "holds " + samples + ", and the window " + std::to_string(window.width) +
                                       "x" + std::to_string(window.height) + " has " +
                                       std::to_string(window.width * window.height) + " pixels");
  }
  if (head.file_bytes() != bytes.size()) {
    throw Error(ErrorCode::kFormat, "should have " + std::to_string(head.file_bytes()) + " bytes to hold " +
                                        samples + ", not " + std::to_string(bytes.size()));
  }
  std::vector<GrayImage> images;
  std::size_t at = kHead;
  for (std::int64_t i = 0; i < head.count; ++i) {
    GrayImage& image = images.emplace_back(window.width, window.height);
    ++at;
    for (std::int64_t k = 0; k < head.size; ++k, at += 2) {
      if (byte_at(bytes, at + 1) != 0)
        throw Error(ErrorCode::kFormat, "holds a value that is not from 0 to 255", {},
                    "byte " + std::to_string(at));
      image.row(0)[k] = static_cast<std::uint8_t>(byte_at(bytes, at));
    }
  }
  return images;
}

}  // namespace winnow
