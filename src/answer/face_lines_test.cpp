// Tests the lines of faces, and copies with points.
#include <winnow/answer.h>

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <cmath>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

FrameResult two_faces() {
  FrameResult result;
  result.source = "a,b.jpg";
  result.picture = {64, 48};
  result.model = "face";
  result.objects = {{{1, 2, 30, 31}, 4.5, 3}, {{-5, 0, 9, 9}, 1, 1}};
  result.shapes = {{{{10.126, -0.001}, {3, 4.5}}, {0.87654F, 1}}, {{{0, 0}, {1e3, 2}}, {0, 0.5F}}};
  return result;
}

TEST(FaceLines, Json) {
  EXPECT_EQ(
      face_lines(two_faces()),
      R"({"source":"a,b.jpg","frame":0,"time":null,"width":64,"height":48,"model":"face","faces":[)"
      R"({"x":1,"y":2,"width":30,"height":31,"score":4.5,"confidence":0.938,"points":[[10.13,0,0.877],[3,4.5,1]]},)"
      R"({"x":-5,"y":0,"width":9,"height":9,"score":1,"confidence":0.25,"points":[[0,0,0],[1000,2,0.5]]}]})"
      "\n");
  FrameResult none = two_faces();
  none.objects.clear();
  none.shapes.clear();
  none.time = 1.5;
  none.frame = 7;
  none.backend = "cpu";
  none.seconds = 0.25;
  EXPECT_EQ(face_lines(none, ResultFormat::kJsonLines, true),
            R"({"source":"a,b.jpg","frame":7,"time":1.5,"width":64,"height":48,"model":"face","faces":[],)"
            R"("backend":"cpu","seconds":0.250000})"
            "\n");
}

TEST(FaceLines, WithoutConfidence) {
  FrameResult result = two_faces();
  for (Shape& shape : result.shapes) shape.confidence.clear();
  EXPECT_NE(face_lines(result).find(R"("confidence":null,"points":[[10.13,0,null],[3,4.5,null]])"),
            std::string::npos);
  EXPECT_EQ(face_lines(result, ResultFormat::kCsv),
            "\"a,b.jpg\",0,,1,2,30,31,4.5,,,,10.13,0,,3,4.5,\n\"a,b.jpg\",0,,-5,0,9,9,1,,,,0,0,,1000,2,\n");
}

TEST(FaceLines, PresenceStandsForTheWholeFace) {
  FrameResult result = two_faces();
  result.shapes[0].presence = 0.0625F;
  EXPECT_NE(face_lines(result).find(R"("score":4.5,"confidence":0.063,"points":[[10.13,0,0.877])"),
            std::string::npos);
  EXPECT_NE(face_lines(result).find(R"("score":1,"confidence":0.25,)"), std::string::npos);
  EXPECT_NE(face_lines(result, ResultFormat::kCsv).find(",4.5,0.063,,,10.13,0,0.877,"), std::string::npos);
}

TEST(FaceLines, Csv) {
  EXPECT_EQ(face_header(2, ResultFormat::kCsv),
            "source,frame,time,x,y,width,height,score,confidence,id,state,x0,y0,c0,x1,y1,c1\n");
  EXPECT_EQ(face_header(1, ResultFormat::kCsv, true),
            "source,frame,time,x,y,width,height,score,confidence,id,state,backend,seconds,x0,y0,c0\n");
  EXPECT_EQ(face_header(2, ResultFormat::kJsonLines), "");
  EXPECT_EQ(face_lines(two_faces(), ResultFormat::kCsv),
            "\"a,b.jpg\",0,,1,2,30,31,4.5,0.938,,,10.13,0,0.877,3,4.5,1\n"
            "\"a,b.jpg\",0,,-5,0,9,9,1,0.25,,,0,0,0,1000,2,0.5\n");
}

TEST(FaceLines, EachObjectNeedsAShape) {
  FrameResult result = two_faces();
  result.shapes.pop_back();
  EXPECT_THROW(face_lines(result), Error);
}

FrameResult followed_faces() {
  FrameResult result = two_faces();
  for (std::size_t i = 0; i < 2; ++i)
    result.followed.push_back({static_cast<int>(12 + i), i == 0 ? FaceState::kTracked : FaceState::kLost,
                               result.objects[i].box, result.objects[i].score, result.shapes[i]});
  result.objects.clear();
  result.shapes.clear();
  return result;
}

