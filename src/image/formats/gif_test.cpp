#include <gtest/gtest.h>

#include <map>

#include "image/files/decode.h"
#include "image/pictures_for_test.h"

namespace winnow {
namespace {

using namespace test;

std::string number(int value) { return {static_cast<char>(value & 255), static_cast<char>(value >> 8)}; }
std::string in_blocks(const std::string& data) {
  std::string text;
  for (std::size_t at = 0; at < data.size(); at += 255) {
    const std::string block = data.substr(at, 255);
    text += static_cast<char>(block.size()) + block;
  }
  return text + '\0';
}

// Packs indexes as GIF does. `most_codes`: the table is cleared once it holds this number.
std::string pack(const std::vector<int>& indexes, int bits, int most_codes = 4096) {
  std::string bytes;
  std::uint32_t waiting = 0;
  int count = 0, width = bits + 1;
  const auto put = [&](int code) {
    for (waiting |= static_cast<std::uint32_t>(code) << count, count += width; count >= 8; count -= 8) {
      bytes += static_cast<char>(waiting & 255);
      waiting >>= 8;
    }
  };
  const int clear = 1 << bits;
  std::map<std::vector<int>, int> table;
  int next = 0;
  const auto reset = [&] {
    put(clear);
    table.clear();
    for (int i = 0; i < clear; ++i) table[{i}] = i;
    next = clear + 2;
    width = bits + 1;
  };
  reset();
  std::vector<int> text;
  for (const int index : indexes) {
    std::vector<int> longer = text;
    longer.push_back(index);
    if (table.count(longer) > 0) {
      text = longer;
      continue;
    }
    put(table[text]);
    text = {index};
    if (next < 4096) {
      if (next == 1 << width) ++width;
      table[longer] = next++;
    }
    if (next >= most_codes && most_codes < 4096) reset();
  }
  put(table[text]);
  if (next == 1 << width && width < 12) ++width;
  put(clear + 1);
  if (count > 0) bytes += static_cast<char>(waiting & 255);
  return static_cast<char>(bits) + in_blocks(bytes);
}

struct Frame {
  int x = 0, y = 0, width = 0, height = 0;
  int packed = 0;      // bits of the descriptor
  std::string colors;  // a palette of its own
};
std::string frame(const Frame& f, const std::string& data) {
  return "," + number(f.x) + number(f.y) + number(f.width) + number(f.height) + static_cast<char>(f.packed) +
         f.colors + data;
}

const std::string kColors = std::string("\x01\x02\x03\xfa\0\x09\x28\xc8\x1e\xff\xff\xff", 12);
const std::vector<Rgb> kPalette{{1, 2, 3}, {250, 0, 9}, {40, 200, 30}, {255, 255, 255}};
const std::string kComment = "!\xfe" + in_blocks("made by a test");

std::string head(int width, int height, int background = 0) {
  return "GIF89a" + number(width) + number(height) + '\x81' + static_cast<char>(background) + '\0' + kColors;
}
std::string gif(int width, int height, const std::vector<int>& indexes, int packed = 0) {
  return head(width, height) + kComment + frame({0, 0, width, height, packed, ""}, pack(indexes, 2)) + ";";
}

std::vector<int> pattern(int width, int height) {
  std::vector<int> indexes;
  for (int i = 0; i < width * height; ++i) indexes.push_back((i % width * 5 + i / width * 3 + i / 7) & 3);
  return indexes;
}
std::vector<Rgb> colors(const std::string& text) {
  const Picture picture = decode_picture(bytes_of(text), {.color = true});
  EXPECT_EQ(pixels(picture.gray), pixels(to_gray(picture.color.view())));
  EXPECT_EQ(pixels(decode_picture(bytes_of(text)).gray), pixels(picture.gray));
  return pixels(picture.color);
}
std::vector<Rgb> painted(const std::vector<int>& indexes) {
  std::vector<Rgb> result;
  for (const int i : indexes) result.push_back(kPalette[static_cast<std::size_t>(i)]);
  return result;
}
ErrorCode code_of(const std::string& text) {
  return error_of([&] { decode_picture(bytes_of(text)); }).code();
}

TEST(Gif, PicturesOfAllSizes) {
  // The last size fills the table of codes, and more.
  for (const Size size : {Size{1, 1}, Size{2, 1}, Size{1, 5}, Size{17, 13}, Size{300, 200}}) {
    const std::vector<int> indexes = pattern(size.width, size.height);
    EXPECT_EQ(colors(gif(size.width, size.height, indexes)), painted(indexes));
  }
  std::string old = gif(3, 1, {1, 2, 3});
  old[4] = '7';
  EXPECT_EQ(colors(old), painted({1, 2, 3}));
}

// The picture of noise needs codes of 12 bits, with and without cleared tables.
TEST(Gif, ALongTableIsKeptOrCleared) {
  std::vector<int> noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 200 * 150; ++i) {
    state = state * 1664525 + 1013904223;
    noise.push_back(static_cast<int>(state >> 24 & 3));
  }
  for (const int most : {4096, 4095, 600, 9}) {
    const std::string text = head(200, 150) + frame({0, 0, 200, 150, 0, ""}, pack(noise, 2, most)) + ";";
    EXPECT_EQ(colors(text), painted(noise)) << most;
  }
}

TEST(Gif, InterlacedRows) {
  for (const int height : {1, 2, 3, 4, 5, 8, 9, 19}) {
    const std::vector<int> indexes = pattern(3, height);
    std::vector<int> order, stored;
    for (int y = 0; y < height; y += 8) order.push_back(y);
    for (int y = 4; y < height; y += 8) order.push_back(y);
    for (int y = 2; y < height; y += 4) order.push_back(y);
    for (int y = 1; y < height; y += 2) order.push_back(y);
    for (const int y : order)
      stored.insert(stored.end(), indexes.begin() + y * 3, indexes.begin() + y * 3 + 3);
    EXPECT_EQ(colors(gif(3, height, stored, 0x40)), painted(indexes)) << height;
  }
}

TEST(Gif, ThePictureLiesOnAScreen) {
  const std::string inside = head(4, 3, 2) + frame({1, 1, 2, 1, 0, ""}, pack({1, 3}, 2)) + ";";
  EXPECT_EQ(colors(inside), painted({2, 2, 2, 2, 2, 1, 3, 2, 2, 2, 2, 2}));
  const std::string outside = head(1, 1, 0) + frame({1, 1, 2, 1, 0, ""}, pack({1, 3}, 2)) + ";";
  EXPECT_EQ(decode_picture(bytes_of(outside)).gray.size(), (Size{3, 2}));
  EXPECT_EQ(colors(outside), painted({0, 0, 0, 0, 1, 3}));
}

TEST(Gif, APaletteOfItsOwn) {
  const std::string own = std::string("\x07\x08\x09\0\0\xff", 6);
  const std::string text = head(2, 1) + frame({0, 0, 2, 1, 0x80, own}, pack({1, 0}, 2)) + ";";
  EXPECT_EQ(colors(text), (std::vector<Rgb>{{0, 0, 255}, {7, 8, 9}}));
  // Without any palette.
  const std::string none = "GIF89a" + number(2) + number(1) + std::string(3, '\0') +
                           frame({0, 0, 2, 1, 0, ""}, pack({1, 0}, 2)) + ";";
  EXPECT_EQ(error_of([&] { decode_picture(bytes_of(none)); }).sentence(), "GIF: it has no colours");
}

TEST(Gif, TheFirstPictureIsReadAndOthersAreCounted) {
  const std::string control = std::string("!\xf9\x04\x05\0\0\x03\0", 8);
  const std::string one = control + frame({0, 0, 2, 1, 0, ""}, pack({3, 1}, 2));
  const std::string own = frame({0, 0, 1, 1, 0x80, std::string(6, 'x')}, pack({0}, 2));
  const auto others = [](const std::string& text) { return decode_gif(bytes_of(text), {}).others; };
  EXPECT_EQ(colors(head(2, 1) + one + own + one + ";"), painted({3, 1}));
  EXPECT_EQ(others(head(2, 1) + one + ";"), 0);
  EXPECT_EQ(others(head(2, 1) + one + own + kComment + one + ";"), 2);
  EXPECT_EQ(others(head(2, 1) + one + own + one.substr(0, 14)), 1);
  EXPECT_EQ(others(head(2, 1) + one + "x" + one), 0);
}

TEST(Gif, EveryShorterFileIsAnError) {
  const std::string whole = gif(17, 13, pattern(17, 13), 0x40);
  // The picture is whole before the last code, the end of its blocks and the end of the file.
  for (std::size_t size = 0; size + 4 < whole.size(); ++size)
    EXPECT_EQ(code_of(whole.substr(0, size)), ErrorCode::kFormat) << size;
}

TEST(Gif, AnyBrokenByteIsAnErrorOrAPicture) {
  EXPECT_GT(errors_of_broken_bytes(bytes_of(gif(17, 13, pattern(17, 13)))), 30);
}

TEST(Gif, SizesAreCheckedBeforeMemoryIsAskedFor) {
  const auto claim = [](int width, int height) {
    return head(1, 1) + frame({0, 0, width, height, 0, ""}, pack({1}, 2)) + ";";
  };
  EXPECT_EQ(code_of(claim(0xFFFF, 0xFFFF)), ErrorCode::kLimit);
  EXPECT_EQ(code_of(claim(16000, 16000)), ErrorCode::kFormat);
  EXPECT_EQ(code_of(claim(0, 1)), ErrorCode::kFormat);
  EXPECT_EQ(code_of(head(17000, 17000) + frame({0, 0, 1, 1, 0, ""}, pack({1}, 2)) + ";"), ErrorCode::kLimit);
  const std::string small = gif(10, 10, pattern(10, 10));
  EXPECT_NO_THROW(decode_picture(bytes_of(small), {.max_pixels = 100}));
  EXPECT_EQ(error_of([&] { decode_picture(bytes_of(small), {.max_pixels = 99}); }).code(), ErrorCode::kLimit);
}

TEST(Gif, RefusesWhatIsNotRight) {
  const auto sentence = [](const std::string& text) {
    return error_of([&] { decode_picture(bytes_of(text)); }).sentence();
  };
  EXPECT_EQ(sentence(head(1, 1) + ";"), "GIF: it holds no picture");
  EXPECT_EQ(sentence(head(1, 1) + "x"), "GIF: a block of an unknown kind");
  const auto data = [](const std::string& text) {
    return head(2, 2) + frame({0, 0, 2, 2, 0, ""}, text) + ";";
  };
  EXPECT_EQ(sentence(data("\x09\x01x")), "GIF: its codes have an unknown size");
  EXPECT_EQ(sentence(data(std::string("\0\x01x", 3))), "GIF: its codes have an unknown size");
  // Codes of 3 bits: 4 clears, and 6 is not made yet.
  EXPECT_EQ(sentence(data(std::string("\x02\x01\x34\0", 4))), "GIF: a code has no meaning");
  // The blocks end after one pixel, without and with a code for the end.
  EXPECT_EQ(sentence(head(2, 1) + frame({0, 0, 2, 1, 0, ""}, "\x02" + in_blocks("\x4c")) + ";"),
            "GIF: the picture ends early");
  EXPECT_EQ(sentence(data("\x02" + in_blocks(std::string("\x4c\x01", 2)))), "GIF: the picture ends early");
}

}  // namespace
}  // namespace winnow
