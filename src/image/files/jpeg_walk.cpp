#include "image/files/jpeg_walk.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <winnow/error.h>

#include "image/files/byte_reader.h"
#include "image/files/decode.h"

namespace winnow {
namespace {

class Walk {
 public:
  Walk(ByteReader& reader, std::int64_t max_bytes) : reader_(reader), max_bytes_(max_bytes) {}

  std::vector<std::byte> run(bool& begun) {
    if (std::exchange(begun, false)) {
      jpeg_ = {std::byte{0xFF}, std::byte{kStart}};
    } else if (byte() != 0xFF || byte() != kStart) {
      fail("not a JPEG picture");
    }
    bool in_scan = false;
    for (;;) {
      const int marker = next_marker(in_scan);
      if (marker == kEnd) return std::move(jpeg_);
      if (marker == kStart) {
        begun = true;
        fail("a JPEG begins inside another");
      }
      if (is_alone(marker)) continue;
      segment();
      in_scan = marker == kScan;
    }
  }

 private:
  static constexpr int kStart = 0xD8, kEnd = 0xD9, kScan = 0xDA;

  static bool is_alone(int marker) { return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7); }

  // Returns the code behind the next 0xFF that begins a marker. In a scan, 0xFF 0x00 is a stuffed byte, and
  // restart markers belong to the data. Stray bytes between segments are left for the decoder to judge.
  int next_marker(bool in_scan) {
    for (;;) {
      copy_to_0xff();
      int code = 0xFF;
      while (code == 0xFF) code = byte();  // skip fill bytes
      if (code == 0 || (in_scan && is_alone(code))) continue;
      return code;
    }
  }

  // Copies bytes up to and including the next 0xFF.
  void copy_to_0xff() {
    for (;;) {
      const std::span<const std::byte> some = reader_.buffered();
      if (some.empty()) cut_off();
      const auto found = std::find(some.begin(), some.end(), std::byte{0xFF});
      const auto count = static_cast<std::size_t>(found - some.begin()) + (found == some.end() ? 0 : 1);
      copy(some.first(count));
      if (found != some.end()) return;
    }
  }

  void segment() {
    const int high = byte();
    const int length = high * 256 + byte();
    if (length < 2) fail("a JPEG segment is too short");
    std::size_t left = static_cast<std::size_t>(length) - 2;
    while (left > 0) {
      const std::span<const std::byte> some = reader_.buffered();
      if (some.empty()) cut_off();
      const std::size_t count = std::min(left, some.size());
      copy(some.first(count));
      left -= count;
    }
  }

  int byte() {
    const std::span<const std::byte> some = reader_.buffered();
    if (some.empty()) cut_off();
    const int value = std::to_integer<int>(some[0]);
    copy(some.first(1));
    return value;
  }

  void copy(std::span<const std::byte> bytes) {
    if (static_cast<std::int64_t>(jpeg_.size() + bytes.size()) > max_bytes_) {
      throw Error(ErrorCode::kLimit,
                  "a JPEG is larger than the " + std::to_string(max_bytes_) + " bytes allowed", {},
                  byte_place(reader_.position()));
    }
    jpeg_.insert(jpeg_.end(), bytes.begin(), bytes.end());
    reader_.skip(bytes.size());
  }

  [[noreturn]] void cut_off() { fail("the JPEG ends early"); }
  [[noreturn]] void fail(const char* sentence) {
    throw Error(ErrorCode::kFormat, sentence, {}, byte_place(reader_.position()));
  }

  ByteReader& reader_;
  std::int64_t max_bytes_;
  std::vector<std::byte> jpeg_;
};

}  // namespace

std::vector<std::byte> take_jpeg(ByteReader& reader, std::int64_t max_bytes, bool& begun) {
  return Walk(reader, max_bytes).run(begun);
}

}  // namespace winnow
