// Tests folders with one label file per picture: YOLO's, VOC's and iBUG's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "truth/folder_for_test.h"
#include "truth/truth_file.h"

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Yolo, ReadsFractionsOfThePicture) {
  const TruthFolder folder;
  folder.picture("b.png", 200, 100);
  folder.picture("a.jpg", 40, 30);
  folder.write("classes.txt", "person\nred car\n");
  folder.write("b.txt", "1 0.5 0.25 0.1 0.5\n\n0 .5 .5 1 1\n");
  folder.write("a.txt", "");
  const Truth truth = read_truth(folder.path());
  EXPECT_EQ(truth.format, TruthFormat::kYolo);
  ASSERT_EQ(truth.pictures.size(), 2u);
  EXPECT_EQ(truth.pictures[0].name, "a.jpg");
  EXPECT_EQ(truth.pictures[0].path, folder.path("a.jpg"));
  EXPECT_TRUE(truth.pictures[0].labels.empty());
  EXPECT_EQ(truth.pictures[1].name, "b.png");
  ASSERT_EQ(truth.pictures[1].labels.size(), 2u);
  const Label& car = truth.pictures[1].labels[0];
  EXPECT_EQ(car.category, "red car");
  EXPECT_NEAR(car.box.x, 90, 1e-9);
  EXPECT_NEAR(car.box.y, 0, 1e-9);
  EXPECT_NEAR(car.box.width, 20, 1e-9);
  EXPECT_NEAR(car.box.height, 50, 1e-9);
  EXPECT_EQ(truth.pictures[1].labels[1], (Label{{0, 0, 200, 100}, {}, "person", false}));
}

TEST(Yolo, ReadsOneFile) {
  const TruthFolder folder;
  folder.picture("b.png", 200, 100);
  const Truth truth = folder.read("7 0.5 0.5 0.5 0.5\n", {}, "b.txt");
  EXPECT_EQ(truth.format, TruthFormat::kYolo);
  EXPECT_EQ(truth.pictures.at(0).path, folder.path("b.png"));
  EXPECT_EQ(truth.pictures[0].labels, (std::vector<Label>{{{50, 25, 100, 50}, {}, "7", false}}));
  EXPECT_EQ(folder.refused("", {}, "b.txt"), "b.txt: the file is empty");
  EXPECT_TRUE(folder.read("", as("yolo"), "b.txt").pictures.at(0).labels.empty());
}

TEST(Yolo, FindsImagesBesideLabels) {
  const TruthFolder folder;
  folder.picture("images/train/a.jpg", 10, 10);
  folder.write("labels/train/a.txt", "1 0.5 0.5 1 1\n");
  folder.write("data.yaml", "# a set\nnc: 2\nnames:\n  0: cat\n  1: \"dog\"\ntrain: x\n");
  const Truth truth = read_truth(folder.path("labels/train/"));
  EXPECT_EQ(truth.pictures.at(0).path, folder.path("images/train/a.jpg"));
  EXPECT_EQ(truth.pictures[0].labels.at(0).category, "dog");

  folder.picture("images/b.jpg", 10, 10);
  folder.write("labels/b.txt", "0 0.5 0.5 1 1\n");
  EXPECT_EQ(read_truth(folder.path()).pictures.at(0).path, folder.path("images/b.jpg"));

  folder.picture("else/b.png", 20, 20);
  TruthOptions options;
  options.pictures = folder.path("else");
  const Truth other = read_truth(folder.path("labels"), options);
  EXPECT_EQ(other.pictures.at(0).path, folder.path("else/b.png"));
  EXPECT_EQ(other.pictures[0].labels.at(0).box, (RealBox{0, 0, 20, 20}));
}

