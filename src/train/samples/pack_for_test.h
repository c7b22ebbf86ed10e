// Gives folders, pictures and `.vec` files for the tests of packs.
//
// Memory: a `Folder` owns a folder on disk and removes it at its end.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <winnow/error.h>
#include <winnow/image.h>
#include <winnow/pack.h>

#include "base/error_for_test.h"
#include "base/folder_for_test.h"
#include "image/texture_for_test.h"

namespace winnow::sample {

class Folder : public TestFolder {
 public:
  std::string operator/(const std::string& name) const {
    const std::filesystem::path inside = std::filesystem::path(path()) / name;
    std::filesystem::create_directories(inside.parent_path());
    return inside.string();
  }
  std::string put(const std::string& name, const std::string& text) const {
    const std::string path = *this / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string put(const std::string& name, GrayView image) const {
    const std::string path = *this / name;
    write_picture(path, image);
    return path;
  }
};

inline PackNote keep(std::vector<std::string>& notes) {
  return [&notes](const std::string& note) { notes.push_back(note); };
}

// A .vec file of these samples, each a list of values.
inline std::string vec_of(const std::vector<std::vector<int>>& samples) {
  std::string file;
  const auto put = [&](std::int64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) file += static_cast<char>(value >> 8 * i & 255);
  };
  put(static_cast<std::int64_t>(samples.size()), 4);
  put(static_cast<std::int64_t>(samples.empty() ? 0 : samples[0].size()), 4);
  put(0, 4);
  for (const auto& sample : samples) {
    put(0, 1);
    for (const int value : sample) put(value, 2);
  }
  return file;
}

}  // namespace winnow::sample
