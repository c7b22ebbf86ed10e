// Gives the tests of the guide a scene, drawn pictures, and checks of the table of messages.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <winnow/winnow.h>

inline const std::string kCascade = WINNOW_SCENE "/square.xml", kPicture = WINNOW_SCENE "/squares.pgm";

inline winnow::DetectorModel square_finder() { return winnow::DetectorModel::load(kCascade); }

// Draws bright squares on darker ground that is nowhere flat.
inline winnow::GrayImage draw(winnow::Size size, const std::vector<winnow::Box>& squares, int seed = 0) {
  winnow::GrayImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>(20 + (x * (7 + seed % 5) + y * 13 + seed * 3) % 61);
  }
  for (const winnow::Box& square : squares) {
    for (int y = square.y; y < square.y + square.height; ++y)
      std::fill_n(image.row(y) + square.x, square.width, std::uint8_t{220});
  }
  return image;
}

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The error that `work` throws.
template <class Work>
winnow::Error error_of(Work work) {
  try {
    work();
  } catch (const winnow::Error& error) {
    return error;
  }
  throw std::runtime_error("there was no error");
}

// Fails unless a row of the table of messages holds this text.
inline void expect_row(const std::string& text) {
  EXPECT_NE(text_of(WINNOW_MESSAGES).find("\n| `" + text), std::string::npos) << text;
}
// Fails unless the work throws, and a row of the table of messages holds the sentence.
template <class Work>
void expect_message(winnow::ErrorCode code, Work work) {
  const winnow::Error error = error_of(work);
  EXPECT_EQ(error.code(), code) << error.what();
  expect_row(error.sentence());
}
