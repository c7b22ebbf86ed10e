// Converts an answer to bytes and back, as winnow/detection.h declares; its opening comment holds here. All
// numbers are little-endian:
//   "WNDT", version, CRC-32 of all bytes that follow (4 bytes each)
//   width and height of the picture; length of the backend's name, and its bytes
//   the counters windows, skipped, flat and weak (8 bytes each)
//   the number of entries of `reached`, and the entries (8 bytes each)
//   the number of objects, and for each object x, y, width, height, score (8 bytes: a double) and neighbors
// A number has 4 bytes unless this list gives another length.
#include <winnow/detection.h>

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "base/crc32.h"

namespace winnow {
namespace {

constexpr std::size_t kMagicBytes = 4, kHeadBytes = 12, kObjectBytes = 28;
constexpr char kMagic[kMagicBytes] = {'W', 'N', 'D', 'T'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMostNameBytes = 256;

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& to) : to_(to) {}
  void text(const char* text, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to_.push_back(static_cast<std::byte>(text[i]));
  }
  template <class Number>
  void number(Number number) {
    const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
    for (std::size_t i = 0; i < sizeof bits; ++i)
      to_.push_back(static_cast<std::byte>(bits >> (8 * i) & 255));
  }

 private:
  std::vector<std::byte>& to_;
};

[[noreturn]] void refuse(const char* sentence) { throw Error(ErrorCode::kFormat, sentence); }

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> take(std::size_t size) {
    if (size > bytes_.size()) refuse("the bytes of the detections end too early");
    const std::span<const std::byte> taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }
  template <class Number>
  Number number() {
    std::make_unsigned_t<Number> bits = 0;
    const std::span<const std::byte> taken = take(sizeof bits);
    for (std::size_t i = 0; i < sizeof bits; ++i)
      bits |= std::to_integer<std::make_unsigned_t<Number>>(taken[i]) << (8 * i);
    return static_cast<Number>(bits);
  }
  // Reads a count or a size. Throws kFormat if the number is below 0.
  template <class Number>
  Number natural() {
    const auto value = number<Number>();
    if (value < 0) refuse("a count in the bytes of the detections is below 0");
    return value;
  }
  // Reads how many entries follow, each of `size` bytes. Throws kFormat if fewer bytes are left.
  std::size_t count(std::size_t size) {
    const auto value = number<std::uint32_t>();
    if (value > bytes_.size() / size) refuse("the bytes of the detections end too early");
    return value;
  }
  std::span<const std::byte> rest() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> Detections::to_bytes() const {
  if (backend.size() > kMostNameBytes)
    throw Error(ErrorCode::kLimit, "a backend's name has 256 bytes at most");
  std::vector<std::byte> bytes;
  bytes.reserve(80 + backend.size() + 8 * counters.reached.size() + kObjectBytes * objects.size());
  Writer body(bytes);
  body.text(kMagic, kMagicBytes);
  body.number(kVersion);
  body.number(std::uint32_t{0});  // the checksum, filled in below
  body.number(picture.width);
  body.number(picture.height);
  body.number(static_cast<std::uint32_t>(backend.size()));
  body.text(backend.data(), backend.size());
  for (const std::int64_t counter : {counters.windows, counters.skipped, counters.flat, counters.weak})
    body.number(counter);
  body.number(static_cast<std::uint32_t>(counters.reached.size()));
  for (const std::int64_t windows : counters.reached) body.number(windows);
  body.number(static_cast<std::uint32_t>(objects.size()));
  for (const Detection& object : objects) {
    for (const int side : {object.box.x, object.box.y, object.box.width, object.box.height})
      body.number(side);
    body.number(std::bit_cast<std::uint64_t>(object.score));
    body.number(object.neighbors);
  }
  const std::uint32_t sum = crc32(std::span(bytes).subspan(kHeadBytes));
  for (std::size_t i = 0; i < sizeof sum; ++i)
    bytes[kHeadBytes - sizeof sum + i] = static_cast<std::byte>(sum >> (8 * i) & 255);
  return bytes;
}

Detections Detections::parse(std::span<const std::byte> bytes) {
  Reader body(bytes);
  if (bytes.size() < kHeadBytes || std::memcmp(body.take(kMagicBytes).data(), kMagic, kMagicBytes) != 0)
    refuse("these are no bytes of detections");
  const auto version = body.number<std::uint32_t>();
  if (version != kVersion)
    throw Error(ErrorCode::kUnsupported, "the detections have format version " + std::to_string(version) +
                                             "; this Winnow reads version " + std::to_string(kVersion));
  const auto sum = body.number<std::uint32_t>();
  if (sum != crc32(body.rest())) refuse("the bytes of the detections are damaged");
  Detections found;
  found.picture.width = body.natural<int>();
  found.picture.height = body.natural<int>();
  const std::size_t name_bytes = body.count(1);
  if (name_bytes > kMostNameBytes) refuse("the name of the backend is too long");
  const std::span<const std::byte> name = body.take(name_bytes);
  found.backend.assign(reinterpret_cast<const char*>(name.data()), name.size());
  if (!is_clean_text(found.backend)) refuse("the name of the backend is no clean text");
  Counters& counters = found.counters;
  for (std::int64_t* counter : {&counters.windows, &counters.skipped, &counters.flat, &counters.weak})
    *counter = body.natural<std::int64_t>();
  counters.reached.resize(body.count(8));
  for (std::int64_t& windows : counters.reached) windows = body.natural<std::int64_t>();
  found.objects.resize(body.count(kObjectBytes));
  for (Detection& object : found.objects) {
    object.box.x = body.number<int>();
    object.box.y = body.number<int>();
    object.box.width = body.natural<int>();
    object.box.height = body.natural<int>();
    const auto too_far = [](int corner, int side) {
      return std::int64_t{corner} + side > std::numeric_limits<int>::max();
    };
    if (too_far(object.box.x, object.box.width) || too_far(object.box.y, object.box.height))
      refuse("a box reaches beyond 2^31 pixels");
    object.score = std::bit_cast<double>(body.number<std::uint64_t>());
    object.neighbors = body.natural<int>();
  }
  if (!body.rest().empty()) refuse("something follows the bytes of the detections");
  return found;
}

}  // namespace winnow
