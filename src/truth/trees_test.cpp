// Tests COCO's JSON, and VOC's and dlib's XML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "truth/folder_for_test.h"

namespace winnow {
namespace {

using testing::HasSubstr;

constexpr const char* kCoco = R"({
 "info": {"year": 2017, "deep": [[{"id": 5, "bbox": [1, 2]}]]},
 "annotations": [
  {"id": 1, "image_id": 7, "category_id": 18, "bbox": [1.5, 2, 30, 4e1], "iscrowd": 0,
   "segmentation": [[1, 2, 3, 4]], "area": 3.5},
  {"id": 2, "image_id": 9, "category_id": 1, "bbox": [0, 0, 5, 6], "iscrowd": 1,
   "segmentation": {"counts": [1, 2], "size": [3, 4]}},
  {"id": 3, "image_id": 7, "category_id": 1, "bbox": [0, 0, 5, 0]},
  {"id": 4, "image_id": 7, "category_id": 1, "bbox": [8, 8, 1, 1]}
 ],
 "images": [
  {"id": 9, "file_name": "b.jpg", "width": 10, "height": 10},
  {"id": 7, "file_name": "a.jpg", "license": {"id": 3, "file_name": "not me"}},
  {"id": 8, "file_name": "none.jpg"}
 ],
 "categories": [{"id": 1, "name": "person", "supercategory": "x"}, {"id": 18, "name": "dog"}, {"id": 3, "name": "car"}]
})";

