#include "model/numbers.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(Numbers, ReadsWhatOpenCvFilesHold) {
  float f = 0;
  for (const auto& [text, value] : {std::pair<const char*, float>{"1", 1.f},
                                    {"+1", 1.f},
                                    {"-1.", -1.f},
                                    {".5", .5f},
                                    {"-.5", -.5f},
                                    {"1e-3", 1e-3f},
                                    {"1.2963959574699402e-01", 1.2963959574699402e-01f},
                                    {"1.6915600746870041e-002", 1.6915600746870041e-002f},
                                    {"0", 0.f},
                                    {"010.", 10.f},
                                    {"3.4028234663852886e+38", std::numeric_limits<float>::max()},
                                    {"1e-60", 0.f}}) {
    EXPECT_EQ(parse_number(text, f), nullptr) << text;
    EXPECT_EQ(f, value) << text;
  }
  std::int32_t i = 0;
  for (const auto& [text, value] : {std::pair<const char*, int>{"20.", 20},
                                    {"+7", 7},
                                    {"-1", -1},
                                    {"2e1", 20},
                                    {"-2147483648", -2147483647 - 1}}) {
    EXPECT_EQ(parse_number(text, i), nullptr) << text;
    EXPECT_EQ(i, value) << text;
  }
}

TEST(Numbers, IsCastFromDouble) {
  // The number lies just above the middle between 1 and the next float. The nearest double is the middle
  // itself, which rounds to the even float, 1.
  float f = 0;
  EXPECT_EQ(parse_number("1.000000059604644775390625000000001", f), nullptr);
  EXPECT_EQ(f, 1.f);
}

TEST(Numbers, RefusesTheRest) {
  float f = 0;
  for (const char* text :
       {"",          "+",    "-",    "+-1",     "--1",   "1.5x", "0x10", "nan", "NaN", ".Nan",      "inf",
        "-Infinity", ".Inf", "1e39", "-3.5e38", "1e400", "1,5",  "1e",   "010", "-07", "4294967296"}) {
    EXPECT_NE(parse_number(text, f), nullptr) << text;
  }
  std::int32_t i = 0;
  for (const char* text : {"1.5", "2147483648", "-2147483649", "3e9", "1e300", "nan", "", "00"}) {
    EXPECT_NE(parse_number(text, i), nullptr) << text;
  }
}

TEST(Numbers, WritesWhatReadsBackToTheSameBits) {
  std::mt19937 random(7);
  for (int n = 0; n < 200000; ++n) {
    std::uint32_t bits = random();
    if (n == 0) bits = 0x80000000;
    if (n == 1) bits = 1;
    if ((bits & 0x7f800000) == 0x7f800000) continue;
    const float value = std::bit_cast<float>(bits);
    std::string text;
    append_real(text, value);
    float back = 0;
    ASSERT_EQ(parse_number(text, back), nullptr) << text;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(back), bits) << text;
    ASSERT_NE(text.find_first_of(".e"), std::string::npos) << text << " looks like an integer to OpenCV";
  }
}

}  // namespace
}  // namespace winnow
