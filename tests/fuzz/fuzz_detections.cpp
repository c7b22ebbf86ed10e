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
#include "signed_bytes.h"

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
  read(signed_bytes("WNDT", bytes));
  return 0;
}
