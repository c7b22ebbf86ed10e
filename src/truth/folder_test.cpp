// Tests folders with one label file per picture: YOLO's and VOC's.
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
  EXPECT_EQ(refused("0 .5 .5 1\n"), "b.txt: line 1: an object is 'class x y width height', here are 4 words");
  EXPECT_EQ(refused("-1 .5 .5 1 1\n"), "b.txt: line 1: the class: '-1' is not a whole number");
  EXPECT_EQ(refused("0 .5 nan 1 1\n"), "b.txt: line 1: y: 'nan' is not a finite number");
  folder.write("classes.txt", "only\n");
  EXPECT_EQ(refused("1 .5 .5 1 1\n"), "b.txt: line 1: the class is 1, and there are names for 1");
  folder.write("b.txt", "");
  folder.write("lonely.txt", "0 .5 .5 1 1\n");
  EXPECT_THAT(folder.refusal(folder.path()),
              HasSubstr("lonely.txt: its picture 'lonely.jpg' (or .png, ...) is not in"));
  folder.write("lonely.png", "no picture");
  EXPECT_EQ(folder.refusal(folder.path()), "lonely.png: not a picture Winnow can read (JPEG, PNG or PNM)");
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
       {"names: [a,\n b]\n", "names: a\n", "names:\n  1: a\n", "names:\n  a\n", "names: [a, ,b]",
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

TEST(Folder, IsRefusedWithoutLabels) {
  const TruthFolder folder;
  folder.picture("one/a.png", 4, 4);
  EXPECT_EQ(folder.refusal(folder.path("one")),
            "one: is a folder without labels (YOLO's .txt or VOC's .xml)");
  EXPECT_EQ(folder.refusal(folder.path("one"), as("voc")), "one: is a folder without labels of format voc");
  EXPECT_EQ(folder.refusal(folder.path("one"), as("csv")),
            "one: is a folder, and labels of format csv are a file");
  folder.write("one/a.txt", "0 .5 .5 1 1");
  folder.write("one/a.xml", voc("a.png"));
  EXPECT_EQ(folder.refusal(folder.path("one")),
            "one: is a folder with .txt and .xml files; name the format yolo or voc");
  EXPECT_EQ(read_truth(folder.path("one"), as("yolo")).format, TruthFormat::kYolo);
  EXPECT_EQ(read_truth(folder.path("one"), as("voc")).format, TruthFormat::kVoc);
}

}  // namespace
}  // namespace winnow
