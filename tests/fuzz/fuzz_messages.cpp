// Fuzzes the readers of messages between ranks with any bytes, as they are and with the right checksum put in.
// The first byte says how many parts there are; they hold the last bytes.
#include <winnow/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "cluster/messages.h"
#include "cluster/split/split_messages.h"
#include "signed_bytes.h"

namespace {

template <class Read>
void attempt(Read read) {
  try {
    read();
  } catch (const winnow::Error&) {
  }
}

void read(std::span<const std::byte> head, std::span<const std::byte> rest, std::size_t parts) {
  winnow::Message message;
  message.head.assign(head.begin(), head.end());
  for (std::size_t i = 0; i < parts; ++i)
    message.parts.push_back({rest.first(rest.size() / (i + 1)), nullptr});
  attempt([&] { winnow::kind_of(message); });
  attempt([&] { winnow::read_hello(message); });
  attempt([&] { winnow::read_ready(message); });
  attempt([&] { winnow::read_parcel(message); });
  attempt([&] { winnow::read_answers(message); });
  attempt([&] { winnow::read_done(message); });
  attempt([&] { winnow::read_rows(message, {20, 20}); });
  attempt([&] { winnow::read_sifted(message); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const std::span<const std::byte> rest = bytes.last(std::min<std::size_t>(bytes.size(), 24));
  const std::size_t parts = data[0] % 5;
  read(bytes, rest, parts);
  const std::vector<std::byte> right = signed_bytes("WNMS", bytes, 3);
  read(right, rest, parts);
  return 0;
}
