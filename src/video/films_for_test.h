// Makes videos of a moving square for tests, and a folder for them that is removed after the test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <winnow/error.h>
#include <winnow/video.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/error_for_test.h"

namespace winnow {

namespace fs = std::filesystem;

class Video : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "winnow_video_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

constexpr Rgb kBack{40, 90, 160}, kSquare{220, 200, 30};
constexpr int kSide = 16;

// A square that moves 4 pixels a frame along the top of a plain background.
inline RgbImage drawn(Size size, int index) {
  RgbImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const int left = 8 + 4 * index;
      image.row(y)[x] = y >= 8 && y < 8 + kSide && x >= left && x < left + kSide ? kSquare : kBack;
    }
  }
  return image;
}

inline void make_video(const std::string& path, Size size, int frames, double rate = 25, double start = 0,
                       const std::string& source = {}) {
  VideoWriter writer(path, VideoInfo{size, rate, 0, 0, false}, source);
  for (int i = 0; i < frames; ++i) writer.write(drawn(size, i).view(), start + i / rate);
  writer.finish();
}

inline bool near(Rgb a, Rgb b, int tolerance = 6) {
  return std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance &&
         std::abs(a.b - b.b) <= tolerance;
}

inline std::vector<char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put_bytes(const std::string& path, const std::vector<char>& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline int count_frames(VideoReader& reader) {
  VideoFrame frame;
  int count = 0;
  while (reader.next(frame)) ++count;
  return count;
}

inline bool ffmpeg(const std::string& arguments) {
  return std::system(("ffmpeg -v error -nostdin -y " + arguments + " >/dev/null 2>&1").c_str()) == 0;
}
inline bool ffmpeg_is_here() { return std::system("ffmpeg -version >/dev/null 2>&1") == 0; }

// Half a second of 16-bit mono silence with a click, at 8 kHz.
inline void make_wav(const std::string& path, int samples = 4000) {
  std::vector<char> bytes;
  const auto text = [&](const char* t) { bytes.insert(bytes.end(), t, t + 4); };
  const auto number = [&](std::uint32_t v, int n) {
    for (int i = 0; i < n; ++i) bytes.push_back(static_cast<char>(v >> (8 * i)));
  };
  const auto size = static_cast<std::uint32_t>(samples * 2);
  text("RIFF"), number(36 + size, 4), text("WAVE"), text("fmt "), number(16, 4), number(1, 2), number(1, 2);
  number(8000, 4), number(16000, 4), number(2, 2), number(16, 2), text("data"), number(size, 4);
  for (int i = 0; i < samples; ++i) number(i == 1000 ? 20000u : 0u, 2);
  put_bytes(path, bytes);
}

}  // namespace winnow