TEST(Yolo, RefusesWithALine) {
  const TruthFolder folder;
  folder.picture("b.png", 200, 100);
  const auto refused = [&](std::string_view text) { return folder.refused(text, as("yolo"), "b.txt"); };
  EXPECT_EQ(refused("0 .5 .5 1 1\n0 1.1 .5 1 1\n"),
            "b.txt: line 2: x is 1.1, not a part of the picture (0 to 1)");
  EXPECT_EQ(refused("0 .5 -0.002 1 1\n"), "b.txt: line 1: y is -0.002, not a part of the picture (0 to 1)");
  EXPECT_EQ(refused("0 .5 1.0005 1 1\n"), "read");
  EXPECT_EQ(refused("0 .5 .5 0 1\n"), "b.txt: line 1: the box is 0 pixels wide");
  EXPECT_EQ(
      refused("0 .5 .5 1\n"),
      "b.txt: line 1: an object is 'class x y width height', or a class and the corners of a polygon, here "
      "are 4 words");
  EXPECT_EQ(refused("-1 .5 .5 1 1\n"), "b.txt: line 1: the class: '-1' is not a whole number");
  EXPECT_EQ(refused("0 .5 nan 1 1\n"), "b.txt: line 1: y: 'nan' is not a finite number");
  folder.write("classes.txt", "only\n");
  EXPECT_EQ(refused("1 .5 .5 1 1\n"), "b.txt: line 1: the class is 1, and there are names for 1");
  folder.write("b.txt", "");
  folder.write("lonely.txt", "0 .5 .5 1 1\n");
  EXPECT_THAT(folder.refusal(folder.path()),
              HasSubstr("lonely.txt: its picture 'lonely.jpg' (or .png, ...) is not in"));
  folder.write("lonely.png", "no picture");
  EXPECT_EQ(folder.refusal(folder.path()), "lonely.png: not a picture that Winnow can read");
}

