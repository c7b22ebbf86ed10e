#include "pictures.h"

#include <winnow/error.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "hashes.h"

using winnow::GrayImage;
using winnow::GrayView;
using winnow::Size;

namespace conformance {
namespace {

std::vector<Size> parse_sizes(const std::string& text) {
  std::vector<Size> list;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    Size size;
    if (std::sscanf(word.c_str(), "%dx%d", &size.width, &size.height) != 2 || size.width < 1 ||
        size.height < 1)
      throw winnow::Error(winnow::ErrorCode::kUsage, "a size is WxH, not " + word);
    list.push_back(size);
  }
  return list;
}

// Draws rectangles and noise from a small generator.
GrayImage drawn(Size size, std::size_t start) {
  GrayImage image(size.width, size.height);
  std::uint32_t state = static_cast<std::uint32_t>(start) * 2654435761u + 1;
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      state = state * 1664525u + 1013904223u;
      image.row(y)[x] = static_cast<std::uint8_t>(
          ((x / 9 * 7 + y / 11 * 13 + static_cast<int>(start)) * 37 & 191) + (state >> 26));
    }
  }
  return image;
}

// Lays the pictures side by side and row under row, beginning with number `start`.
GrayImage mosaic(const std::vector<NamedPicture>& pictures, Size size, std::size_t start) {
  GrayImage image(size.width, size.height);
  std::size_t next = start;
  for (int top = 0; top < size.height;) {
    int lowest = size.height;
    for (int left = 0; left < size.width;) {
      const GrayView from = pictures[next++ % pictures.size()].gray.view();
      for (int y = 0; y < from.height && top + y < size.height; ++y) {
        const int count = std::min(from.width, size.width - left);
        std::copy_n(from.row(y), count, image.row(top + y) + left);
      }
      lowest = std::min(lowest, top + from.height);
      left += from.width;
    }
    top = lowest;
  }
  return image;
}

}  // namespace

std::vector<NamedPicture> read_pictures(const std::vector<std::string>& files, const std::string& sizes) {
  std::vector<NamedPicture> pictures;
  const auto named = [](std::string name, GrayImage gray) {
    const std::uint64_t pixels = hash_of(gray.view());
    return NamedPicture{std::move(name), std::move(gray), pixels};
  };
  for (const std::string& file : files)
    pictures.push_back(
        named(std::filesystem::path(file).filename().string(), winnow::read_picture(file).gray));
  std::ranges::sort(pictures, {}, [](const NamedPicture& p) { return std::pair(p.name, p.pixels); });
  std::vector<NamedPicture> made;
  for (const Size& size : parse_sizes(sizes)) {
    for (std::size_t i = 0; i < (pictures.empty() ? 9 : 2); ++i) {
      const std::string name =
          "made/" + std::to_string(size.width) + "x" + std::to_string(size.height) + "/" + std::to_string(i);
      made.push_back(named(name, pictures.empty() ? drawn(size, i * 5) : mosaic(pictures, size, i * 5)));
    }
  }
  std::ranges::move(made, std::back_inserter(pictures));
  std::ranges::stable_sort(pictures, {}, [](const NamedPicture& p) {
    return std::pair(std::int64_t{p.gray.width()} * p.gray.height(), p.gray.width());
  });
  return pictures;
}

}  // namespace conformance
