// Behind the head come the number of objects (4 bytes), and for each object:
//   seed, number of the last frame (8 bytes each)
//   width and height of the last frame, halvings, the least sum of ferns (4 bytes each)
//   least variance, least relative likeness (8 bytes each: doubles)
//   the marked box on the level, the box in the frame, the last box in which the object was not lost: x, y,
//   width and height of each (doubles); the confidence (a double)
//   what confidence remembers: the share of found frames, the mean likeness, how far flow came back (doubles)
//   whether the object is there, whether its place is valid, its state (1 byte each)
//   the number of patterns that were seen (4 bytes), and of each, in rising order, its place in the ferns,
//   how often it was seen on the object, and on others (4 bytes each)
//   the number of the object's patches (4 bytes), and of each, in order, 1 if it is certain, and its pixels
//   the number of other patches (4 bytes), and of each its pixels
#include "track/saved/object_bytes.h"

#include <algorithm>
#include <string>

#include <winnow/error.h>

#include "base/byte_numbers.h"
#include "base/random.h"
#include "base/real_box.h"

namespace winnow {
namespace {

constexpr const char* kMagic = "WNTO";
constexpr std::uint32_t kVersion = 2;  // 1 held grey levels, not details, and no signs of earlier frames
// The fewest bytes of an object: one patch, and no pattern.
constexpr std::size_t kLeastBytes = 32 + 16 + 104 + 24 + 3 + 12 + 1 + kPatchPixels;
constexpr std::size_t kPatternBytes = 12;
static_assert(kLeastBytes + kPatternBytes * (std::size_t{kFerns} << kFernBits) +
                      kMostTemplates * (2 * kPatchPixels + 1) <
                  kMostSavedBytes / kMostSavedObjects,
              "the comment on memory is true");
// Beyond what trackers make: sides of frames, halvings of such frames, coordinates of boxes.
constexpr int kMostSide = 1 << 16, kMostHalvings = 12;
constexpr double kFarthest = 1 << 20;
constexpr double kLeastMarkedSide = 8;  // of a marked box, on its level, too
constexpr double kLeastSide = 0.01;     // of a box that is followed
constexpr double kMostVariance = 255.0 * 255;

// Throws kFormat unless the values are those of a tracker.
void require(bool good, const char* what) {
  if (!good) ByteReader::refuse(std::string("the saved objects hold a bad ") + what);
}

// Not a number is not within.
bool is_within(double value, double least, double most) { return value >= least && value <= most; }

void write_box(ByteWriter& body, const RealBox& box) {
  for (const double value : {box.x, box.y, box.width, box.height}) body.real(value);
}

RealBox read_box(ByteReader& body, double least_side) {
  RealBox box;
  for (double* value : {&box.x, &box.y}) {
    *value = body.real();
    require(is_within(*value, -kFarthest, kFarthest), "box");
  }
  for (double* side : {&box.width, &box.height}) {
    *side = body.real();
    require(is_within(*side, least_side, kFarthest), "box");
  }
  return box;
}

void write_patch(ByteWriter& body, const ObjectPatch& patch) {
  for (const std::uint8_t pixel : patch.pixels) body.number(pixel);
}

ObjectPatch read_patch(ByteReader& body) {
  ObjectPatch patch;
  std::int64_t squares = 0;
  for (std::uint8_t& pixel : patch.pixels) {
    pixel = body.number<std::uint8_t>();
    patch.sum += pixel;
    squares += std::int64_t{pixel} * pixel;
  }
  patch.spread = kPatchPixels * squares - patch.sum * patch.sum;
  return patch;
}

bool read_flag(ByteReader& body) {
  const auto flag = body.number<std::uint8_t>();
  require(flag <= 1, "flag");
  return flag == 1;
}

void write_looks(ByteWriter& body, const LearntObject& object) {
  const std::span<const Ferns::Seen> seen = object.ferns.seen();
  std::uint32_t patterns = 0;
  for (const Ferns::Seen& each : seen) patterns += each.object > 0 || each.others > 0 ? 1 : 0;
  body.number(patterns);
  for (std::size_t at = 0; at < seen.size(); ++at) {
    if (seen[at].object == 0 && seen[at].others == 0) continue;
    for (const std::uint32_t number : {static_cast<std::uint32_t>(at), seen[at].object, seen[at].others})
      body.number(number);
  }
  const Templates& templates = object.templates;
  body.number(static_cast<std::uint32_t>(templates.objects()));
  for (const Templates::Kept& kept : templates.all_objects()) {
    body.number(std::uint8_t{kept.certain});
    write_patch(body, kept.patch);
  }
  body.number(static_cast<std::uint32_t>(templates.others()));
  for (const ObjectPatch& patch : templates.all_others()) write_patch(body, patch);
}

void read_looks(ByteReader& body, LearntObject& object) {
  std::size_t free = 0;  // the first place behind those that were read
  for (std::size_t left = body.count(kPatternBytes); left > 0; --left) {
    const auto at = body.number<std::uint32_t>();
    Ferns::Seen seen;
    seen.object = body.number<std::uint32_t>();
    seen.others = body.number<std::uint32_t>();
    require(at >= free && at < object.ferns.seen().size(), "pattern");
    require(seen.object <= Ferns::kMostSeen && seen.others <= Ferns::kMostSeen &&
                (seen.object > 0 || seen.others > 0),
            "count of a pattern");
    object.ferns.set_seen(at, seen);
    free = std::size_t{at} + 1;
  }
  Random unused(0);  // no patch goes while there is room for all
  const std::size_t objects = body.count(1 + kPatchPixels);
  require(objects >= 1 && objects <= kMostTemplates, "number of patches");
  for (std::size_t i = 0; i < objects; ++i) {
    const bool certain = read_flag(body);
    object.templates.add_object(read_patch(body), certain, unused);
  }
  const std::size_t others = body.count(kPatchPixels);
  require(others <= kMostTemplates, "number of patches");
  for (std::size_t i = 0; i < others; ++i) object.templates.add_other(read_patch(body), unused);
}

void write_object(ByteWriter& body, const SavedObject& saved) {
  const LearntObject& object = saved.object;
  const TrackingPlace& place = saved.place;
  body.number(object.seed);
  body.number(place.number);
  for (const int number : {saved.frame.width, saved.frame.height, object.halvings, object.least_sum})
    body.number(number);
  body.real(object.least_variance);
  body.real(object.least_relative);
  for (const RealBox& box : {object.box, place.box, place.last.box}) write_box(body, box);
  body.real(place.last.confidence);
  for (const double value : {place.memory.found, place.memory.likeness, place.memory.back}) body.real(value);
  for (const bool flag : {place.there, place.valid}) body.number(std::uint8_t{flag});
  body.number(static_cast<std::uint8_t>(place.last.state));
  write_looks(body, object);
}

SavedObject read_object(ByteReader& body) {
  SavedObject saved{LearntObject(body.number<std::uint64_t>()), {}, {}};
  LearntObject& object = saved.object;
  TrackingPlace& place = saved.place;
  place.number = body.number<std::uint64_t>();
  for (int* side : {&saved.frame.width, &saved.frame.height}) {
    *side = body.natural<int>();
    require(*side <= kMostSide, "size of a frame");
  }
  require((saved.frame.width == 0) == (saved.frame.height == 0), "size of a frame");
  object.halvings = body.natural<int>();
  require(object.halvings <= kMostHalvings, "number of halvings");
  object.least_sum = body.natural<int>();
  require(object.least_sum >= kFerns * kFernOne / 2 && object.least_sum <= kFerns * kFernOne, "sum of ferns");
  object.least_variance = body.real();
  require(is_within(object.least_variance, kLeastVariance, kMostVariance), "variance");
  object.least_relative = body.real();
  require(is_within(object.least_relative, 0, 1), "likeness");
  object.box = read_box(body, kLeastMarkedSide);
  place.box = read_box(body, 0);
  place.last.box = read_box(body, 0);
  place.last.confidence = body.real();
  require(is_within(place.last.confidence, 0, 1), "confidence");
  for (double* part : {&place.memory.found, &place.memory.likeness}) {
    *part = body.real();
    require(is_within(*part, 0, 1), "memory");
  }
  place.memory.back = body.real();
  require(is_within(place.memory.back, 0, kFarthest), "memory");
  place.there = read_flag(body);
  place.valid = read_flag(body);
  const auto state = body.number<std::uint8_t>();
  require(state <= static_cast<std::uint8_t>(ObjectState::kLost), "state");
  place.last.state = static_cast<ObjectState>(state);
  require(place.there || (!place.valid && place.last.state == ObjectState::kLost), "state");
  require(
      !place.there || (saved.frame != Size{} && std::min(place.box.width, place.box.height) >= kLeastSide),
      "place");
  read_looks(body, object);
  return saved;
}

}  // namespace

std::vector<std::byte> write_objects(std::span<const SavedObject> objects) {
  if (objects.size() > kMostSavedObjects)
    throw Error(ErrorCode::kLimit,
                "at most " + std::to_string(kMostSavedObjects) + " objects are saved together");
  ByteWriter body(kMagic, kVersion);
  body.number(static_cast<std::uint32_t>(objects.size()));
  for (const SavedObject& object : objects) write_object(body, object);
  return body.finish();
}

std::vector<SavedObject> parse_objects(std::span<const std::byte> bytes) {
  ByteReader body(bytes, kMagic, kVersion, "saved objects");
  const std::size_t count = body.count(kLeastBytes);
  if (count > kMostSavedObjects)
    throw Error(ErrorCode::kLimit,
                "at most " + std::to_string(kMostSavedObjects) + " objects are read together");
  std::vector<SavedObject> objects;
  for (std::size_t i = 0; i < count; ++i) objects.push_back(read_object(body));
  body.end();
  return objects;
}

}  // namespace winnow
