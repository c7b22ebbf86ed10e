// Tests that saved objects survive their bytes, and that damaged bytes are refused.
#include "track/saved/object_bytes.h"

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "base/crc32.h"
#include "base/random.h"

namespace winnow {
namespace {

ObjectPatch patch_of(std::uint64_t look) {
  ObjectPatch patch;
  std::int64_t squares = 0;
  for (std::size_t i = 0; i < patch.pixels.size(); ++i) {
    patch.pixels[i] = static_cast<std::uint8_t>(hash(look, i));
    patch.sum += patch.pixels[i];
    squares += std::int64_t{patch.pixels[i]} * patch.pixels[i];
  }
  patch.spread = kPatchPixels * squares - patch.sum * patch.sum;
  return patch;
}

SavedObject sample(std::uint64_t seed = 7) {
  SavedObject saved{LearntObject(seed), {}, {640, 360}};
  LearntObject& object = saved.object;
  object.halvings = 1;
  object.box = {10.25, 20.5, 30, 40};
  object.least_variance = 123.5;
  object.least_sum = 200'000;
  object.least_relative = 0.675;
  object.ferns.set_seen(5, {3, 1});
  object.ferns.set_seen(81'919, {0, 2});
  Random random(seed);
  object.templates.add_object(patch_of(1), true, random);
  object.templates.add_object(patch_of(2), false, random);
  object.templates.add_other(patch_of(3), random);
  saved.place = {{{20.5, 41, 60, 80}, 0.875, ObjectState::kTracked}, {21, 42, 61, 81}, true, true, 100};
  return saved;
}

std::vector<std::byte> bytes_of(const SavedObject& saved) { return write_objects({&saved, 1}); }

std::optional<ErrorCode> refusal(std::span<const std::byte> bytes) {
  try {
    parse_objects(bytes);
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

// Puts the right checksum on changed bytes, so that their content is read.
void sign(std::vector<std::byte>& bytes) {
  const std::uint32_t sum = crc32(std::span(bytes).subspan(12));
  for (std::size_t i = 0; i < 4; ++i) bytes[8 + i] = static_cast<std::byte>(sum >> (8 * i) & 255);
}

TEST(ObjectBytes, GiveTheObjectBack) {
  const SavedObject all[] = {sample(), sample(8)};
  const std::vector<SavedObject> read = parse_objects(write_objects(all));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].object.seed, 8u);
  const SavedObject &saved = all[0], &back = read[0];
  const auto as_list = [](const RealBox& box) { return std::vector{box.x, box.y, box.width, box.height}; };
  EXPECT_EQ(back.object.seed, saved.object.seed);
  EXPECT_EQ(std::memcmp(&back.object.pairs, &saved.object.pairs, sizeof saved.object.pairs), 0);
  EXPECT_EQ(back.object.halvings, 1);
  EXPECT_EQ(as_list(back.object.box), as_list(saved.object.box));
  EXPECT_EQ(back.object.least_variance, 123.5);
  EXPECT_EQ(back.object.least_sum, 200'000);
  EXPECT_EQ(back.object.least_relative, 0.675);
  EXPECT_EQ(back.object.ferns.sum({5, 0, 0, 0, 0, 0, 0, 0, 0, 0}), kFernOne * 3 / 4);
  EXPECT_EQ(back.object.ferns.seen()[81'919].others, 2u);
  ASSERT_EQ(back.object.templates.objects(), 2u);
  EXPECT_TRUE(back.object.templates.all_objects()[0].certain);
  EXPECT_FALSE(back.object.templates.all_objects()[1].certain);
  EXPECT_EQ(back.object.templates.compare(patch_of(9)).conservative,
            saved.object.templates.compare(patch_of(9)).conservative);
  EXPECT_EQ(back.object.templates.all_others()[0].pixels, patch_of(3).pixels);
  EXPECT_EQ(back.object.templates.all_others()[0].spread, patch_of(3).spread);
  EXPECT_EQ(back.frame, saved.frame);
  EXPECT_EQ(as_list(back.place.box), as_list(saved.place.box));
  EXPECT_EQ(as_list(back.place.last.box), as_list(saved.place.last.box));
  EXPECT_EQ(back.place.last.confidence, 0.875);
  EXPECT_EQ(back.place.last.state, ObjectState::kTracked);
  EXPECT_TRUE(back.place.there && back.place.valid);
  EXPECT_EQ(back.place.number, 100u);
  EXPECT_TRUE(parse_objects(write_objects({})).empty());
}

// The bytes must stay the same, because later versions read them.
TEST(ObjectBytes, AreTheDocumentedOnes) {
  const std::vector<std::byte> bytes = bytes_of(sample());
  EXPECT_EQ(std::memcmp(bytes.data(), "WNTO\x02\0\0\0", 8), 0);
  const unsigned char start[] = {1, 0, 0,   0, 7, 0, 0,   0, 0, 0, 0, 0, 100, 0, 0,  0,  0, 0,
                                 0, 0, 128, 2, 0, 0, 104, 1, 0, 0, 1, 0, 0,   0, 64, 13, 3, 0};
  EXPECT_EQ(std::memcmp(bytes.data() + 12, start, sizeof start), 0);
  const std::size_t flags = 12 + 4 + 32 + 16 + 104;
  const unsigned char looks[] = {1, 1, 1, 2, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0};
  EXPECT_EQ(std::memcmp(bytes.data() + flags, looks, sizeof looks), 0);
  EXPECT_EQ(bytes.size(), flags + 3 + 4 + 2 * 12 + 4 + 2 * (1 + kPatchPixels) + 4 + kPatchPixels);
}

TEST(ObjectBytes, EveryDamagedByteIsFound) {
  const std::vector<std::byte> good = bytes_of(sample());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::vector<std::byte> bytes = good;
    bytes[i] ^= std::byte{16};
    const bool version = i >= 4 && i < 8;
    EXPECT_EQ(refusal(bytes), version ? ErrorCode::kUnsupported : ErrorCode::kFormat) << i;
    EXPECT_EQ(refusal(std::span(good).first(i)), ErrorCode::kFormat) << i;
    bytes = {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(i)};
    if (i < 12) continue;
    sign(bytes);
    EXPECT_EQ(refusal(bytes), ErrorCode::kFormat) << i;
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  sign(longer);
  EXPECT_EQ(refusal(longer), ErrorCode::kFormat);
}

TEST(ObjectBytes, WhatNoTrackerMakesIsRefused) {
  ASSERT_EQ(refusal(bytes_of(sample())), std::nullopt);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                   kInfinite = std::numeric_limits<double>::infinity();
  const std::function<void(SavedObject&)> changes[] = {
      [](SavedObject& saved) { saved.frame.width = -1; },
      [](SavedObject& saved) { saved.frame.height = 65'537; },
      [](SavedObject& saved) { saved.frame.height = 0; },
      [](SavedObject& saved) { saved.frame = {}; },
      [](SavedObject& saved) { saved.object.halvings = 13; },
      [](SavedObject& saved) { saved.object.halvings = -1; },
      [](SavedObject& saved) { saved.object.least_sum = -1; },
      [](SavedObject& saved) { saved.object.least_sum = kFerns * kFernOne + 1; },
      [](SavedObject& saved) { saved.object.least_variance = -1; },
      [](SavedObject& saved) { saved.object.least_variance = kInfinite; },
      [](SavedObject& saved) { saved.object.least_relative = 1.5; },
      [](SavedObject& saved) { saved.object.least_relative = kNan; },
      [](SavedObject& saved) { saved.object.box.x = kNan; },
      [](SavedObject& saved) { saved.object.box.y = 2e6; },
      [](SavedObject& saved) { saved.object.box.width = 0; },
      [](SavedObject& saved) { saved.object.box.height = 2e6; },
      [](SavedObject& saved) { saved.place.box.x = -kInfinite; },
      [](SavedObject& saved) { saved.place.box.width = 0; },
      [](SavedObject& saved) { saved.place.last.box.height = -1; },
      [](SavedObject& saved) { saved.place.last.confidence = 1.01; },
      [](SavedObject& saved) { saved.place.there = false; },
      [](SavedObject& saved) {
        saved.place.there = false;
        saved.place.last.state = ObjectState::kLost;
      },
      [](SavedObject& saved) { saved.place.last.state = static_cast<ObjectState>(3); },
      [](SavedObject& saved) {
        saved.object.templates = Templates();
        Random random(1);
        for (int look = 0; look < 3; ++look) saved.object.templates.add_other(patch_of(4), random);
      },
      [](SavedObject& saved) {
        saved.object.ferns.set_seen(9, {Ferns::kMostSeen + 1, 0});
      },
      [](SavedObject& saved) {
        saved.object.ferns.set_seen(9, {0, 0xFFFFFFFF});
      },
  };
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    SavedObject saved = sample();
    changes[i](saved);
    EXPECT_EQ(refusal(bytes_of(saved)), ErrorCode::kFormat) << i;
  }
  const std::size_t flags = 12 + 4 + 32 + 16 + 104, patterns = flags + 3, patches = patterns + 4 + 24;
  const auto with = [](std::size_t at, unsigned value) {
    std::vector<std::byte> bytes = bytes_of(sample());
    bytes.at(at) = static_cast<std::byte>(value);
    sign(bytes);
    return bytes;
  };
  for (const std::size_t at : {flags, flags + 1, patches + 4})
    EXPECT_EQ(refusal(with(at, 2)), ErrorCode::kFormat);
  EXPECT_EQ(refusal(with(patterns + 4 + 12 + 2, 2)), ErrorCode::kFormat) << "a place outside of the ferns";
  std::vector<std::byte> bytes = bytes_of(sample());
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(patterns) + 4, 4,
              bytes.begin() + static_cast<std::ptrdiff_t>(patterns) + 16);
  sign(bytes);
  EXPECT_EQ(refusal(bytes), ErrorCode::kFormat) << "the same pattern twice";
}

TEST(ObjectBytes, HaveLimits) {
  std::vector<SavedObject> many(kMostSavedObjects, sample());
  std::vector<std::byte> bytes = write_objects(many);
  EXPECT_EQ(parse_objects(bytes).size(), kMostSavedObjects);
  many.push_back(sample());
  EXPECT_THROW(write_objects(many), Error);
  const std::vector<std::byte> one = bytes_of(sample());
  bytes.insert(bytes.end(), one.begin() + 16, one.end());
  bytes[12] = std::byte{1};
  bytes[13] = std::byte{1};
  sign(bytes);
  EXPECT_EQ(refusal(bytes), ErrorCode::kLimit);
}

TEST(ObjectBytes, AnyBytesAreReadOrRefused) {
  const std::vector<std::byte> good = bytes_of(sample());
  Random random(5);
  int read = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> bytes = good;
    for (int change = 0; change < 2; ++change)
      bytes[static_cast<std::size_t>(12 + random.below(220))] = static_cast<std::byte>(random.below(256));
    sign(bytes);
    try {
      EXPECT_EQ(write_objects(parse_objects(bytes)), bytes);
      ++read;
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ErrorCode::kUsage);
    }
  }
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace winnow
