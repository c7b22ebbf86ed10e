// Writes and reads Winnow's own bytes: numbers behind a head of magic, version and checksum.
//
// In:     numbers and texts in the order in which they are read back; or bytes that may be hostile.
// Out:    bytes: four of magic, the version, the CRC-32 of all that follows (4 bytes each), and the numbers,
//         little-endian. A reader throws kUnsupported for another version, and kFormat for other bytes,
//         damage and bytes that end too early.
// Memory: a writer owns its bytes until `finish`. A reader refers to the caller's bytes.
// Thread: one thread at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "base/crc32.h"

namespace winnow {

inline constexpr std::size_t kMagicBytes = 4, kHeadBytes = 12;

class ByteWriter {
 public:
  ByteWriter(std::string_view magic, std::uint32_t version) {
    text(magic.substr(0, kMagicBytes));
    number(version);
    number(std::uint32_t{0});  // the checksum, which `finish` fills in
  }
  void text(std::string_view text) {
    for (const char letter : text) bytes_.push_back(static_cast<std::byte>(letter));
  }
  template <class Number>
  void number(Number number) {
    const auto bits = static_cast<std::make_unsigned_t<Number>>(number);
    for (std::size_t i = 0; i < sizeof bits; ++i)
      bytes_.push_back(static_cast<std::byte>(bits >> (8 * i) & 255));
  }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  std::vector<std::byte> finish() {
    const std::uint32_t sum = crc32(std::span(bytes_).subspan(kHeadBytes));
    for (std::size_t i = 0; i < sizeof sum; ++i)
      bytes_[kHeadBytes - sizeof sum + i] = static_cast<std::byte>(sum >> (8 * i) & 255);
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  // Checks the head. `what`: what the bytes hold, in the plural, for messages.
  ByteReader(std::span<const std::byte> bytes, std::string_view magic, std::uint32_t version,
             std::string_view what)
      : bytes_(bytes), what_(what) {
    if (bytes.size() < kHeadBytes || std::memcmp(bytes.data(), magic.data(), kMagicBytes) != 0)
      refuse("these are no bytes of " + what_);
    take(kMagicBytes);
    const auto own = number<std::uint32_t>();
    if (own != version)
      throw Error(ErrorCode::kUnsupported, "the " + what_ + " have format version " + std::to_string(own) +
                                               "; this Winnow reads version " + std::to_string(version));
    const auto sum = number<std::uint32_t>();
    if (sum != crc32(bytes_)) refuse("the bytes of the " + what_ + " are damaged");
  }

  [[noreturn]] static void refuse(const std::string& sentence) { throw Error(ErrorCode::kFormat, sentence); }

  std::span<const std::byte> take(std::size_t size) {
    if (size > bytes_.size()) refuse("the bytes of the " + what_ + " end too early");
    const std::span<const std::byte> taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }
  template <class Number>
  Number number() {
    std::make_unsigned_t<Number> bits = 0;
    const std::span<const std::byte> taken = take(sizeof bits);
    for (std::size_t i = 0; i < sizeof bits; ++i)
      bits |= static_cast<std::make_unsigned_t<Number>>(
          std::to_integer<std::make_unsigned_t<Number>>(taken[i]) << (8 * i));
    return static_cast<Number>(bits);
  }
  double real() { return std::bit_cast<double>(number<std::uint64_t>()); }
  // Reads a count or a size. Throws kFormat if the number is below 0.
  template <class Number>
  Number natural() {
    const auto value = number<Number>();
    if (value < 0) refuse("a count in the bytes of the " + what_ + " is below 0");
    return value;
  }
  // Reads how many entries follow, each of at least `size` bytes. Throws kFormat if fewer bytes are left.
  std::size_t count(std::size_t size) {
    const auto value = number<std::uint32_t>();
    if (value > bytes_.size() / size) refuse("the bytes of the " + what_ + " end too early");
    return value;
  }
  // Throws kFormat if bytes are left.
  void end() const {
    if (!bytes_.empty()) refuse("something follows the bytes of the " + what_);
  }

 private:
  std::span<const std::byte> bytes_;
  std::string what_;
};

}  // namespace winnow
