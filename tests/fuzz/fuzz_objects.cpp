// Fuzzes the reader of saved objects with any bytes, as they are and with the right head put in.
// The bytes are refused, or writing what was read gives the same bytes, and the object can be searched for.
#include <winnow/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/crc32.h"
#include "track/saved/object_bytes.h"
#include "track/tld/object_tracker.h"

namespace {

void read(std::span<const std::byte> bytes) {
  try {
    const std::vector<winnow::SavedObject> found = winnow::parse_objects(bytes);
    const std::vector<std::byte> back = winnow::write_objects(found);
    if (back.size() != bytes.size() || !std::equal(back.begin(), back.end(), bytes.begin())) std::abort();
    for (const winnow::SavedObject& saved : found) {
      const std::vector<std::uint8_t> pixels(64 * 48, 90);
      winnow::ObjectTracker tracker(winnow::kObjectStepsCpu, saved.object, saved.place, {});
      tracker.next({pixels.data(), 64, 48, 64}, {}, {});
      const winnow::ObjectPatch& patch = saved.object.templates.all_objects().front().patch;
      const winnow::Likeness like = saved.object.templates.compare(patch);
      if (!(like.relative >= 0 && like.relative <= 1)) std::abort();
    }
  } catch (const winnow::Error& error) {
    if (error.sentence().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  read(bytes);
  std::vector<std::byte> signed_bytes(12 + size);
  const unsigned char head[] = {'W', 'N', 'T', 'O', 1, 0, 0, 0};
  for (std::size_t i = 0; i < sizeof head; ++i) signed_bytes[i] = std::byte{head[i]};
  const std::uint32_t sum = winnow::crc32(bytes);
  for (std::size_t i = 0; i < 4; ++i) signed_bytes[8 + i] = static_cast<std::byte>(sum >> (8 * i) & 255);
  std::copy(bytes.begin(), bytes.end(), signed_bytes.begin() + 12);
  read(signed_bytes);
  return 0;
}
