#include "feed/address.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(Address, IsASchemeBeforeTheMark) {
  EXPECT_TRUE(is_address("rtsp://camera/live"));
  EXPECT_TRUE(is_address("s3://bucket"));
  for (const char* name : {"://a", "a b://c", "1a://b", "photos/a.jpg", ""})
    EXPECT_FALSE(is_address(name)) << name;
}

TEST(Address, NumbersOfCamerasHaveThreeDigitsAtMost) {
  EXPECT_TRUE(is_camera_number("0"));
  EXPECT_TRUE(is_camera_number("123"));
  for (const char* name : {"", "1234", "1a", "-1"}) EXPECT_FALSE(is_camera_number(name)) << name;
}

TEST(Address, ShowsNoSecrets) {
  const Input input = input_of_address("RTSP://me:p@s/s?w@10.0.0.5:554/Streams/1?token=x");
  EXPECT_EQ(input.kind, InputKind::kCamera);
  EXPECT_EQ(input.path, "RTSP://10.0.0.5:554/Streams/1");
  EXPECT_EQ(input.address, "rtsp://me:p@s/s?w@10.0.0.5:554/Streams/1?token=x");
  EXPECT_EQ(input.place, "10-0-0-5-554-1");
}

TEST(Address, GivesItsCopyAName) {
  EXPECT_EQ(input_of_address("http://a.b/c/walk.mp4?x").place, "a-b-walk.mp4");
  EXPECT_EQ(input_of_address("https://a.b").place, "a-b");
  EXPECT_EQ(input_of_address("http://[::1]/").place, "1");
  EXPECT_EQ(input_of_address("http://").place, "address");
  EXPECT_EQ(input_of_address("http://a/" + std::string(300, 'x')).place.size(), 100u);
}

TEST(Address, IsBrokenIfItIsNotServed) {
  for (const char* name : {"file://a.mp4", "ftp://me:pw@h/a.mp4", "http://a/b.m3u8?x", "https://a/b.M3U"}) {
    const Input input = input_of_address(name);
    EXPECT_EQ(input.kind, InputKind::kBroken) << name;
    EXPECT_EQ(input.address, "") << name;
    EXPECT_EQ(input.path.find("pw"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace winnow
