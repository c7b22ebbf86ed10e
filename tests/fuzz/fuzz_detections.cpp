// Fuzzes the reader of detections with any bytes, as they are and with the right checksum put in.
// The bytes are refused, or writing what was read gives the same bytes.
#include <winnow/detection.h>
#include <winnow/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/crc32.h"

namespace {

void read(std::span<const std::byte> bytes) {
  try {
    const winnow::Detections found = winnow::Detections::parse(bytes);
    const std::vector<std::byte> back = found.to_bytes();
    if (back.size() != bytes.size() || !std::equal(back.begin(), back.end(), bytes.begin())) std::abort();
  } catch (const winnow::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  read(bytes);
  std::vector<std::byte> signed_bytes(12 + size);
  const unsigned char head[] = {'W', 'N', 'D', 'T', 1, 0, 0, 0};
  for (std::size_t i = 0; i < sizeof head; ++i) signed_bytes[i] = std::byte{head[i]};
  const std::uint32_t sum = winnow::crc32(bytes);
  for (std::size_t i = 0; i < 4; ++i) signed_bytes[8 + i] = static_cast<std::byte>(sum >> (8 * i) & 255);
  std::copy(bytes.begin(), bytes.end(), signed_bytes.begin() + 12);
  read(signed_bytes);
  return 0;
}