std::string with(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(Coco, ReadsImagesAndAnnotations) {
  const TruthFolder folder;
  const Truth truth = folder.read(kCoco);
  EXPECT_EQ(truth.format, TruthFormat::kCoco);
  ASSERT_EQ(truth.pictures.size(), 3u);
  EXPECT_EQ(truth.pictures[0].name, "b.jpg");
  EXPECT_EQ(truth.pictures[0].labels, (std::vector<Label>{{{0, 0, 5, 6}, {}, "person", true}}));
  EXPECT_EQ(truth.pictures[1].labels,  // a box without an area is left out
            (std::vector<Label>{{{1.5, 2, 30, 40}, {}, "dog", false}, {{8, 8, 1, 1}, {}, "person", false}}));
  EXPECT_TRUE(truth.pictures[2].labels.empty());
}

TEST(Coco, RefusesWithALine) {
  const TruthFolder folder;
  const auto refused = [&](const char* what, const char* by) {
    return folder.refused(with(kCoco, what, by));
  };
  EXPECT_EQ(refused("[8, 8, 1, 1]", "[8, 8, -1, 1]"), "labels: line 9: the box is -1 pixels wide");
  EXPECT_EQ(refused("[8, 8, 1, 1]", "[8, 8, 1]"), "labels: line 9: a bbox is four numbers");
  EXPECT_EQ(refused("[8, 8, 1, 1]", "[8, 8, 1, 1, 1]"), "labels: line 9: a bbox is four numbers");
  EXPECT_EQ(refused("[8, 8, 1, 1]", "[8, 8, 1, \"1\"]"), "labels: line 9: a bbox is four numbers");
  EXPECT_EQ(refused("[8, 8, 1, 1]", "[8, 8, 1, [1]]"), "labels: line 9: a bbox is four numbers");
  EXPECT_EQ(refused("[8, 8, 1, 1]", "[8, 8, 1, 1e999]"),
            "labels: line 9: broken JSON: a number beyond the range of numbers");
  EXPECT_EQ(refused("[8, 8, 1, 1]", "[8, 8, 1, NaN]"), "labels: line 9: broken JSON near '1, N'");
  EXPECT_EQ(refused("[8, 8, 1, 1]", "[1e20, 8, 1, 1]"),
            "labels: line 9: a coordinate is 1e+20, which is in no picture");
  EXPECT_EQ(refused("\"image_id\": 9", "\"image_id\": 10"),
            "labels: line 7: the annotation is of image 10, which is not there");
  EXPECT_EQ(refused("\"category_id\": 18", "\"category_id\": 19"),
            "labels: line 5: the annotation is of category 19, which is not there");
  EXPECT_EQ(refused("\"image_id\": 9", "\"image_id\": 9.5"),
            "labels: line 6: 'image_id' is no whole number below 2^53");
  EXPECT_EQ(refused("\"image_id\": 9,", ""),
            "labels: line 7: an annotation's 'image_id' is missing, or not of its kind");
  EXPECT_EQ(refused("\"id\": 8", "\"id\": 7"), "labels: line 14: a second image with the id 7");
  EXPECT_EQ(refused("\"id\": 3, \"name\"", "\"id\": 1, \"name\""),
            "labels: line 16: a second category with the id 1");
  EXPECT_EQ(refused("\"iscrowd\": 1", "\"iscrowd\": 2"), "labels: line 6: 'iscrowd' is neither 0 nor 1");
  // When the error is found, the parser has already read the line feed behind the number.
  EXPECT_EQ(refused("\"iscrowd\": 1", "\"iscrowd\": 2\n"), "labels: line 6: 'iscrowd' is neither 0 nor 1");
  EXPECT_EQ(refused("b.jpg", "b\\u0000.jpg"),
            "labels: line 12: a picture has a control character in its name");
  EXPECT_EQ(refused("\"images\"", "\"pictures\""), "labels: is JSON without a list 'images', as COCO has it");
  EXPECT_EQ(refused("\"images\"", "\"annotations\""), "labels: line 11: a second list 'annotations'");
  EXPECT_EQ(folder.refused("{\"images\": {}, \"annotations\": []}"),
            "labels: line 1: 'images' is not a list");
  EXPECT_EQ(folder.refused("{\"images\": 3, \"annotations\": []}"), "labels: line 1: 'images' is not a list");
  EXPECT_EQ(folder.refused("{\"images\": [],\n\"annotations\": [3]}"),
            "labels: line 2: an item of 'annotations' is no object");
  EXPECT_EQ(folder.refused("{\"images\": [],\n\"annotations\": []}"), "labels: names no picture");
  EXPECT_EQ(folder.refused("{\n\"images\": ["), "labels: line 2: broken JSON: it ends too soon");
  EXPECT_THAT(folder.refused("[{\"image_id\": 1, \"bbox\": [1, 2, 3, 4]}]"),
              HasSubstr("line 1: is a list in JSON"));
}

TEST(Coco, BoundsDepth) {
  const TruthFolder folder;
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(folder.refused("{\"info\": " + deep),
            "labels: line 1: JSON may be 64 levels deep, this is deeper");
}

constexpr const char* kVoc = R"(<?xml version="1.0"?>
<!-- a <comment> -->
<annotation>
  <folder>VOC2007</folder>
  <filename>a&amp;b.jpg</filename>
  <size><width>500</width><height>375</height><depth>3</depth></size>
  <object>
    <name>chair</name>
    <difficult>0</difficult>
    <bndbox><xmin>1</xmin><ymin>2</ymin><xmax> 500 </xmax><ymax>2</ymax></bndbox>
    <part><name>leg</name><bndbox><xmin>7</xmin><ymin>7</ymin><xmax>8</xmax><ymax>8</ymax></bndbox></part>
  </object>
  <object>
    <name>dog</name>
    <difficult>1</difficult>
    <part><name>head</name><bndbox><xmin>7</xmin><ymin>7</ymin><xmax>8</xmax><ymax>8</ymax></bndbox></part>
    <bndbox><xmin>10.5</xmin><ymin>20</ymin><xmax>19.5</xmax><ymax>39</ymax></bndbox>
  </object>
</annotation>
)";

TEST(Voc, CountsFromOneAndIncludesTheEnd) {
  const TruthFolder folder;
  const Truth truth = folder.read(kVoc);
  EXPECT_EQ(truth.format, TruthFormat::kVoc);
  ASSERT_EQ(truth.pictures.size(), 1u);
  EXPECT_EQ(truth.pictures[0].path, folder.path("a&b.jpg"));
  EXPECT_EQ(truth.pictures[0].labels,
            (std::vector<Label>{{{0, 1, 500, 1}, {}, "chair", false}, {{9.5, 19, 10, 20}, {}, "dog", true}}));
}

