#include "heif/heif_guard.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <winnow/error.h>

#include "heif/coded_size.h"

namespace winnow {
namespace {

using Bytes = std::vector<std::byte>;

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes from_hex(std::string_view hex) {
  Bytes bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

Bytes number(std::uint64_t value, int size) {
  Bytes bytes;
  for (int i = size - 1; i >= 0; --i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 255));
  return bytes;
}

class BitWriter {
 public:
  BitWriter& put(std::uint64_t value, int count) {
    for (int i = count - 1; i >= 0; --i) {
      if (used_ % 8 == 0) bytes_.push_back(std::byte{0});
      if ((value >> i & 1) != 0) bytes_.back() |= std::byte{128} >> (used_ % 8);
      ++used_;
    }
    return *this;
  }
  BitWriter& exp_golomb(std::uint64_t value) {
    int bits = 1;
    while (((value + 1) >> bits) != 0) ++bits;
    return put(0, bits - 1).put(value + 1, bits);
  }
  BitWriter& ones(int count) {
    for (; count > 0; --count) put(1, 1);
    return *this;
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
  int used_ = 0;
};

// A sequence parameter set of HEVC with further layers, of which the last one has a profile and a level.
Bytes hevc_unit(int width, int height, int layers = 0) {
  BitWriter bits;
  bits.put(0x4201, 16).ones(4).put(static_cast<std::uint64_t>(layers), 3).ones(1 + 96);
  for (int i = 0; i < layers; ++i) bits.put(i + 1 == layers ? 3 : 0, 2);
  if (layers > 0) bits.ones(2 * (8 - layers) + 96);
  return bits.exp_golomb(0)
      .exp_golomb(3)
      .put(0, 1)
      .exp_golomb(static_cast<std::uint64_t>(width))
      .exp_golomb(static_cast<std::uint64_t>(height))
      .ones(8)
      .bytes();
}

// A unit of AV1 with its size.
Bytes av1_unit(int kind, const Bytes& data) {
  return number(static_cast<std::uint64_t>(kind << 3 | 2), 1) + number(data.size(), 1) + data;
}
Bytes av1_still(int width, int height) {
  BitWriter bits;
  bits.put(0b00011, 5).put(0, 5).put(15, 4).put(15, 4);
  return av1_unit(1, bits.put(static_cast<std::uint64_t>(width - 1), 16)
                         .put(static_cast<std::uint64_t>(height - 1), 16)
                         .ones(20)
                         .bytes());
}
// A sequence of 16x16 pixels, whose sides have 10 and 11 bits, and a frame with or without a size of its own.
Bytes av1_video(bool overrides) {
  BitWriter sequence, frame;
  sequence.put(0, 5).put(1, 1).put(0, 64).put(0, 1).put(1, 1);   // times
  sequence.put(7, 5).put(0, 32).put(9, 5).put(3, 5);             // a model with times of 4 bits
  sequence.put(1, 1).put(1, 5);                                  // delays, two points
  sequence.put(0, 12).put(8, 5).put(1, 1).put(1, 1).put(0, 17);  // a tier, delays of 8 bits
  sequence.put(1, 1).put(0, 4);                                  // a display delay
  sequence.put(0, 12).put(7, 5).put(0, 1).put(0, 1);             // nothing more
  sequence.put(9, 4).put(10, 4).put(15, 10).put(15, 11);         // sizes
  sequence.put(1, 1).put(2, 4).put(1, 3);                        // names of frames, of 6 bits
  sequence.put(0, 7).put(1, 1).put(3, 2).put(1, 1).put(1, 1).ones(8);
  frame.put(0, 1).put(0, 2).put(1, 1).put(0, 4).put(0, 1).put(1, 1).put(0, 1).put(0, 6);
  frame.put(overrides ? 1 : 0, 1).put(0, 20);
  return av1_unit(2, {}) + av1_unit(1, sequence.bytes()) + av1_unit(6, frame.bytes());
}

Bytes box(std::string_view name, const Bytes& data) {
  Bytes head = number(data.size() + 8, 4);
  for (const char c : name) head.push_back(static_cast<std::byte>(c));
  return head + data;
}
Bytes full(std::string_view name, const Bytes& data, int version = 0) {
  return box(name, number(static_cast<std::uint64_t>(version) << 24, 4) + data);
}

struct TestItem {
  std::string kind;
  Bytes data;
  std::vector<int> parts;  // numbers of items, from 1 on
};

// A file whose items have the given bytes, each bytes in `repeats` extents.
Bytes heif(const std::vector<TestItem>& items, const Bytes& properties = {}, int repeats = 1,
           std::string_view reference = "dimg") {
  Bytes kinds, references, places, data;
  const auto count = number(items.size(), 2);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& item = items[i];
    Bytes kind = number(i + 1, 2) + number(0, 2), to;
    for (const char c : item.kind) kind.push_back(static_cast<std::byte>(c));
    kinds = kinds + full("infe", kind, 2);
    for (const int part : item.parts) to = to + number(static_cast<std::uint64_t>(part), 2);
    if (!to.empty())
      references = references + box(reference, number(i + 1, 2) + number(to.size() / 2, 2) + to);
    places = places + number(i + 1, 2) + number(1, 2) + number(0, 2) +
             number(static_cast<std::uint64_t>(repeats), 2);
    for (int r = 0; r < repeats; ++r) places = places + number(data.size(), 4) + number(item.data.size(), 4);
    data = data + item.data;
  }
  // The bytes lie inside.
  return box("ftyp", number(0, 8)) +
         full("meta", full("iloc", number(0x4400, 2) + count + places, 1) + full("iinf", count + kinds) +
                          full("iref", references) + box("iprp", box("ipco", properties)) +
                          box("idat", data));
}

ErrorCode code_of(const Bytes& file, std::int64_t max_pixels = 1 << 20) {
  try {
    guard_heif(file, max_pixels);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode{};
}
constexpr ErrorCode kNone{};  // kUsage, which no file causes

Bytes hevc_box(const Bytes& unit) {
  return box("hvcC", Bytes(22) + number(1, 1) + number(33, 1) + number(1, 2) + number(unit.size(), 2) + unit);
}

TEST(CodedSize, Hevc) {
  const Bytes real =
      from_hex("42010103700000030090000003000003001ea020810596ea4929ae6e04040c08000003000800000300084022");
  EXPECT_EQ(hevc_unit_size(real).width, 64);
  EXPECT_EQ(hevc_unit_size(real).height, 64);
  for (const int layers : {0, 1, 6}) {
    const Bytes unit = hevc_unit(16384, 70, layers);
    EXPECT_EQ(hevc_unit_size(unit).width, 16384) << layers;
    EXPECT_EQ(hevc_unit_size(unit).height, 70) << layers;
    const Bytes other = from_hex("4401ffff");
    EXPECT_EQ(hevc_size(number(4, 4) + other + number(unit.size(), 4) + unit + number(9, 4) + other).height,
              70);
  }
  EXPECT_EQ(hevc_unit_size(from_hex("4401ffffffffffffffffffffffffffffffffffff")).pixels(), 0);
  for (std::size_t size = 0; size < real.size(); ++size)
    EXPECT_LE(hevc_unit_size({real.data(), size}).width, 1 << 30);
}

TEST(CodedSize, Av1) {
  bool whole = false;
  const CodedSize real =
      av1_size(from_hex("12000a08180cbfb0408081a132131c8029a69a44004a852eb34fb0ebee54"), whole);
  EXPECT_EQ(real.width, 16);
  EXPECT_EQ(real.height, 8);
  EXPECT_FALSE(whole);  // the picture is cut
  EXPECT_EQ(av1_size(av1_still(65536, 300), whole).pixels(), 65536 * 300);
  EXPECT_TRUE(whole);
  EXPECT_EQ(av1_size(av1_still(20, 300) + av1_still(20, 200), whole).height, 300);
  EXPECT_EQ(av1_size(av1_video(false), whole).pixels(), 16 * 16);
  EXPECT_EQ(av1_size(av1_video(true), whole).pixels(), 1024 * 2048);
  av1_size(from_hex("0a"), whole);
  EXPECT_FALSE(whole);
  av1_size(from_hex("08"), whole);
  EXPECT_FALSE(whole);
}

TEST(HeifGuard, CodedPictures) {
  const auto hevc = [](int width, int height) {
    const Bytes unit = hevc_unit(width, height);
    return number(unit.size(), 4) + unit;
  };
  EXPECT_EQ(code_of(heif({{"hvc1", hevc(1024, 1024), {}}})), kNone);
  EXPECT_EQ(code_of(heif({{"hvc1", hevc(1087, 1087), {}}})), kNone);  // padded
  EXPECT_EQ(code_of(heif({{"hvc1", hevc(1088, 1088), {}}})), ErrorCode::kLimit);
  EXPECT_EQ(code_of(heif({{"mime", hevc(1088, 1088), {}}})), kNone);
  EXPECT_EQ(code_of(heif({{"av01", av1_still(1088, 1088), {}}})), ErrorCode::kLimit);
  EXPECT_EQ(code_of(heif({{"av01", av1_video(true), {}}}), 512 * 512), ErrorCode::kLimit);
  EXPECT_EQ(code_of(heif({{"av01", av1_video(false), {}}}), 512 * 512), kNone);
  EXPECT_EQ(code_of(heif({{"av01", {}, {}}})), ErrorCode::kFormat);
}

TEST(HeifGuard, Properties) {
  EXPECT_EQ(code_of(heif({}, hevc_box(hevc_unit(1024, 1024)))), kNone);
  EXPECT_EQ(code_of(heif({}, hevc_box(hevc_unit(4096, 1024)))), ErrorCode::kLimit);
  EXPECT_EQ(code_of(heif({}, box("av1C", Bytes(4)))), kNone);
  EXPECT_EQ(code_of(heif({}, box("av1C", Bytes(4) + av1_still(64, 64)))), kNone);
  EXPECT_EQ(code_of(heif({}, box("av1C", Bytes(4) + av1_still(4096, 4096)))), ErrorCode::kLimit);
  EXPECT_EQ(code_of(heif({}, box("av1C", Bytes(4) + from_hex("0a08180c")))), ErrorCode::kFormat);
}

TEST(HeifGuard, Grids) {
  const auto grid = [](std::uint64_t width, std::uint64_t height, bool large) {
    const int size = large ? 4 : 2;
    return heif(
        {{"grid", number(large ? 1 : 0, 2) + Bytes(2) + number(width, size) + number(height, size), {}}});
  };
  for (const bool large : {false, true}) {
    EXPECT_EQ(code_of(grid(2048, 512, large)), kNone);
    EXPECT_EQ(code_of(grid(2048, 513, large)), ErrorCode::kLimit);
  }
  EXPECT_EQ(code_of(grid(0xFFFFFFFF, 0xFFFFFFFF, true)), ErrorCode::kLimit);
}

TEST(HeifGuard, OverlaysAreNotRead) {
  EXPECT_EQ(code_of(heif({{"iovl", {}, {2}}, {"hvc1", {}, {}}})), ErrorCode::kUnsupported);
}

TEST(HeifGuard, PartsArePictures) {
  EXPECT_EQ(code_of(heif({{"grid", number(0, 8), {2}}, {"hvc1", {}, {}}})), kNone);
  EXPECT_EQ(code_of(heif({{"grid", number(0, 8), {2}}, {"Exif", {}, {}}})), ErrorCode::kFormat);
  EXPECT_EQ(code_of(heif({{"grid", number(0, 8), {3}}, {"hvc1", {}, {}}})), ErrorCode::kFormat);
}

TEST(HeifGuard, PicturesMadeOfThemselves) {
  EXPECT_EQ(code_of(heif({{"iden", {}, {2}}, {"hvc1", {}, {}}})), kNone);
  EXPECT_EQ(code_of(heif({{"iden", {}, {1}}})), ErrorCode::kFormat);
  EXPECT_EQ(code_of(heif({{"iden", {}, {2}}, {"iden", {}, {1}}})), ErrorCode::kFormat);
  EXPECT_EQ(code_of(heif({{"hvc1", {}, {2}}, {"hvc1", {}, {1}}}, {}, 1, "auxl")), ErrorCode::kFormat);
  EXPECT_EQ(code_of(heif({{"hvc1", {}, {2}}, {"hvc1", {}, {1}}}, {}, 1, "cdsc")), kNone);
  for (const int count :
       {8, 9}) {  // in both directions, since items are visited in the order of their numbers
    std::vector<TestItem> up(static_cast<std::size_t>(count), {"iden", {}, {}}), down = up;
    for (int i = 1; i < count; ++i) {
      up[static_cast<std::size_t>(i - 1)].parts = {i + 1};
      down[static_cast<std::size_t>(i)].parts = {i};
    }
    EXPECT_EQ(code_of(heif(up)), count == 8 ? kNone : ErrorCode::kFormat);
    EXPECT_EQ(code_of(heif(down)), count == 8 ? kNone : ErrorCode::kFormat);
  }
  std::vector<TestItem> many(4, {"grid", {}, {}});
  for (int i = 0; i < 3; ++i) many[static_cast<std::size_t>(i)].parts.assign(100, i + 2);
  EXPECT_EQ(code_of(heif(many)), ErrorCode::kLimit);
}

TEST(HeifGuard, SharedBytes) {
  const Bytes data(1 << 12);
  EXPECT_EQ(code_of(heif({{"Exif", data, {}}, {"mime", data, {}}})), kNone);
  EXPECT_EQ(code_of(heif({{"Exif", data, {}}, {"mime", data, {}}}, {}, 20)), ErrorCode::kLimit);
}

TEST(HeifGuard, CutFiles) {
  const Bytes file =
      heif({{"grid", number(0, 8), {2}}, {"av01", av1_video(true), {}}}, hevc_box(hevc_unit(64, 64)), 2);
  for (std::size_t size = 0; size < file.size(); ++size) {
    const ErrorCode code = code_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}, 1 << 21);
    EXPECT_TRUE(code == kNone || code == ErrorCode::kFormat) << size;
  }
  EXPECT_EQ(code_of(file, 1 << 21), kNone);
}

}  // namespace
}  // namespace winnow