TEST(FaceLines, FollowedFacesHaveNumbersAndStates) {
  EXPECT_EQ(
      face_lines(followed_faces()),
      R"({"source":"a,b.jpg","frame":0,"time":null,"width":64,"height":48,"model":"face","faces":[)"
      R"({"id":12,"state":"tracked","x":1,"y":2,"width":30,"height":31,"score":4.5,"confidence":0.938,"points":[[10.13,0,0.877],[3,4.5,1]]},)"
      R"({"id":13,"state":"lost","x":-5,"y":0,"width":9,"height":9,"score":1,"confidence":0.25,"points":[[0,0,0],[1000,2,0.5]]}]})"
      "\n");
  EXPECT_EQ(face_lines(followed_faces(), ResultFormat::kCsv),
            "\"a,b.jpg\",0,,1,2,30,31,4.5,0.938,12,tracked,10.13,0,0.877,3,4.5,1\n"
            "\"a,b.jpg\",0,,-5,0,9,9,1,0.25,13,lost,0,0,0,1000,2,0.5\n");
  FrameResult both = two_faces();
  both.followed = followed_faces().followed;
  EXPECT_THROW(face_lines(both), Error);
}

// Counts the pixels of a copy that are not black.
int drawn(const std::vector<LandmarkPoint>& points, bool blur) {
  const TestFolder folder;
  Annotator annotator({.folder = folder.file("out"), .blur = blur});
  FrameEvent frame;
  frame.picture.color = RgbImage(100, 100);
  Input input;
  input.kind = InputKind::kPicture;
  input.path = input.place = "a.ppm";
  const std::vector<Detection> objects = {{{20, 20, 60, 60}, 1, 1}};
  const std::vector<Shape> shapes = {{points, {}}};
  annotator.write(input, frame, objects, shapes);
  const Picture copy = read_picture(folder.file("out/a.ppm"), {true});
  int count = 0;
  for (int y = 30; y < 70; ++y)
    for (int x = 30; x < 70; ++x) count += copy.color.row(y)[x].g > 0 ? 1 : 0;
  return count;
}

TEST(FaceLines, CopiesShowPoints) {
  EXPECT_EQ(drawn({{40, 40}, {60, 45.5}}, true), 0);
  const int dots = drawn({{40, 40}, {60, 45.5}}, false);
  EXPECT_GE(dots, 4);
  EXPECT_LE(dots, 16);
  std::vector<LandmarkPoint> face(68);
  for (std::size_t i = 0; i < face.size(); ++i)
    face[i] = {50 + 15 * std::cos(0.25 * static_cast<double>(i)),
               50 + 15 * std::sin(0.25 * static_cast<double>(i))};
  const int lines = drawn(face, false);  // neighbours of the 68 points are joined
  EXPECT_GT(lines, 80);
  // In another order they would be joined across the face, so they stay dots.
  for (std::size_t i = 0; i < face.size(); i += 2) std::swap(face[i], face[(i * 29 + 34) % face.size()]);
  EXPECT_NE(drawn(face, false), lines);
}

TEST(FaceLines, AShapeIsDrawnInItsColor) {
  RgbImage image(20, 20);
  const Rgb red{255, 0, 0};
  draw_shape(image.view(), {{{4, 5}, {30, 5}}, {}}, red);
  // The first point is a dot two pixels wide around the middle of pixel (4, 5). The second lies outside.
  EXPECT_EQ(image.row(5)[4], red);
  EXPECT_EQ(image.row(5)[6], Rgb{});
  EXPECT_EQ(image.row(8)[4], Rgb{});
  EXPECT_EQ(image.row(5)[19], Rgb{});
  EXPECT_THROW(draw_shape(image.view(), {{{4, 5}}, {}}, red, 0), Error);
}

TEST(FaceLines, CoversComeAfterTheOtherFields) {
  const std::vector<FaceCover> covers = {{{1, 2, 30, 40}, 1, 5, CoverReason::kFound},
                                         {{5, 6, 7, 8}, 2, 1, CoverReason::kLingering}};
  EXPECT_EQ(with_covers("{\"faces\":[]}\n", covers),
            "{\"faces\":[],\"covers\":["
            "{\"x\":1,\"y\":2,\"width\":30,\"height\":40,\"path\":1,\"searches\":5,\"why\":\"found\"},"
            "{\"x\":5,\"y\":6,\"width\":7,\"height\":8,\"path\":2,\"searches\":1,\"why\":\"lingering\"}]}\n");
  EXPECT_EQ(with_covers("{\"faces\":[]}\n", {}), "{\"faces\":[],\"covers\":[]}\n");
  EXPECT_THROW(with_covers("a,b\n", covers), Error);
  EXPECT_THROW(with_covers("", covers), Error);
}

TEST(FaceLines, TheCopyComesAfterTheOtherFields) {
  EXPECT_EQ(with_copy("{\"faces\":[]}\n", "o/a\"\xff.jpg"),
            "{\"faces\":[],\"copy\":\"o/a\\\"\xef\xbf\xbd.jpg\"}\n");
  EXPECT_THROW(with_copy("a,b\n", "o/a.jpg"), Error);
}

}  // namespace
}  // namespace winnow
