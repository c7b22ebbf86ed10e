// Compares two grey pictures, for tests.
//
// In:     views of any stride.
// Out:    the first pixel that differs, as a failed assertion.
// Exact:  pixels must be equal.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include <winnow/image.h>

namespace winnow::sample {

inline void expect_same(GrayView got, GrayView wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (int y = 0; y < wanted.height; ++y) {
    const int at =
        static_cast<int>(std::mismatch(got.row(y), got.row(y) + got.width, wanted.row(y)).first - got.row(y));
    ASSERT_EQ(at, wanted.width) << "row " << y << ", column " << at << ": " << int{got.row(y)[at]} << ", not "
                                << int{wanted.row(y)[at]};
  }
}

}  // namespace winnow::sample
