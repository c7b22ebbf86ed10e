// The head of a message: Winnow's head (base/byte_numbers.h), the message's kind (1 byte), and then what the
// caller writes. A text is its length (4 bytes) and its bytes.
//
// In:     values; or the head of a message, which may be hostile.
// Out:    a head; or values. kFormat for other bytes, kUnsupported for another version.
// Memory: as base/byte_numbers.h.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_numbers.h"
#include "cluster/messages.h"

namespace winnow {

class HeadWriter {
 public:
  explicit HeadWriter(MessageKind kind) : body_(kMagic, kVersion) {
    body_.number(static_cast<std::uint8_t>(kind));
  }
  ByteWriter& body() { return body_; }
  void text(std::string_view text) {
    body_.number(static_cast<std::uint32_t>(text.size()));
    body_.text(text);
  }
  void flag(bool flag) { body_.number(static_cast<std::uint8_t>(flag)); }
  void failure(const Failure& failure) {
    body_.number(static_cast<std::uint8_t>(failure.code));
    flag(failure.is_error);
    text(failure.sentence);
    text(failure.file);
  }

  static constexpr const char* kMagic = "WNMS";
  static constexpr std::uint32_t kVersion = 3;
  static constexpr const char* kWhat = "messages";

 private:
  ByteWriter body_;
};

class HeadReader {
 public:
  HeadReader(const Message& message, MessageKind kind)
      : body_(message.head, HeadWriter::kMagic, HeadWriter::kVersion, HeadWriter::kWhat) {
    if (body_.number<std::uint8_t>() != static_cast<std::uint8_t>(kind)) refuse();
  }
  ByteReader& body() { return body_; }
  std::string text() {
    const std::span<const std::byte> bytes = body_.take(body_.count(1));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // A number that is not above `most`.
  std::uint8_t small(std::uint8_t most) {
    const auto value = body_.number<std::uint8_t>();
    if (value > most) refuse();
    return value;
  }
  // A number from `least` to `most`.
  int within(int least, int most) {
    const auto value = body_.number<std::int32_t>();
    if (value < least || value > most) refuse();
    return value;
  }
  bool flag() { return small(1) != 0; }
  Failure failure() {
    Failure read;
    read.code = static_cast<ErrorCode>(small(static_cast<std::uint8_t>(ErrorCode::kDevice)));
    read.is_error = flag();
    read.sentence = text();
    read.file = text();
    return read;
  }
  [[noreturn]] static void refuse() {
    ByteReader::refuse("a message holds something else than was expected");
  }

 private:
  ByteReader body_;
};

}  // namespace winnow
