// Tests which boxes are the same objects: order, and ties.
#include "track/follow/claims.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(Claims, TheBestPairComesFirstAndEachBoxOnce) {
  const std::vector<double> fits = {0.5, 0.1, 0.9, 0.4};  // objects 0 and 1 with boxes 0 and 1
  const std::vector<Claim> claims = claims_of(fits, 2, 0);
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0].object, 1U);
  EXPECT_EQ(claims[0].box, 0U);
  EXPECT_EQ(claims[1].object, 0U);
  EXPECT_EQ(claims[1].box, 1U);
}

TEST(Claims, TiesGoToTheFirst) {
  const std::vector<double> fits = {1, 1, 1, 1};
  const std::vector<Claim> claims = claims_of(fits, 2, 0);
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0].object, 0U);
  EXPECT_EQ(claims[0].box, 0U);
  EXPECT_EQ(claims[1].object, 1U);
  EXPECT_EQ(claims[1].box, 1U);
}

TEST(Claims, TheBoundDoesNotFit) {
  const std::vector<double> fits = {0.3, 0.31};
  EXPECT_EQ(claims_of(fits, 2, 0.31).size(), 0U);
  EXPECT_EQ(claims_of(fits, 2, 0.3).size(), 1U);
  EXPECT_TRUE(claims_of({}, 0, 0).empty());
}

}  // namespace
}  // namespace winnow
