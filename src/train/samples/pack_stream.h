// Writes and reads the stream of a pack: window, recipe, names, pixels, pictures, colours.
//
// In:     to write: a pack. To read: the pieces of a stream, which are hostile input.
// Out:    writing: the stream in pieces. Reading: a pack. kFormat for a stream that makes no sense or ends
//         too early.
// Exact:  the pack that is read equals the pack that was written.
// Memory: a `PackStream` refers to the pack's pixels and pictures, so the pack must outlive it. The list
//         of pieces must outlive a `PackReader`. The caller owns the pack that reading returns. Before memory
//         is allocated, sizes are checked against the bytes that are left.
// Thread: any; a `PackReader` belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// All numbers are little-endian. `get_number` does not check that `bytes` holds the whole number.
template <class Number>
void put_number(std::vector<std::byte>& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(number) >> 8 * i & 255));
}
template <class Number>
Number get_number(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;)
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
  return static_cast<Number>(number);
}

// The stream of a pack, in pieces that follow one another. Pixels and pictures are not copied.
class PackStream {
 public:
  explicit PackStream(const Pack& pack);
  const std::vector<std::span<const std::byte>>& pieces() const { return pieces_; }
  std::uint64_t size() const { return size_; }

 private:
  std::vector<std::byte>& begin_own() { return own_.emplace_back(); }
  void add(std::span<const std::byte> piece);

  std::deque<std::vector<std::byte>> own_;
  std::vector<std::span<const std::byte>> pieces_;
  std::uint64_t size_ = 0;
};

// kUsage for a pack that could not be read again.
void check_pack(const Pack& pack);

// Reads numbers, texts and bytes from pieces that follow one another.
class PackReader {
 public:
  explicit PackReader(const std::vector<std::span<const std::byte>>& pieces);
  std::uint64_t left() const { return left_; }
  void read(void* to, std::size_t size);
  template <class Number>
  Number number() {
    std::byte bytes[sizeof(Number)];
    read(bytes, sizeof(Number));
    return get_number<Number>(bytes, 0);
  }
  std::string text();
  // Reads the length of a list whose items take at least `bytes` bytes each.
  std::size_t count(std::uint64_t bytes);
  // Throws kFormat unless `good`.
  static void require(bool good);

 private:
  const std::vector<std::span<const std::byte>>& pieces_;
  std::size_t piece_ = 0, at_ = 0;
  std::uint64_t left_ = 0;
};

// Reads a pack's stream, given in pieces that follow one another.
Pack parse_pack_stream(const std::vector<std::span<const std::byte>>& pieces);

}  // namespace winnow
