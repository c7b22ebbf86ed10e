#include "page/html.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(Html, APathBecomesALink) {
  EXPECT_EQ(path_link("../safe/walk-1_a.b~c.mp4"), "../safe/walk-1_a.b~c.mp4");
  EXPECT_EQ(path_link("a b/50%#1?.jpg"), "a%20b/50%25%231%3F.jpg");
  EXPECT_EQ(path_link("\"'<&>:\n"), "%22%27%3C%26%3E%3A%0A");
  EXPECT_EQ(path_link("\xC3\xA4\xFF"), "%C3%A4%FF");
  EXPECT_EQ(path_link(""), "");
}

}  // namespace
}  // namespace winnow
