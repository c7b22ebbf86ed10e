// Tests the lines for tracks, to the byte.
#include <gtest/gtest.h>
#include <winnow/answer.h>

namespace winnow {
namespace {

TrackResult result() {
  TrackResult result{"a \"b\".mp4", 7, 0.28, {640, 480}, {}, ""};
  result.tracks.push_back({1, TrackState::kFound, {1.005, -2.5, 30, 40.126}, 0.98765});
  result.tracks.push_back({4, TrackState::kLost, {10, 20, 30, 40}, 0});
  return result;
}

TEST(TrackLines, OfJson) {
  EXPECT_EQ(track_header(ResultFormat::kJsonLines), "");
  EXPECT_EQ(
      track_lines(result()),
      "{\"source\":\"a \\\"b\\\".mp4\",\"frame\":7,\"time\":0.28,\"width\":640,\"height\":480,\"tracks\":["
      "{\"id\":1,\"x\":1,\"y\":-2.5,\"width\":30,\"height\":40.13,\"confidence\":0.988,\"state\":\"found\"},"
      "{\"id\":4,\"x\":10,\"y\":20,\"width\":30,\"height\":40,\"confidence\":0,\"state\":\"lost\"}]}\n");
  EXPECT_EQ(track_lines({"x", 0, std::nullopt, {2, 3}, {}, ""}),
            "{\"source\":\"x\",\"frame\":0,\"time\":null,\"width\":2,\"height\":3,\"tracks\":[]}\n");
  EXPECT_EQ(
      track_lines({"x", 3, std::nullopt, {2, 3}, {}, "img\"4.png"}),
      "{\"source\":\"x\",\"frame\":3,\"picture\":\"img\\\"4.png\",\"time\":null,\"width\":2,\"height\":3,"
      "\"tracks\":[]}\n");
}

TEST(TrackLines, OfCsv) {
  EXPECT_EQ(track_header(ResultFormat::kCsv),
            "source,frame,time,id,state,x,y,width,height,confidence,picture\n");
  EXPECT_EQ(track_lines(result(), ResultFormat::kCsv),
            "\"a \"\"b\"\".mp4\",7,0.28,1,found,1,-2.5,30,40.13,0.988,\n"
            "\"a \"\"b\"\".mp4\",7,0.28,4,lost,10,20,30,40,0,\n");
  TrackResult of_folder = result();
  of_folder.file = "a,b.png";
  of_folder.tracks.resize(1);
  EXPECT_EQ(track_lines(of_folder, ResultFormat::kCsv),
            "\"a \"\"b\"\".mp4\",7,0.28,1,found,1,-2.5,30,40.13,0.988,\"a,b.png\"\n");
  EXPECT_EQ(track_lines({"x", 0, std::nullopt, {2, 3}, {}, ""}, ResultFormat::kCsv), "");
}

}  // namespace
}  // namespace winnow
