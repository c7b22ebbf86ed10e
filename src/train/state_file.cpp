#include "train/state_file.h"

#include <winnow/error.h>

#include "base/file.h"
#include "base/random.h"

namespace winnow {
namespace {

constexpr std::int64_t kMostStateBytes = std::int64_t{16} << 30;

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t sum = seed;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    sum = hash(sum, word);
  }
  std::uint64_t rest = bytes.size();
  for (; i < bytes.size(); ++i) rest = rest << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return hash(sum, rest);
}

void StateWriter::append(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void StateWriter::write(const std::string& path) {
  put(hash_bytes(bytes_));
  if (static_cast<std::int64_t>(bytes_.size()) > kMostStateBytes)
    throw Error(ErrorCode::kLimit, "the state is larger than could be read again", path);
  write_file(path, bytes_);
}

StateReader::StateReader(const std::string& path)
    : path_(path), bytes_(read_file(path, kMostStateBytes)), left_(bytes_) {
  std::uint64_t own = 0;
  if (left_.size() < sizeof(own)) fail("it is cut off");
  std::memcpy(&own, left_.data() + left_.size() - sizeof(own), sizeof(own));
  left_ = left_.first(left_.size() - sizeof(own));
  if (own != hash_bytes(left_)) fail("its checksum is wrong");
}

std::size_t StateReader::get_count(std::size_t bytes) {
  const auto count = get<std::uint64_t>();
  if (count > left_.size() / bytes) fail("it is cut off");
  return count;
}

void StateReader::fail(const std::string& why) const {
  throw Error(ErrorCode::kFormat, "this is no state of a training that could be gone on with: " + why, path_);
}

}  // namespace winnow
