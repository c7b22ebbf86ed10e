// Tests tracks in lines of JSON and in CSV.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "truth/tracks/track_for_test.h"

namespace winnow {
namespace {

using testing::HasSubstr;

std::string line_of(int frame, const std::string& tracks, const std::string& source = "car.mpg") {
  return R"({"source":")" + source + R"(","frame":)" + std::to_string(frame) +
         R"(,"time":0.04,"width":320,"height":240,"tracks":[)" + tracks + "]}\n";
}

std::string box_of(int id, const std::string& more = R"(,"confidence":0.5,"state":"found")") {
  return R"({"id":)" + std::to_string(id) + R"(,"x":10,"y":20.5,"width":30,"height":40)" + more + "}";
}

// The boxes of tracks 0 to before `count`.
std::string crowd_of(int count) {
  std::string boxes;
  for (int id = 0; id < count; ++id) {
    if (id > 0) boxes += ',';
    boxes += box_of(id);
  }
  return boxes;
}

BoxTrackOptions with_id(std::int64_t id) { return {{}, {}, id}; }

TEST(TrackLines, ReadsTheOnlyTrack) {
  const BoxTrack track =
      track_of(line_of(0, box_of(3)) + line_of(1, box_of(3, R"(,"confidence":null,"state":"tracked")")) +
               line_of(2, box_of(3, R"(,"confidence":0.1,"state":"lost")")) + line_of(3, "") +
               line_of(4, box_of(3, "")));
  EXPECT_EQ(track.format, BoxTrackFormat::kJson);
  ASSERT_EQ(track.frames.size(), 5u);
  EXPECT_EQ(track.frames[0].box, (RealBox{10, 20.5, 30, 40}));
  EXPECT_EQ(track.frames[0].confidence, 0.5);
  EXPECT_TRUE(track.frames[1].box.has_value());
  EXPECT_TRUE(std::isnan(track.frames[1].confidence));
  EXPECT_FALSE(track.frames[2].box.has_value());
  EXPECT_EQ(track.frames[2].confidence, 0.1);
  EXPECT_FALSE(track.frames[3].box.has_value());
  EXPECT_TRUE(track.frames[4].box.has_value());
}

TEST(TrackLines, ALostObjectNeedsNoPlace) {
  const BoxTrack track = track_of(line_of(0, box_of(1)) + line_of(1, R"({"id":1,"state":"lost"})"));
  ASSERT_EQ(track.frames.size(), 2u);
  EXPECT_FALSE(track.frames[1].box.has_value());
}

TEST(TrackLines, TakesOneOfSeveralTracks) {
  const std::string other = R"({"id":7,"x":1,"y":2,"width":3,"height":4})";
  const std::string text = line_of(0, box_of(2)) + line_of(1, box_of(2) + "," + other) + line_of(2, other);
  const BoxTrack two = track_of(text, with_id(2)), seven = track_of(text, with_id(7));
  ASSERT_EQ(two.frames.size(), 3u);
  EXPECT_TRUE(two.frames[0].box && two.frames[1].box && !two.frames[2].box);
  EXPECT_TRUE(!seven.frames[0].box && seven.frames[1].box && seven.frames[2].box);
  EXPECT_EQ(seven.frames[1].box, (RealBox{1, 2, 3, 4}));
  EXPECT_EQ(track_refused(text), "there are the tracks 2, 7; name one");
  EXPECT_EQ(track_refused(text, with_id(3)), "there is no track 3, but 2, 7");
  EXPECT_EQ(track_refused(line_of(0, ""), with_id(3)), "there is no track 3 or any other");
  EXPECT_EQ(track_of(line_of(0, "") + line_of(1, "")).frames.size(), 2u);
  EXPECT_EQ(track_refused(line_of(0, crowd_of(12))),
            "there are the tracks 0, 1, 2, 3, 4, 5, 6, 7, ...; name one");
}

TEST(TrackLines, FramesFollowOneAnother) {
  EXPECT_EQ(track_refused(line_of(1, box_of(1))), "line 1: the first frame is 1, and must be 0");
  EXPECT_EQ(track_refused(line_of(0, box_of(1)) + line_of(2, box_of(1))), "line 2: frame 2 follows frame 0");
  EXPECT_EQ(track_refused(line_of(0, box_of(1)) + line_of(0, box_of(1))), "line 2: frame 0 follows frame 0");
  // Pictures of a folder have a source each.
  const std::string pictures = line_of(0, box_of(1), "1.jpg") + line_of(0, box_of(1), "2.jpg");
  EXPECT_EQ(track_of(pictures + line_of(0, box_of(1), "3.jpg")).frames.size(), 3u);
  EXPECT_THAT(
      track_refused(pictures + line_of(1, box_of(1), "2.jpg")),
      HasSubstr("line 3: the frame is of another source, '2.jpg'; give each sequence a file of its own"));
  EXPECT_THAT(
      track_refused(line_of(0, box_of(1)) + line_of(1, box_of(1)) + line_of(0, box_of(1), "other.mpg")),
      HasSubstr("line 3: the frame is of another source, 'other.mpg'"));
  const std::string bare = R"({"tracks":[{"id":1,"x":1,"y":2,"width":3,"height":4}]})"
                           "\n";
  EXPECT_EQ(track_of(bare + bare).frames.size(), 2u);
}

TEST(TrackLines, TellTheLargestFrame) {
  const auto line = [](const std::string& size) {
    return "{" + size + R"("tracks":[{"id":1,"x":1,"y":2,"width":3,"height":4}]})" + "\n";
  };
  EXPECT_EQ(track_of(line(R"("width":320,"height":240,)") + line(R"("width":200,"height":300,)")).picture,
            (Size{320, 300}));
  for (const char* size : {"", R"("width":320,)", R"("width":320,"height":-1,)", R"("width":"9","height":9,)",
                           R"("width":9,"height":9007199254740993,)"})
    EXPECT_EQ(track_of(line(size)).picture, Size{}) << size;
  EXPECT_EQ(track_of("1,2,3,4\n", "vot").picture, Size{});
}

TEST(TrackLines, RefusesWithALine) {
  const std::string good = line_of(0, box_of(1));
  const auto refused = [&](const std::string& tracks) { return track_refused(good + line_of(1, tracks)); };
  EXPECT_EQ(track_refused(good + "{\"tracks\":[\n"), "line 2: '{\"tracks\":[' is no object of JSON");
  EXPECT_EQ(track_refused(good + "[]\n"), "line 2: '[]' is no object of JSON");
  EXPECT_EQ(track_refused(good + "{}\n"), "line 2: the frame has no list of tracks");
  EXPECT_EQ(track_refused(good + "{\"tracks\":7}\n"), "line 2: the frame has no list of tracks");
  EXPECT_EQ(refused("7"), "line 2: a track is no object of JSON");
  EXPECT_EQ(refused("{}"), "line 2: a track has no id");
  EXPECT_EQ(refused(R"({"id":-1})"), "line 2: id is not a whole number from 0 to 2^53");
  EXPECT_EQ(refused(R"({"id":1.5})"), "line 2: id is not a whole number from 0 to 2^53");
  EXPECT_EQ(refused(R"({"id":9007199254740993})"), "line 2: id is not a whole number from 0 to 2^53");
  EXPECT_EQ(refused(R"({"id":1})"), "line 2: x is missing");
  EXPECT_EQ(refused(R"({"id":1,"x":"1","y":2,"width":3,"height":4})"), "line 2: x is not a number");
  EXPECT_EQ(refused(R"({"id":1,"x":1,"y":2e9,"width":3,"height":4})"),
            "line 2: y is more than any picture has pixels");
  EXPECT_EQ(refused(R"({"id":1,"x":1,"y":2,"width":0,"height":4})"),
            "line 2: the box is 0 pixels wide and 4 high, so it has no area");
  EXPECT_EQ(refused(box_of(1, R"(,"state":"gone")")),
            "line 2: the state is 'gone', and must be found, tracked or lost");
  EXPECT_EQ(refused(box_of(1, R"(,"state":1)")), "line 2: state is not a text");
  EXPECT_EQ(refused(box_of(1, R"(,"confidence":1.01)")),
            "line 2: the confidence is 1.01, and must be from 0 to 1");
  EXPECT_EQ(refused(box_of(1, R"(,"confidence":"1")")), "line 2: confidence is not a number");
  EXPECT_EQ(refused(box_of(1) + "," + box_of(1)), "line 2: the frame has track 1 twice");
  EXPECT_THAT(refused(R"({"id":1,"x":1e999,"y":2,"width":3,"height":4})"), HasSubstr("line 2: '{\"source\""));
  EXPECT_THAT(track_refused(std::string("{").append(100000, '[')), HasSubstr("line 1: '{[[[[["));
  EXPECT_THAT(track_refused("{\"tracks\":" + std::string(100000, '[') + std::string(100000, ']') + "}"),
              HasSubstr("line 1: a track is no object"));
  EXPECT_THAT(track_refused("{\"tracks\":[\"" + std::string(2 << 20, 'a') + "\"]}"),
              HasSubstr("line 1: a line may have"));
  EXPECT_THAT(track_refused("{\"source\":\"\xff\"}"), HasSubstr("line 1: "));
  EXPECT_EQ(refused(crowd_of(1001)), "line 2: a frame may have 1000 tracks");
}

TEST(TrackCsv, ReadsColumnsByName) {
  const BoxTrack track = track_of(
      "source,frame,time,id,x,y,width,height,confidence,state\n"
      "car.mpg,0,0,1,10,20.5,30,40,0.5,found\n"
      "car.mpg,1,0.04,1,,,,,0,lost\n"
      "car.mpg,2,0.08,1,11,21,31,41,,tracked\n");
  EXPECT_EQ(track.format, BoxTrackFormat::kCsv);
  ASSERT_EQ(track.frames.size(), 3u);
  EXPECT_EQ(track.frames[0].box, (RealBox{10, 20.5, 30, 40}));
  EXPECT_EQ(track.frames[0].confidence, 0.5);
  EXPECT_FALSE(track.frames[1].box.has_value());
  EXPECT_EQ(track.frames[2].box, (RealBox{11, 21, 31, 41}));
  EXPECT_TRUE(std::isnan(track.frames[2].confidence));
}

TEST(TrackCsv, LinesOfAFrameStandTogether) {
  const std::string text =
      "frame;x;y;width;height;id\n"
      "0;1;2;3;4;1\n";
  EXPECT_THAT(track_refused(text), HasSubstr("line 1: the head line names no column x"));
  const std::string two = "frame,x,y,width,height,id\n0,1,2,3,4,1\n0,5,6,7,8,2\n1,5,6,7,8,2\n";
  EXPECT_EQ(track_of(two, with_id(1)).frames.size(), 2u);
  EXPECT_FALSE(track_of(two, with_id(1)).frames[1].box.has_value());
  EXPECT_EQ(track_of(two, with_id(2)).frames[1].box, (RealBox{5, 6, 7, 8}));
  EXPECT_EQ(track_refused(two), "there are the tracks 1, 2; name one");
  EXPECT_EQ(track_of("x,y,width,height\n1,2,3,4\n1,2,3,4\n").frames.size(), 2u);
  EXPECT_EQ(track_of("source,x,y,width,height\na.jpg,1,2,3,4\nb.jpg,1,2,3,4\n").frames.size(), 2u);
}

TEST(TrackCsv, RefusesWithALine) {
  const std::string head = "frame,id,x,y,width,height,confidence,state\n",
                    good = head + "0,1,10,20,30,40,0.5,found\n";
  EXPECT_EQ(track_refused(head), "there is no line behind the head line");
  EXPECT_EQ(track_refused("frame,x,y,width\n0,1,2,3\n"),
            "line 1: the head line names no column height; tracks have "
            "source,frame,id,x,y,width,height,confidence,state");
  EXPECT_EQ(track_refused("x,y,width,height,X\n"), "line 1: the head line names x twice");
  EXPECT_EQ(track_refused(good + "1,1,10\n"), "line 3: the line has 3 columns, the head line 8");
  EXPECT_EQ(track_refused(good + "1,1,ten,20,30,40,0.5,found\n"), "line 3: x: 'ten' is not a number");
  EXPECT_EQ(track_refused(good + "1,1,,20,30,40,0.5,found\n"), "line 3: x is missing");
  EXPECT_EQ(track_refused(good + "1,-1,10,20,30,40,0.5,found\n"), "line 3: id: '-1' is not a whole number");
  EXPECT_EQ(track_refused(good + "1.5,1,10,20,30,40,0.5,found\n"),
            "line 3: frame: '1.5' is not a whole number");
  EXPECT_EQ(track_refused(good + "2,1,10,20,30,40,0.5,found\n"), "line 3: frame 2 follows frame 0");
  EXPECT_EQ(track_refused(good + "0,1,10,20,30,40,0.5,found\n"), "line 3: the frame has track 1 twice");
  EXPECT_EQ(track_refused(good + "1,1,10,20,30,0,0.5,found\n"),
            "line 3: the box is 30 pixels wide and 0 high, so it has no area");
  EXPECT_EQ(track_refused(good + "1,1,10,20,30,40,2,found\n"),
            "line 3: the confidence is 2, and must be from 0 to 1");
  EXPECT_EQ(track_refused(good + "1,1,10,20,30,40,0.5,away\n"),
            "line 3: the state is 'away', and must be found, tracked or lost");
}

}  // namespace
}  // namespace winnow