TEST(Voc, RefusesWithALine) {
  const TruthFolder folder;
  const auto refused = [&](const char* what, const char* by) { return folder.refused(with(kVoc, what, by)); };
  EXPECT_EQ(refused("<xmax> 500 ", "<xmax>0"), "labels: line 7: the box is 0 pixels wide");
  EXPECT_EQ(refused("<xmax> 500 ", "<xmax>5 0"), "labels: line 7: <xmax>: '5 0' is not a number");
  EXPECT_EQ(refused("<ymax>39</ymax>", ""), "labels: line 13: <bndbox> has no <ymax>");
  EXPECT_EQ(refused("<name>dog</name>", ""), "labels: line 13: <object> has no <name>");
  EXPECT_EQ(refused("<difficult>1", "<difficult>maybe"),
            "labels: line 13: <difficult>: 'maybe' is neither 0 nor 1");
  EXPECT_EQ(refused("<filename>a&amp;b.jpg</filename>", ""),
            "labels: line 3: <annotation> has no <filename>");
  EXPECT_THAT(refused("</object>", "</objekt>"), HasSubstr("line 12: broken XML"));
  EXPECT_THAT(folder.refused("<html><body/></html>"), HasSubstr("is XML that begins with 'html', not VOC's"));
}

constexpr const char* kDlib = R"(<?xml version='1.0' encoding='ISO-8859-1'?>
<?xml-stylesheet type='text/xsl' href='image_metadata_stylesheet.xsl'?>
<dataset>
<name>Faces</name>
<images>
  <image file='a.jpg' width='500' height='332'>
    <box top='181' left='-4' width='52' height='53'>
      <label>face</label>
      <part name='01' x='20' y='21'/>
      <part name='00' x='10' y='11'/>
      <part name='10' x='30' y='31'/>
    </box>
    <box top='1' left='2' width='3' height='4' ignore='1'/>
  </image>
  <image file='b.jpg'/>
</images>
</dataset>
)";

TEST(Dlib, ReadsBoxesAndLandmarks) {
  const TruthFolder folder;
  const Truth truth = folder.read(kDlib);
  EXPECT_EQ(truth.format, TruthFormat::kDlib);
  ASSERT_EQ(truth.pictures.size(), 2u);
  EXPECT_EQ(truth.pictures[0].labels,
            (std::vector<Label>{{{-4, 181, 52, 53}, {{10, 11}, {20, 21}, {30, 31}}, "face", false},
                                {{2, 1, 3, 4}, {}, "", true}}));
  EXPECT_TRUE(truth.pictures[1].labels.empty());
}

TEST(Dlib, RefusesWithALine) {
  const TruthFolder folder;
  const auto refused = [&](const char* what, const char* by) {
    return folder.refused(with(kDlib, what, by));
  };
  EXPECT_EQ(refused("height='4'", "height='0'"), "labels: line 13: the box is 0 pixels high");
  EXPECT_EQ(refused("height='4'", ""), "labels: line 13: <box> has no attribute height");
  EXPECT_EQ(refused("name='01'", "name='00'"), "labels: line 7: the box has a second part '00'");
  EXPECT_EQ(refused("y='21'", "y='-'"), "labels: line 7: y: '-' is not a number");
  EXPECT_EQ(refused("file='b.jpg'", "file=''"), "labels: line 15: a picture has no name");
  EXPECT_EQ(folder.refused("<dataset/>"), "labels: line 1: dlib's XML is a <dataset> that holds <images>");
}

TEST(Dlib, BoundsDepthAndNumber) {
  const TruthFolder folder;
  std::string deep = "<dataset>";
  for (int i = 0; i < 300000; ++i) deep += "<a>";
  EXPECT_THAT(folder.refused(deep), HasSubstr("broken XML"));
  std::string many = "<dataset>" + std::string((16 << 20) + 1, '<');
  EXPECT_EQ(folder.refused(many), "labels: XML may have 16777216 tags at most");
}

}  // namespace
}  // namespace winnow
