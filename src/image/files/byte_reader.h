// Reads bytes one after the other, from memory or from a callback, and knows the position for error messages.
//
// In:     a span, not copied, that outlives the reader. Or a function that fills a buffer and returns the
//         number of bytes, 0 at the end.
// Out:    `get` and `peek` give one byte, -1 at the end. `buffered` and `skip` give many bytes at once.
// Exact:  bytes are passed on unchanged.
// Memory: a buffer of 64 KiB with a callback, none with a span. The span from `buffered` is valid until
//         the next call that reads.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace winnow {

class ByteReader {
 public:
  using Read = std::function<std::size_t(std::byte* buffer, std::size_t size)>;
  explicit ByteReader(std::span<const std::byte> bytes) : window_(bytes) {}
  explicit ByteReader(Read read);

  int peek() { return refill() ? std::to_integer<int>(window_[used_]) : -1; }
  int get() {
    const int byte = peek();
    if (byte >= 0) ++used_;
    return byte;
  }
  // The bytes that wait in memory. If none wait, reads more; the result is empty only at the end.
  std::span<const std::byte> buffered() { return refill() ? window_.subspan(used_) : window_.subspan(0, 0); }
  void skip(std::size_t count) { used_ += count; }  // at most as many as `buffered` gave

  std::int64_t position() const { return before_ + static_cast<std::int64_t>(used_); }
  // True if it is certain that fewer than `count` bytes follow. Always false with a callback.
  bool shorter_than(std::int64_t count) const {
    return !read_ && count > static_cast<std::int64_t>(window_.size() - used_);
  }

 private:
  bool refill() { return used_ < window_.size() || fetch(); }
  bool fetch();

  Read read_;
  std::vector<std::byte> buffer_;
  std::span<const std::byte> window_;
  std::size_t used_ = 0;
  std::int64_t before_ = 0;  // bytes of the stream before `window_`
  bool ended_ = false;
};

// Skips blanks, tabs and the ends of lines, and leaves the reader in front of the next byte.
void skip_space(ByteReader& reader);

}  // namespace winnow
