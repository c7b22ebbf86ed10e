// Converts an answer to bytes and back, as winnow/detection.h declares; its opening comment holds here. All
// numbers are little-endian:
//   "WNDT", version, CRC-32 of all bytes that follow (4 bytes each)
//   width and height of the picture; length of the backend's name, and its bytes
//   the counters windows, skipped, flat and weak (8 bytes each)
//   the number of entries of `reached`, and the entries (8 bytes each)
//   the number of objects, and for each object x, y, width, height, score (8 bytes: a double) and neighbors
// A number has 4 bytes unless this list gives another length.
#include <winnow/detection.h>

#include <limits>

#include <winnow/error.h>

#include "base/byte_numbers.h"
#include "base/clean_text.h"

namespace winnow {
namespace {

constexpr const char* kMagic = "WNDT";
constexpr const char* kWhat = "detections";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kObjectBytes = 28, kMostNameBytes = 256;

// The sentence about what no bytes may hold; null if there is nothing wrong. `to_bytes` and `parse` refuse the same.
const char* what_is_wrong(const Detections& found) {
  if (found.backend.size() > kMostNameBytes) return "the name of the backend is too long";
  if (!is_clean_text(found.backend)) return "the name of the backend is no clean text";
  const Counters& counters = found.counters;
  for (const std::int64_t counter : {counters.windows, counters.skipped, counters.flat, counters.weak})
    if (counter < 0) return "a counter is below 0";
  for (const std::int64_t windows : counters.reached)
    if (windows < 0) return "a counter is below 0";
  if (found.picture.width < 0 || found.picture.height < 0) return "a side of the picture is below 0";
  for (const Detection& object : found.objects) {
    const Box& box = object.box;
    if (box.width < 0 || box.height < 0) return "a side of a box is below 0";
    const auto too_far = [](int corner, int side) {
      return std::int64_t{corner} + side > std::numeric_limits<int>::max();
    };
    if (too_far(box.x, box.width) || too_far(box.y, box.height)) return "a box reaches beyond 2^31 pixels";
    if (object.neighbors < 0) return "an object has fewer than 0 neighbours";
  }
  return nullptr;
}

}  // namespace

std::vector<std::byte> Detections::to_bytes() const {
  if (const char* wrong = what_is_wrong(*this))
    throw Error(ErrorCode::kLimit, std::string("detections: ") + wrong);
  ByteWriter body(kMagic, kVersion);
  body.number(picture.width);
  body.number(picture.height);
  body.number(static_cast<std::uint32_t>(backend.size()));
  body.text(backend);
  for (const std::int64_t counter : {counters.windows, counters.skipped, counters.flat, counters.weak})
    body.number(counter);
  body.number(static_cast<std::uint32_t>(counters.reached.size()));
  for (const std::int64_t windows : counters.reached) body.number(windows);
  body.number(static_cast<std::uint32_t>(objects.size()));
  for (const Detection& object : objects) {
    for (const int side : {object.box.x, object.box.y, object.box.width, object.box.height})
      body.number(side);
    body.real(object.score);
    body.number(object.neighbors);
  }
  return body.finish();
}

Detections Detections::parse(std::span<const std::byte> bytes) {
  ByteReader body(bytes, kMagic, kVersion, kWhat);
  Detections found;
  found.picture.width = body.natural<int>();
  found.picture.height = body.natural<int>();
  const std::size_t name_bytes = body.count(1);
  const std::span<const std::byte> name = body.take(name_bytes);
  found.backend.assign(reinterpret_cast<const char*>(name.data()), name.size());
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
    object.score = body.real();
    object.neighbors = body.natural<int>();
  }
  body.end();
  if (const char* wrong = what_is_wrong(found)) ByteReader::refuse(wrong);
  return found;
}

}  // namespace winnow
