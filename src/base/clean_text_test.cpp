// Tests that a name takes one line in messages, whatever its bytes are.
#include "base/clean_text.h"

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <string>

namespace winnow {
namespace {

TEST(CleanText, OneLineShowsControlCharacters) {
  EXPECT_EQ(one_line("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(one_line(std::string_view("\0\x1b[2J\x7f", 6)), "\\x00\\x1b[2J\\x7f");
  EXPECT_EQ(one_line("caf\xc3\xa9 \xff \\n"), "caf\xc3\xa9 \xff \\n");  // other bytes stay
}

TEST(CleanText, AnErrorShowsTheNameOnOneLine) {
  const Error error(ErrorCode::kIo, "cannot open", "a\nb.jpg");
  EXPECT_STREQ(error.what(), "a\\nb.jpg: cannot open");
  EXPECT_EQ(error.file(), "a\nb.jpg");
}

}  // namespace
}  // namespace winnow