TEST(Yolo, ReadsNamesOfClasses) {
  EXPECT_THAT(class_list("a\n b c \n\n"), ElementsAre("a", "b c"));
  EXPECT_THAT(yaml_names("nc: 2\nnames: ['a', \"b c\", d]\nx: 1\n"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(yaml_names("names: ['face, front', dog#2, \"it's # 1\"]  # three\n"),
              ElementsAre("face, front", "dog#2", "it's # 1"));
  EXPECT_THAT(
      yaml_names("names: ['it''s, here', 'a'', b', \"say \\\"hi\\\", you\", \"back\\\\\", '''', z]\n"),
      ElementsAre("it's, here", "a', b", "say \"hi\", you", "back\\", "'", "z"));
  EXPECT_THAT(yaml_names(R"(names: ["\u4eba", "\xe4\/\U0001F600", '\u0041'])"),
              ElementsAre("\xe4\xba\xba", "\xc3\xa4/\xf0\x9f\x98\x80", "\\u0041"));
  EXPECT_THAT(yaml_names("names:\n  0: 'it''s # 1'  # one\n  1: \"\\\"a\\\" # b\"\n"),
              ElementsAre("it's # 1", "\"a\" # b"));
  EXPECT_THAT(class_list("'it''s'\n\"\\u4eba\"\n"), ElementsAre("it''s", "\\u4eba"));
  EXPECT_THAT(yaml_names("names: # classes\n  0: face  # the face\n  1: 'a # b'\n"),
              ElementsAre("face", "a # b"));
  EXPECT_THAT(yaml_names("names:  # classes\n- face # the face\n- b's\n"), ElementsAre("face", "b's"));
  EXPECT_THAT(yaml_names("names:\n- a\n- b\nother:\n- c\n"), ElementsAre("a", "b"));
  EXPECT_THAT(yaml_names("names:\n  - a\n\n  # more\n  - b\n"), ElementsAre("a", "b"));
  EXPECT_THAT(yaml_names("names:\n  0: a\n  1: b\nnc: 2\n"), ElementsAre("a", "b"));
  EXPECT_THAT(yaml_names("nc: 2\n"), ElementsAre());
  for (const char* broken :
       {"names: [a,\n b\n", "names: a\n", "names:\n  1: a\n", "names:\n  a\n", "names: [a, ,b]",
        "names: [\"\\q\"]", "names: [\"\\u12\"]", "names: [\"\\ud800\"]", "names: ['']"})
    EXPECT_THROW(yaml_names(broken), Error) << broken;
}

std::string voc(const std::string& name) {
  return "<annotation><filename>" + name +
         "</filename><object><name>x</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax>"
         "</bndbox></object></annotation>";
}

TEST(VocFolder, ReadsAllFilesByName) {
  const TruthFolder folder;
  folder.write("VOC/Annotations/2.xml", voc("b.jpg"));
  folder.write("VOC/Annotations/1.xml", "\xef\xbb\xbf" + voc("c.jpg"));
  const Truth beside = read_truth(folder.path("VOC/Annotations"));
  EXPECT_EQ(beside.format, TruthFormat::kVoc);
  ASSERT_EQ(beside.pictures.size(), 2u);
  EXPECT_EQ(beside.pictures[0].path, folder.path("VOC/Annotations/c.jpg"));
  EXPECT_EQ(beside.pictures[1].name, "b.jpg");
  std::filesystem::create_directories(folder.path("VOC/JPEGImages"));
  for (const char* path : {"VOC", "VOC/Annotations", "VOC/Annotations/"})
    EXPECT_EQ(read_truth(folder.path(path)).pictures.at(0).path, folder.path("VOC/JPEGImages/c.jpg"));
  EXPECT_EQ(read_truth(folder.path("VOC/Annotations/2.xml")).pictures.at(0).path,
            folder.path("VOC/JPEGImages/b.jpg"));
  folder.write("VOC/Annotations/3.xml", "<dataset/>");
  EXPECT_EQ(folder.refusal(folder.path("VOC")),
            "VOC/Annotations/3.xml: line 1: VOC's XML begins with <annotation>");
}

// A .pts file with these lines between the braces.
std::string pts(const std::string& count, const std::string& points) {
  return "version: 1\nn_points:  " + count + "\n{\n" + points + "}\n";
}

TEST(Pts, CountsFromOne) {
  const TruthFolder folder;
  folder.write("face_2.jpg", "not opened");
  folder.write("face_1.png", "not opened");
  folder.write("face_2.pts", "version: 1\r\nn_points: 3\r\n{\r\n1 1\r\n-3.5 2e1\r\n 7\t0.25 \r\n}");
  folder.write("face_1.PTS",
               "\xef\xbb\xbf# by hand\n\nversion:1\nn_points:3\n{\n2 3\n4 5\n\n6 7\n}\n\n# end\n");
  folder.write("alone.jpg", "no labels");
  for (const TruthOptions& options : {TruthOptions{}, as("pts")}) {
    const Truth truth = read_truth(folder.path(), options);
    EXPECT_EQ(truth.format, TruthFormat::kPts);
    ASSERT_EQ(truth.pictures.size(), 2u);
    EXPECT_EQ(truth.pictures[0].name, "face_1.png");
    EXPECT_EQ(truth.pictures[0].path, folder.path("face_1.png"));
    EXPECT_EQ(truth.pictures[0].labels,
              (std::vector<Label>{{{1, 2, 4, 4}, {{1, 2}, {3, 4}, {5, 6}}, "", false}}));
    EXPECT_EQ(truth.pictures[1].name, "face_2.jpg");
    EXPECT_EQ(
        truth.pictures[1].labels,
        (std::vector<Label>{{{-4.5, -0.75, 10.5, 19.75}, {{0, 0}, {-4.5, 19}, {6, -0.75}}, "", false}}));
  }
}

TEST(Pts, ReadsOneFile) {
  const TruthFolder folder;
  folder.write("a.b.jpg", "not opened");
  const Truth truth = folder.read(pts("1", "114.156 170.429\n"), {}, "a.b.pts");
  EXPECT_EQ(truth.format, TruthFormat::kPts);
  EXPECT_EQ(truth.pictures.at(0).path, folder.path("a.b.jpg"));
  // Pixels of .pts files count from 1. The 1 is subtracted in doubles.
  EXPECT_EQ(truth.pictures[0].labels.at(0).points, (std::vector<Point>{{114.156 - 1, 170.429 - 1}}));

  folder.write("else/a.b.png", "not opened");
  TruthOptions options;
  options.pictures = folder.path("else");
  EXPECT_EQ(read_truth(folder.path("a.b.pts"), options).pictures.at(0).path, folder.path("else/a.b.png"));
}

TEST(Pts, RefusesWithALine) {
  const TruthFolder folder;
  folder.write("b.jpg", "not opened");
  const auto refused = [&](std::string_view text) { return folder.refused(text, as("pts"), "b.pts"); };
  ASSERT_EQ(refused(pts("2", "1 2\n3 4\n")), "read");
  EXPECT_EQ(refused(""), "b.pts: the file is empty");
  EXPECT_EQ(refused("# nothing\n"), "b.pts: line 1: the file ends before 'version: 1'");
  EXPECT_EQ(refused("version: 2\n"), "b.pts: line 1: the version is '2', and Winnow reads version 1");
  EXPECT_EQ(refused("n_points: 2\n"), "b.pts: line 1: the line must be 'version: NUMBER', not 'n_points: 2'");
  EXPECT_EQ(refused("version: 1\n"), "b.pts: line 1: the file ends before 'n_points: NUMBER'");
  EXPECT_EQ(refused("version: 1\n{\n"), "b.pts: line 2: the line must be 'n_points: NUMBER', not '{'");
  EXPECT_EQ(refused("version: 1\nn_points:\n"), "b.pts: line 2: n_points is missing");
  EXPECT_EQ(refused(pts("2.5", "")), "b.pts: line 2: n_points: '2.5' is not a whole number");
  EXPECT_EQ(refused(pts("-1", "")), "b.pts: line 2: n_points: '-1' is not a whole number");
  EXPECT_EQ(refused(pts("0", "")), "b.pts: line 2: n_points is 0, and an object has points");
  EXPECT_EQ(refused(pts("67108865", "")), "b.pts: line 2: n_points is '67108865', at most 67108864 may be");
  EXPECT_EQ(refused("version: 1\nn_points: 1\n"), "b.pts: line 2: the file ends before '{'");
  EXPECT_EQ(refused("version: 1\nn_points: 1\n1 2\n"),
            "b.pts: line 3: the points begin with '{', not with '1 2'");
  EXPECT_EQ(refused("version: 1\nn_points: 2\n{\n1 2\n3 4\n"), "b.pts: line 5: the file ends before '}'");
  EXPECT_EQ(refused("version: 1\nn_points: 2\n{\n1 2\n3"),
            "b.pts: line 5: a point is 'x y', here are 1 words");
  EXPECT_EQ(refused(pts("3", "1 2\n3 4\n")), "b.pts: line 6: n_points is 3, here are 2");
  EXPECT_EQ(refused(pts("1", "1 2\n3 4\n")), "b.pts: line 5: n_points is 1, here is one more");
  EXPECT_EQ(refused(pts("2", "1 2\n3 4 5\n")), "b.pts: line 5: a point is 'x y', here are 3 words");
  EXPECT_EQ(refused(pts("2", "1 2\n3 x\n")), "b.pts: line 5: a point's y: 'x' is not a number");
  EXPECT_EQ(refused(pts("2", "nan 2\n3 4\n")), "b.pts: line 4: a point's x: 'nan' is not a finite number");
  EXPECT_EQ(refused(pts("2", "1 2\n3 inf\n")), "b.pts: line 5: a point's y: 'inf' is not a finite number");
  EXPECT_EQ(refused(pts("1", "1e10 2\n")),
            "b.pts: line 4: a point's x: '1e10' is more than any picture has pixels");
  EXPECT_EQ(refused(pts("1", "-1073741824 2\n")),
            "b.pts: line 5: a coordinate is -1.07374e+09, which is in no picture");
  EXPECT_EQ(refused(pts("1", "1 2\n") + "3 4\n"), "b.pts: line 6: behind '}' the file must end");
  EXPECT_EQ(refused(pts("1", std::string(2 << 20, '1'))),
            "b.pts: line 4: a line may have 1048576 bytes, this one has more");
}

TEST(Pts, EveryCutIsRefused) {
  const TruthFolder folder;
  folder.write("b.jpg", "not opened");
  const std::string whole = pts("2", "1 2\n3 4\n");
  for (std::size_t size = 0; size + 1 < whole.size(); ++size)  // the last line feed may be missing
    EXPECT_NE(folder.refused(whole.substr(0, size), as("pts"), "b.pts"), "read") << size;
}

TEST(Pts, NeedsItsPicture) {
  const TruthFolder folder;
  folder.write("lonely.pts", pts("1", "1 2\n"));
  for (const char* path : {"", "lonely.pts"})
    EXPECT_THAT(folder.refusal(folder.path(path)),
                HasSubstr("lonely.pts: its picture 'lonely.jpg' (or .png, ...) is not in"));
}

TEST(Pts, AllObjectsHaveTheSameNumberOfPoints) {
  const TruthFolder folder;
  for (const char* name : {"a.jpg", "b.jpg", "c.jpg"}) folder.write(name, "not opened");
  folder.write("a.pts", pts("2", "1 2\n3 4\n"));
  folder.write("b.pts", pts("2", "1 2\n3 4\n"));
  folder.write("c.pts", pts("1", "1 2\n"));
  EXPECT_EQ(folder.refusal(folder.path()),
            "c.pts: line 2: the object has 1 points, the one of 'a.jpg' has 2");
}

TEST(Pts, IsKnownByItsFirstLine) {
  const TruthFolder folder;
  folder.write("labels.jpg", "not opened");
  EXPECT_EQ(folder.read(pts("1", "1 2\n")).format, TruthFormat::kPts);
  EXPECT_EQ(folder.refused("version: 1\n"), "labels: line 1: the file ends before 'n_points: NUMBER'");
  EXPECT_THAT(folder.refused("version: one\n"), HasSubstr("is no line of labels"));
  EXPECT_EQ(folder.read("version: 0\n", as("info")).format, TruthFormat::kInfo);
}

TEST(Folder, IsRefusedWithoutLabels) {
  const TruthFolder folder;
  folder.picture("one/a.png", 4, 4);
  EXPECT_EQ(folder.refusal(folder.path("one")),
            "one: is a folder without labels (YOLO's .txt, VOC's .xml or iBUG's .pts)");
  EXPECT_EQ(folder.refusal(folder.path("one"), as("voc")), "one: is a folder without labels of format voc");
  EXPECT_EQ(folder.refusal(folder.path("one"), as("csv")),
            "one: is a folder, and labels of format csv are a file");
  folder.write("one/a.txt", "0 .5 .5 1 1");
  folder.write("one/a.xml", voc("a.png"));
  EXPECT_EQ(folder.refusal(folder.path("one")),
            "one: is a folder with .txt and .xml files; name the format yolo or voc");
  EXPECT_EQ(read_truth(folder.path("one"), as("yolo")).format, TruthFormat::kYolo);
  EXPECT_EQ(read_truth(folder.path("one"), as("voc")).format, TruthFormat::kVoc);
  folder.write("one/a.pts", pts("1", "1 2\n"));
  EXPECT_EQ(folder.refusal(folder.path("one")),
            "one: is a folder with .txt and .xml and .pts files; name the format yolo or voc or pts");
  EXPECT_EQ(read_truth(folder.path("one"), as("pts")).format, TruthFormat::kPts);
}

}  // namespace
}  // namespace winnow
