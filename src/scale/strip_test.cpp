#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "base/simd.h"
#include "base/simd_for_test.h"
#include "scale/integral.h"
#include "scale/strip.h"

namespace winnow {
namespace {

// A tall picture, its integral planes, and a strip that holds some of its columns, a few rows at a time.
class StripTest : public testing::Test {
 protected:
  static constexpr int kWidth = 75, kHeight = 60, kFirst = 16, kStride = 128, kRows = 24;

  void make(unsigned seed) {
    std::mt19937 random(seed);
    picture_ = GrayImage(kWidth, kHeight);
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) picture_.row(y)[x] = static_cast<std::uint8_t>(random());
    }
    for (auto* plane : {&sum_, &square_, &tilted_}) *plane = Image<std::uint32_t>(kWidth + 1, kHeight + 1);
    integral_ref(picture_.view(), {sum_.view(), square_.view(), tilted_.view()});
  }

  void add_rows(Strip& strip, int count) {
    std::vector<std::uint8_t> pixels(kStride, 77);  // pixels beyond `count` may have any value
    while (strip.rows() < kRows && top_ + strip.rows() - 1 < kHeight) {
      std::copy_n(picture_.row(top_ + strip.rows() - 1) + kFirst, count, pixels.begin());
      strip.add_row(pixels.data(), count);
    }
  }

  // Compares sums of rectangles from the strip, which holds rows from `top_` on, with sums from the picture's
  // planes.
  void check(const Strip& strip, int count, bool split, bool square, bool tilted) const {
    const auto rect = [](const auto& at, int x, int y, int w, int h) {
      return at(x, y) - at(x + w, y) - at(x, y + h) + at(x + w, y + h);
    };
    const auto diamond = [](const auto& at, int x, int y, int w, int h) {
      return at(x, y) - at(x - h, y + h) - at(x + w, y + w) + at(x + w - h, y + w + h);
    };
    const auto whole = [&](const Image<std::uint32_t>& plane) {
      return [&](int x, int y) { return plane.row(top_ + y)[kFirst + x]; };
    };
    const auto own = [&](const std::uint32_t* plane) {
      return [plane, &strip](int x, int y) { return plane[y * strip.stride() + x]; };
    };
    const auto low = [&](const std::uint16_t* plane) {
      return
          [plane, &strip](int x, int y) { return static_cast<std::uint32_t>(plane[y * strip.stride() + x]); };
    };
    const auto apart = [&](const auto* plane) {
      return [plane, &strip](int x, int y) {
        return static_cast<std::uint32_t>(plane[y * strip.stride() + x / 2 + (x % 2) * strip.stride() / 2]);
      };
    };
    std::mt19937 random(static_cast<unsigned>(top_ + 1));
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < 400; ++i) {
      const int w = 1 + below(count), h = 1 + below(strip.rows() - 1);
      const int x = below(count - w + 1), y = below(strip.rows() - h);
      const std::uint32_t wanted = rect(whole(sum_), x, y, w, h);
      if (strip.sum() != nullptr) {
        ASSERT_EQ(rect(own(strip.sum()), x, y, w, h), wanted) << x << " " << y << " " << w << " " << h;
      }
      ASSERT_EQ(rect(low(strip.low()), x, y, w, h) & 0xFFFF, wanted & 0xFFFF);
      if (split) {
        ASSERT_EQ(rect(apart(strip.split()), x, y, w, h) & 0xFFFF, wanted & 0xFFFF);
      }
      if (square) {
        const std::uint32_t squares =
            split ? rect(apart(strip.square()), x, y, w, h) : rect(own(strip.square()), x, y, w, h);
        ASSERT_EQ(squares, rect(whole(square_), x, y, w, h));
      }
    }
    for (int i = 0; tilted && i < 400; ++i) {
      const int side = std::min(count, strip.rows() - 1);
      const int w = 1 + below(side - 1), h = 1 + below(side - w);
      const int x = h + below(count - w - h + 1), y = below(strip.rows() - w - h);
      const std::uint32_t wanted = diamond(whole(tilted_), x, y, w, h);
      ASSERT_EQ(diamond(own(strip.tilted()), x, y, w, h), wanted) << x << " " << y << " " << w << " " << h;
      ASSERT_EQ(diamond(low(strip.tilted_low()), x, y, w, h) & 0xFFFF, wanted & 0xFFFF);
      if (split) {
        ASSERT_EQ(diamond(apart(strip.tilted_split()), x, y, w, h) & 0xFFFF, wanted & 0xFFFF);
      }
    }
  }

  // Walks the whole picture, band by band, and drops rows between bands.
  void walk(Strip& strip, int count, bool split, bool square, bool tilted) {
    for (const int start : {0, 7}) {  // the second walk begins with the values that the first has left
      strip.start(split);
      ASSERT_EQ(strip.rows(), 1);
      top_ = start;
      while (true) {
        add_rows(strip, count);
        check(strip, count, split, square, tilted);
        if (HasFatalFailure() || top_ + strip.rows() - 1 >= kHeight) break;
        const int dropped = 1 + top_ % 13;
        const int left = strip.rows() - dropped;
        strip.drop_rows(dropped, count + 1);
        ASSERT_EQ(strip.rows(), left);
        top_ += dropped;
      }
    }
  }

  GrayImage picture_;
  Image<std::uint32_t> sum_, square_, tilted_;
  int top_ = 0;
};

TEST_F(StripTest, RectanglesEqualThoseOfTheIntegralPlanes) {
  const sample::GiveTargetBack give_back;
  for (const std::string& target : simd_targets()) {
    simd_force(target);
    SCOPED_TRACE(target);
    for (unsigned seed = 1; seed <= 3; ++seed) {
      make(seed);
      for (const int count : {3, 8, 17, 24, 31, kWidth - kFirst}) {
        for (int kind = 0; kind < 8; ++kind) {
          SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << count << " pixels, kind " << kind);
          const bool split = (kind & 1) != 0, square = (kind & 2) != 0, tilted = (kind & 4) != 0;
          const bool wide = seed > 1;
          Strip strip({kStride, kRows, wide, square, tilted});
          ASSERT_EQ(strip.sum() != nullptr, wide);
          walk(strip, count, split, square, tilted);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace winnow
