#include <gtest/gtest.h>

#include <limits>

#include <winnow/answer.h>

namespace winnow {
namespace {

FrameResult two_objects() {
  FrameResult result;
  result.source = "a \"b\", c.jpg";
  result.frame = 7;
  result.time = 0.28;
  result.picture = {640, 480};
  result.model = "face";
  result.objects = {{{1, 2, 30, 31}, 0.1, 4}, {{5, 6, 7, 8}, -2, 1}};
  result.backend = "cpu";
  result.seconds = 0.0012346;
  return result;
}

TEST(ResultLines, JsonIsOneLineAFrame) {
  EXPECT_EQ(result_header(ResultFormat::kJsonLines), "");
  EXPECT_EQ(
      result_lines(two_objects()),
      R"({"source":"a \"b\", c.jpg","frame":7,"time":0.28,"width":640,"height":480,"model":"face","objects":[)"
      R"({"x":1,"y":2,"width":30,"height":31,"score":0.1,"neighbors":4},)"
      R"({"x":5,"y":6,"width":7,"height":8,"score":-2,"neighbors":1}]})"
      "\n");
  FrameResult none;
  none.objects = {{{}, std::numeric_limits<double>::infinity(), 1}};
  EXPECT_EQ(
      result_lines(none, ResultFormat::kJsonLines, true),
      R"({"source":"","frame":0,"time":null,"width":0,"height":0,"model":"","objects":[)"
      R"({"x":0,"y":0,"width":0,"height":0,"score":null,"neighbors":1}],"backend":"","seconds":0.000000})"
      "\n");
}

TEST(ResultLines, CsvIsOneLineAnObject) {
  EXPECT_EQ(result_header(ResultFormat::kCsv), "source,frame,time,x,y,width,height,score,neighbors\n");
  EXPECT_EQ(result_header(ResultFormat::kCsv, true),
            "source,frame,time,x,y,width,height,score,neighbors,backend,seconds\n");
  EXPECT_EQ(result_lines(two_objects(), ResultFormat::kCsv, true),
            "\"a \"\"b\"\", c.jpg\",7,0.28,1,2,30,31,0.1,4,cpu,0.001235\n"
            "\"a \"\"b\"\", c.jpg\",7,0.28,5,6,7,8,-2,1,cpu,0.001235\n");
  EXPECT_EQ(result_lines({}, ResultFormat::kCsv), "");
}

TEST(ResultLines, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(clean_utf8("a\xC3\xA9\xFFz"), "a\xC3\xA9\xEF\xBF\xBDz");
  EXPECT_EQ(clean_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  FrameResult result;
  result.source = "\xFF";
  EXPECT_TRUE(result_lines(result, ResultFormat::kCsv).empty());
  EXPECT_TRUE(result_lines(result).starts_with("{\"source\":\"\xEF\xBF\xBD\""));
}

}  // namespace
}  // namespace winnow
