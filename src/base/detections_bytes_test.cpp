// Tests that an answer survives its bytes, and that damaged bytes are refused.
#include <gtest/gtest.h>
#include <winnow/detection.h>
#include <winnow/error.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/crc32.h"
#include "base/random.h"

namespace winnow {
namespace {

Detections sample_answer() {
  Detections found;
  found.objects = {{{-7, 3, 24, 48}, 0.1, 4},
                   {{2000000000, -5, 0, 1}, -std::numeric_limits<double>::infinity(), 0}};
  found.counters = {1234567890123, 7, 5, {9, 4, 2}, 77};
  found.backend = "cpu";
  found.picture = {640, 481};
  return found;
}

void expect_equal(const Detections& a, const Detections& b) {
  EXPECT_EQ(a.objects, b.objects);
  EXPECT_TRUE(a.counters.same_answer(b.counters));
  EXPECT_EQ(a.backend, b.backend);
  EXPECT_EQ(a.picture, b.picture);
}

ErrorCode refusal(std::span<const std::byte> bytes) {
  try {
    Detections::parse(bytes);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "not refused";
  return ErrorCode::kUsage;
}

// Puts the right checksum on changed bytes, so that their content is read.
void sign(std::vector<std::byte>& bytes) {
  const std::uint32_t sum = crc32(std::span(bytes).subspan(12));
  for (std::size_t i = 0; i < 4; ++i) bytes[8 + i] = static_cast<std::byte>(sum >> (8 * i) & 255);
}

TEST(DetectionsBytes, GiveTheAnswerBack) {
  expect_equal(Detections::parse(sample_answer().to_bytes()), sample_answer());
  expect_equal(Detections::parse(Detections().to_bytes()), Detections());
  Detections nan;
  nan.objects = {{{1, 2, 3, 4}, std::nan("7"), 1}};
  const double score = Detections::parse(nan.to_bytes()).objects[0].score;
  EXPECT_EQ(std::memcmp(&score, &nan.objects[0].score, sizeof score), 0);
}

// The bytes must stay the same, because other machines and later versions read them.
TEST(DetectionsBytes, AreTheDocumentedOnes) {
  Detections found;
  found.objects = {{{1, -2, 3, 4}, 1.5, 6}};
  found.counters = {7, 0, 0, {8}, 9};
  found.backend = "cpu";
  found.picture = {258, 1};
  const std::vector<std::byte> bytes = found.to_bytes();
  const unsigned char wanted[] = {2, 1, 0, 0, 1,   0,   0,   0,   3, 0, 0, 0, 'c', 'p', 'u',  //
                                  7, 0, 0, 0, 0,   0,   0,   0,   0, 0, 0, 0, 0,   0,   0,   0,
                                  0, 0, 0, 0, 0,   0,   0,   0,   9, 0, 0, 0, 0,   0,   0,   0,  //
                                  1, 0, 0, 0, 8,   0,   0,   0,   0, 0, 0, 0, 1,   0,   0,   0,  //
                                  1, 0, 0, 0, 254, 255, 255, 255, 3, 0, 0, 0, 4,   0,   0,   0,
                                  0, 0, 0, 0, 0,   0,   248, 63,  6, 0, 0, 0};
  ASSERT_EQ(bytes.size(), 12 + sizeof wanted);
  EXPECT_EQ(std::memcmp(bytes.data(), "WNDT\x01\0\0\0", 8), 0);
  EXPECT_EQ(std::memcmp(bytes.data() + 12, wanted, sizeof wanted), 0);
}

TEST(DetectionsBytes, EveryDamagedByteIsFound) {
  const std::vector<std::byte> good = sample_answer().to_bytes();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::vector<std::byte> bytes = good;
    bytes[i] ^= std::byte{16};
    const bool version = i >= 4 && i < 8;
    EXPECT_EQ(refusal(bytes), version ? ErrorCode::kUnsupported : ErrorCode::kFormat) << i;
    EXPECT_EQ(refusal(std::span(good).first(i)), ErrorCode::kFormat) << i;
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  EXPECT_EQ(refusal(longer), ErrorCode::kFormat);
}

TEST(DetectionsBytes, WrongNumbersWithARightSumAreRefused) {
  const std::vector<std::byte> good = sample_answer().to_bytes();
  const auto with = [&](std::size_t at, std::size_t size, unsigned value) {
    std::vector<std::byte> bytes = good;
    for (std::size_t i = 0; i < size; ++i) bytes.at(at + i) = static_cast<std::byte>(value);
    sign(bytes);
    return bytes;
  };
  const std::size_t counters = 12 + 12 + 3, reached = counters + 32, objects = reached + 4 + 24;
  for (const std::size_t at : {std::size_t{12}, std::size_t{16}, std::size_t{20}, reached, objects})
    EXPECT_EQ(refusal(with(at, 4, 255)), ErrorCode::kFormat) << at;
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(refusal(with(counters + 8 * i, 8, 255)), ErrorCode::kFormat) << i;
  EXPECT_EQ(refusal(with(reached + 4, 8, 255)), ErrorCode::kFormat);
  const std::size_t box = objects + 4;
  EXPECT_EQ(Detections::parse(with(box, 4, 255)).objects[0].box.x, -1);
  for (const std::size_t at : {box + 8, box + 12, box + 24})
    EXPECT_EQ(refusal(with(at, 4, 255)), ErrorCode::kFormat) << at;
  EXPECT_EQ(refusal(with(box + 28 + 8, 4, 127)), ErrorCode::kFormat);  // the right edge is beyond an int
  EXPECT_EQ(refusal(with(24, 1, 255)), ErrorCode::kFormat);            // the backend's name is no UTF-8
  EXPECT_EQ(refusal(with(reached, 1, 4)), ErrorCode::kFormat);         // a wrong count moves later bytes
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  sign(longer);
  EXPECT_EQ(refusal(longer), ErrorCode::kFormat);
}

// Whatever `parse` would refuse is not written.
TEST(DetectionsBytes, AreNotMadeOfAnImpossibleAnswer) {
  constexpr int kFarthest = std::numeric_limits<int>::max();
  const auto refused = [](auto change) {
    Detections found = sample_answer();
    change(found);
    try {
      found.to_bytes();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kLimit);
      return error.sentence();
    }
    return std::string("written");
  };
  EXPECT_EQ(refused([](Detections& d) { d.backend.assign(256, 'x'); }), "written");
  EXPECT_EQ(refused([](Detections& d) { d.backend.assign(257, 'x'); }),
            "detections: the name of the backend is too long");
  EXPECT_EQ(refused([](Detections& d) { d.backend = "c\xff"; }),
            "detections: the name of the backend is no clean text");
  EXPECT_EQ(refused([](Detections& d) { d.picture.height = -1; }),
            "detections: a side of the picture is below 0");
  EXPECT_EQ(refused([](Detections& d) { d.counters.flat = -1; }), "detections: a counter is below 0");
  EXPECT_EQ(refused([](Detections& d) { d.counters.reached[2] = -1; }), "detections: a counter is below 0");
  EXPECT_EQ(refused([](Detections& d) { d.objects[1].box.height = -1; }),
            "detections: a side of a box is below 0");
  EXPECT_EQ(refused([](Detections& d) { d.objects[0].box = {kFarthest - 3, 0, 3, 1}; }), "written");
  EXPECT_EQ(refused([](Detections& d) {
              d.objects[0].box = {kFarthest - 3, 0, 4, 1};
            }),
            "detections: a box reaches beyond 2^31 pixels");
  EXPECT_EQ(refused([](Detections& d) { d.objects[0].neighbors = -1; }),
            "detections: an object has fewer than 0 neighbours");
}

TEST(DetectionsBytes, AnyBytesAreReadOrRefused) {
  const std::vector<std::byte> good = sample_answer().to_bytes();
  Random random(5);
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes = good;
    for (int change = 0; change < 3; ++change)
      bytes[static_cast<std::size_t>(12 + random.below(static_cast<int>(bytes.size()) - 12))] =
          static_cast<std::byte>(random.below(256));
    sign(bytes);
    try {
      const Detections found = Detections::parse(bytes);
      EXPECT_EQ(found.to_bytes(), bytes);
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kFormat);
    }
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace winnow
