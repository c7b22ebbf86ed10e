// Tests info.dat, CSV, points and FDDB's lists.
#include <cmath>
#include <map>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "truth/folder_for_test.h"

namespace winnow {
namespace {

using testing::HasSubstr;

TEST(Info, ReadsBoxes) {
  const TruthFolder folder;
  const Truth truth = folder.read(
      "# a comment\n"
      "a.jpg  2 140 100 45 46  200 50.5 +50 1e1\r\n"
      "\n"
      "sub/b.jpg 0\n"
      "\"with a blank.jpg\" 1 -1 -2 3 4\n"
      "a.jpg 1 1 2 3 4");
  EXPECT_EQ(truth.format, TruthFormat::kInfo);
  ASSERT_EQ(truth.pictures.size(), 3u);
  EXPECT_EQ(truth.pictures[0].name, "a.jpg");
  EXPECT_EQ(truth.pictures[0].path, folder.path("a.jpg"));
  const std::vector<Label> labels = {{{140, 100, 45, 46}, {}, "", false},
                                     {{200, 50.5, 50, 10}, {}, "", false},
                                     {{1, 2, 3, 4}, {}, "", false}};
  EXPECT_EQ(truth.pictures[0].labels, labels);
  EXPECT_EQ(truth.pictures[1].path, folder.path("sub/b.jpg"));
  EXPECT_TRUE(truth.pictures[1].labels.empty());
  EXPECT_EQ(truth.pictures[2].name, "with a blank.jpg");
  EXPECT_EQ(truth.pictures[2].labels[0].box, (RealBox{-1, -2, 3, 4}));
}

TEST(Info, RefusesWithALine) {
  const TruthFolder folder;
  const std::string good = "a.jpg 1 1 2 3 4\n";
  EXPECT_EQ(folder.refused(good + "b.jpg 2 1 2 3 4\n"),
            "labels: line 2: a count of 2 means 8 numbers behind it, here are 4");
  EXPECT_EQ(folder.refused(good + "b.jpg 1 1 2 3 4 5 6 7 8\n"),
            "labels: line 2: a count of 1 means 4 numbers behind it, here are 8");
  EXPECT_EQ(folder.refused(good + "b.jpg 1 1 2 0 4\n"), "labels: line 2: the box is 0 pixels wide");
  EXPECT_EQ(folder.refused(good + "b.jpg 1 1 2 3 -4.5\n"), "labels: line 2: the box is -4.5 pixels high");
  EXPECT_EQ(folder.refused(good + "\nb.jpg 1 1 nan 3 4\n"),
            "labels: line 3: y: 'nan' is not a finite number");
  EXPECT_EQ(folder.refused(good + "b.jpg 1 inf 2 3 4\n"), "labels: line 2: x: 'inf' is not a finite number");
  EXPECT_EQ(folder.refused(good + "b.jpg 1 1e999 2 3 4\n"),
            "labels: line 2: x: '1e999' is beyond the range of numbers");
  EXPECT_EQ(folder.refused(good + "b.jpg 1 1 2 1e10 4\n"),
            "labels: line 2: width: '1e10' is more than any picture has pixels");
  EXPECT_EQ(folder.refused(good + "b.jpg\n"), "labels: line 2: the count of boxes is missing");
  EXPECT_EQ(folder.refused(good + "b.jpg -1\n"),
            "labels: line 2: the count of boxes: '-1' is not a whole number");
  EXPECT_THAT(folder.refused(good + "b.jpg 99999999999999999999\n"),
              HasSubstr("line 2: the count of boxes is '99999999999999999999', at most"));
  EXPECT_EQ(folder.refused(good + "my picture.jpg 1 1 2 3 4\n"),
            "labels: line 2: the count of boxes: 'picture.jpg' is not a whole number");
  EXPECT_EQ(folder.refused(good + "\"b.jpg 1 1 2 3 4\n"),
            "labels: line 2: a quote is not closed on its line");
  EXPECT_EQ(folder.refused(good + "b\x1b[31m.jpg 1 1 2 3 4\n"),
            "labels: line 2: a picture has a control character in its name");
}

TEST(Csv, ReadsColumnsByName) {
  const TruthFolder folder;
  const Truth truth = folder.read(
      "Class, Y ,x,w,H,FileName,ignore,whatever\n"
      "car,2,1,3,4,\"a, \"\"b\"\".png\",0,?\n"
      "cat,2.5,1.5,3,4,c.png,1,\n"
      ",,,,,d.png,,\n");
  EXPECT_EQ(truth.format, TruthFormat::kCsv);
  ASSERT_EQ(truth.pictures.size(), 3u);
  EXPECT_EQ(truth.pictures[0].name, "a, \"b\".png");
  EXPECT_EQ(truth.pictures[0].labels, (std::vector<Label>{{{1, 2, 3, 4}, {}, "car", false}}));
  EXPECT_EQ(truth.pictures[1].labels, (std::vector<Label>{{{1.5, 2.5, 3, 4}, {}, "cat", true}}));
  EXPECT_TRUE(truth.pictures[2].labels.empty());
}

TEST(Csv, ReadsCorners) {
  const TruthFolder folder;
  // In this file, width and height hold the picture's size.
  const Truth truth =
      folder.read("filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,640,480,dog,10,20,40,60\n");
  EXPECT_EQ(truth.pictures.at(0).labels.at(0).box, (RealBox{10, 20, 30, 40}));
  const Truth other = folder.read("image;left;top;right;bottom\na.jpg;10;20;40;60\n");
  EXPECT_EQ(other.format, TruthFormat::kCsv);
  EXPECT_EQ(other.pictures.at(0).labels.at(0).box, (RealBox{10, 20, 30, 40}));
  const Truth tabs = folder.read("path\tx\ty\tw\th\tlabel\na b.jpg\t1\t2\t3\t4\t\nc.jpg\t1\t2\t3\t4\tcow\n");
  EXPECT_EQ(tabs.pictures.at(0).name, "a b.jpg");
  EXPECT_EQ(tabs.pictures.at(0).labels.at(0).category, "");
  EXPECT_EQ(tabs.pictures.at(1).labels.at(0).category, "cow");
}

TEST(Csv, ReadsWithoutAHeadOnlyIfNamed) {
  const TruthFolder folder;
  const std::string text = "# nobody knows\na.png 117 37 25 29\na.png 1 2 3 4\n";
  const Truth truth = folder.read(text, as("csv"));
  ASSERT_EQ(truth.pictures.size(), 1u);
  ASSERT_EQ(truth.pictures[0].labels.size(), 2u);
  EXPECT_EQ(truth.pictures[0].labels[0].box, (RealBox{117, 37, 25, 29}));
  const Truth points = folder.read(text, as("points"));
  EXPECT_EQ(points.pictures[0].labels[0].points, (std::vector<Point>{{117, 37}, {25, 29}}));
  EXPECT_EQ(
      folder.refused(text),
      "labels: line 2: a name and four numbers may be a box or two points; name the format csv or points");
}

TEST(Csv, RefusesWithALine) {
  const TruthFolder folder;
  const std::string head = "file,x,y,width,height,ignore\n";
  EXPECT_EQ(folder.refused(head + "a,1,2,3,4,0\na,1,2,0,4,0\n", {}, "truth.csv"),
            "truth.csv: line 3: the box is 0 pixels wide");
  EXPECT_EQ(folder.refused(head + "a,1,2,3,4\n"), "labels: line 2: the line has 5 columns, the head line 6");
  EXPECT_EQ(folder.refused(head + "a,1,2,3,,0\n"), "labels: line 2: height is missing");
  EXPECT_EQ(folder.refused(head + ",1,2,3,4,0\n"), "labels: line 2: a picture has no name");
  EXPECT_EQ(folder.refused(head + "a,1,2,3,4,maybe\n"), "labels: line 2: ignore: 'maybe' is neither 0 nor 1");
  EXPECT_EQ(folder.refused(head + "\"a\"b,1,2,3,4,0\n"),
            "labels: line 2: text behind the closed quote of '\"a\"b,1,2,3,4,0'");
  EXPECT_EQ(folder.refused(head), "labels: names no picture");
  EXPECT_EQ(folder.refused("file,x,y,width\na,1,2,3\n"),
            "labels: line 1: the head line names no column for the height (height or ymax)");
  EXPECT_EQ(folder.refused("file,x,y,w,width,h\na,1,2,3,3,4\n"),
            "labels: line 1: the column 'width' is there twice, perhaps by another name");
  EXPECT_EQ(folder.refused("file,xmin,ymin,xmax,ymax\na,5,2,4,4\n"),
            "labels: line 2: the box is -1 pixels wide");
  EXPECT_THAT(folder.refused("file,x1,y1,x2,y2\na,5,2,4,4\n"),
              HasSubstr("line 1: four columns such as x1,y1,x2,y2 may be two points"));
  EXPECT_THAT(folder.refused("image,bbox_x,bbox_y,bbox_width,bbox_height\na,5,2,4,4\n"),
              HasSubstr("line 1: four columns"));
  for (const char* corners :
       {"p1_x,p1_y,p2_x,p2_y", "min_x,min_y,max_x,max_y", "topleft_x,topleft_y,bottomright_x,bottomright_y",
        "left_x,left_y,right_x,right_y", "left_eye_x,left_eye_y,right_eye_x,nose_y"}) {
    EXPECT_THAT(folder.refused("file," + std::string(corners) + "\na,5,2,4,4\n"),
                HasSubstr("line 1: four columns"));
  }
  for (const char* columns : {"file,x_1,y_1,width,height", "filename,x_center,y_center,w,h",
                              "file,x1,y1,x2,y2,label", "file,x1,y1,x2,y2,difficult"}) {
    EXPECT_THAT(folder.refused(std::string(columns) + "\na,5,2,4,4\n"),
                HasSubstr("line 1: the head line names a box's sides"));
  }
}

TEST(Points, ReadsCommasAndBlanks) {
  const TruthFolder folder;
  const std::vector<Point> points = {{1, 2}, {5.5, -3}, {0, 7}};
  for (const char* text :
       {"file,x0,y0,x1,y1,x2,y2\na.jpg,1,2,5.5,-3,0,7\na.jpg,1,1,1,1,1,1\nb.jpg,,,,,,\n",
        "#filename left-eye right-eye nose\na.jpg 1 2 5.5 -3 0 7\na.jpg 1 1 1 1 1 1\nb.jpg\n",
        "a.jpg, 1, 2, 5.5, -3, 0, 7\n a.jpg,1,1,1,1,1,1\n\"b.jpg\"\n"}) {
    const Truth truth = folder.read(text);
    EXPECT_EQ(truth.format, TruthFormat::kPoints);
    ASSERT_EQ(truth.pictures.size(), 2u) << text;
    ASSERT_EQ(truth.pictures[0].labels.size(), 2u) << text;
    EXPECT_EQ(truth.pictures[0].labels[0], (Label{{0, -3, 5.5, 10}, points, "", false}));
    EXPECT_EQ(truth.pictures[0].labels[1].box, (RealBox{1, 1, 0, 0}));
    EXPECT_EQ(truth.pictures[1].name, "b.jpg");
    EXPECT_TRUE(truth.pictures[1].labels.empty());
  }
}

TEST(Points, RefusesColumnsThatAreNotXAndThenY) {
  const TruthFolder folder;
  const std::string row = "\na.jpg,1,2,3,4,5,6\n";
  const std::string order = "; give each point two columns, its x and then its y";
  for (const auto& [head, why] : std::map<std::string, std::string>{
           {"y1,x1,y2,x2,y3,x3", "2 is 'y1' where the x of a point belongs" + order},
           {"x1,x2,x3,y1,y2,y3", "3 is 'x2' where the y of 'x1' belongs" + order},
           {"x1,y1,seen1,x2,y2,seen2", "4 is 'seen1' where the x of a point belongs" + order},
           {"nose_y,nose_x,chin_y,chin_x,ear_y,ear_x",
            "2 is 'nose_y' where the x of a point belongs" + order},
           {"nose_x,nose_y,chin_x,ear_y,ear_x,chin_y",
            "5 is 'ear_y' where the y of 'chin_x' belongs" + order},
           {"nose_x,nose_y,chin_x,chin_y,Nose_X,Nose_Y",
            "6 is 'Nose_X', a point that the head line has before; give each point a name of its own"},
           {"x0,y0,x1,y1,x0,y0",
            "6 is 'x0', a point that the head line has before; give each point a name of its own"},
           {"x0,y0,x1,y1,x2", "6 is 'x2', and a column with its y is missing"},
           {"nose (y),nose (x),chin (y),chin (x),ear (y),ear (x)",
            "2 is 'nose (y)' where the x of a point belongs" + order},
           {"nose_row,nose_col,chin_row,chin_col,ear_row,ear_col",
            "2 is 'nose_row', and points are given as x and y; name the columns so, x first"},
           {"x0,x0,x1,x1,x2,x2", "3 is 'x0', as a column before; give each column a name of its own"}}) {
    const std::string refused = "points.csv: line 1: column " + why;
    EXPECT_EQ(folder.refused("file," + head + row, {}, "points.csv"), refused);
    EXPECT_EQ(folder.refused("#file," + head + row, as("points"), "points.csv"), refused);
  }
  // The lists of CelebA have no column for the picture.
  EXPECT_EQ(folder.refused("nose_y nose_x chin_y chin_x\na.jpg 1 2 3 4\n"),
            "labels: line 1: column 1 is 'nose_y' where the x of a point belongs" + order);
  // Names that tell no axis keep the order x, y.
  for (const char* head : {"file,x,y,x,y,x,y", "file,a,b,c,d,e,f"})
    EXPECT_EQ(folder.read(head + row, as("points")).pictures.at(0).labels.at(0).points,
              (std::vector<Point>{{1, 2}, {3, 4}, {5, 6}}));
}

TEST(Points, ReadsSemicolonsBelowAHeadLine) {
  const TruthFolder folder;
  const std::string head = "file;nose_x;nose_y;chin_x;chin_y;ear_x;ear_y\n";
  const Truth truth = folder.read(head + "a b.jpg;1;2.5;3;4;5;6\nc.jpg;;;;;;\nd.jpg\n");
  EXPECT_EQ(truth.format, TruthFormat::kPoints);
  EXPECT_EQ(truth.point_names, (std::vector<std::string>{"nose", "chin", "ear"}));
  ASSERT_EQ(truth.pictures.size(), 3u);
  EXPECT_EQ(truth.pictures[0].name, "a b.jpg");
  EXPECT_EQ(truth.pictures[0].labels.at(0).points, (std::vector<Point>{{1, 2.5}, {3, 4}, {5, 6}}));
  EXPECT_EQ(folder.refused(head + "a.jpg;1,5;2;3;4;5;6\n"),
            "labels: line 2: a point's x: '1,5' is not a number; write it with a decimal point");
  EXPECT_EQ(folder.refused(head + "a.jpg,1,2,3,4,5,6\n"),
            "labels: line 2: the columns are separated by ',', and those of the head line by ';'");
  const std::string needs_head =
      "the columns are separated by ';', which is read below a head line only; name the columns in one "
      "(file;...), or write ',' between them";
  for (const char* row : {"a.jpg;1;2;3;4;5;6\n", "a.jpg;1,5;2,5;3;4;5;6\n", "a.jpg;1;2;3;4\n"}) {
    EXPECT_EQ(folder.refused(row), "labels: line 1: " + needs_head);
    EXPECT_EQ(folder.refused(row, as("points")), "labels: line 1: " + needs_head);
    EXPECT_EQ(folder.refused(row, as("csv")), "labels: line 1: " + needs_head);
  }
  EXPECT_EQ(folder.refused("file,x0,y0\na.jpg;1;2\n"), "labels: line 2: " + needs_head);
}

TEST(Points, ReadsSixtyEightWithAndWithoutAHead) {
  const TruthFolder folder;
  std::string head = "file", line = "a.jpg";
  std::vector<Point> points;
  for (int i = 0; i < 68; ++i) {
    const std::string number = std::to_string(i);
    head += ",x" + number + ",y" + number;
    line += "," + number + ".156,-" + number + ".1";
    points.push_back({std::stod(number + ".156"), std::stod("-" + number + ".1")});
  }
  for (const std::string& text : {head + "\n" + line + "\n", line + "\n"}) {
    const Truth truth = folder.read(text);
    EXPECT_EQ(truth.format, TruthFormat::kPoints);
    ASSERT_EQ(truth.pictures.size(), 1u);
    ASSERT_EQ(truth.pictures[0].labels.size(), 1u);
    EXPECT_EQ(truth.pictures[0].labels[0].points, points);
    EXPECT_EQ(truth.pictures[0].labels[0].box.x, 0.156);
    EXPECT_EQ(truth.pictures[0].labels[0].box.width, 67.156 - 0.156);
  }
}

TEST(Points, AreKnownByTheirNames) {
  const TruthFolder folder;
  for (const char* head :
       {"file,left_eye_x,left_eye_y,right_eye_x,right_eye_y", "Image, LeftEyeX, LeftEyeY, NoseX, NoseY",
        "#file eye-l-x eye-l-y eye-r-x eye-r-y", "file,x0,y0,x1,y1"}) {
    const Truth truth = folder.read(std::string(head) + "\na.jpg,1,2,5,3\n");
    EXPECT_EQ(truth.format, TruthFormat::kPoints) << head;
    EXPECT_EQ(truth.pictures.at(0).labels.at(0).points, (std::vector<Point>{{1, 2}, {5, 3}})) << head;
  }
}

TEST(Points, RefusesWithALine) {
  const TruthFolder folder;
  const std::string good = "a.jpg 1 2 3 4 5 6\n";
  EXPECT_EQ(folder.refused(good + "b.jpg 1 2 3\n"),
            "labels: line 2: points are pairs of numbers, here are 3 numbers");
  EXPECT_EQ(folder.refused(good + "b.jpg 1 2 3 4\n"),
            "labels: line 2: the object has 2 points, the one of line 1 has 3");
  EXPECT_EQ(folder.refused(good + "b.jpg 1 2 3 4 5 x\n"), "labels: line 2: a point's y: 'x' is not a number");
  EXPECT_EQ(folder.refused("a.jpg,1,2,3,4,5,6\nb.jpg,1,2,,4,5,6\n"),
            "labels: line 2: a point's x is missing");
  // In the middle of a file a line of names is no head line.
  EXPECT_EQ(folder.refused(good + "file x0 y0 x1 y1 x2 y2\n"),
            "labels: line 2: a point's x: 'x0' is not a number");
}

TEST(Fddb, ReadsTheBoxAroundTheEllipse) {
  const TruthFolder folder;
  const Truth truth = folder.read(
      "2002/08/11/big/img_591\n"
      "2\n"
      "123.5 85.25 0 269.75 161.75  1\n"
      "20 10 1.5707963267948966 50 60 1\n"
      "2002/img_2.PNG\n"
      "0\n"
      "2002/img_3\n"
      "1\n"
      "20 10 0.78539816339744831 100 100 1\n");
  EXPECT_EQ(truth.format, TruthFormat::kFddb);
  ASSERT_EQ(truth.pictures.size(), 3u);
  EXPECT_EQ(truth.pictures[0].name, "2002/08/11/big/img_591");
  EXPECT_EQ(truth.pictures[0].path, folder.path("2002/08/11/big/img_591.jpg"));
  EXPECT_EQ(truth.pictures[1].path, folder.path("2002/img_2.PNG"));
  ASSERT_EQ(truth.pictures[0].labels.size(), 2u);
  EXPECT_EQ(truth.pictures[0].labels[0].box, (RealBox{269.75 - 123.5, 161.75 - 85.25, 247, 170.5}));
  const RealBox upright = truth.pictures[0].labels[1].box;
  EXPECT_NEAR(upright.x, 40, 1e-9);
  EXPECT_NEAR(upright.y, 40, 1e-9);
  EXPECT_NEAR(upright.width, 20, 1e-9);
  EXPECT_NEAR(upright.height, 40, 1e-9);
  // The box touches the turned ellipse: the ellipse's farthest points lie on the box.
  double right = 0, bottom = 0;
  for (int i = 0; i < 100000; ++i) {
    const double t = i * 2 * std::numbers::pi / 100000, c = std::sqrt(0.5);
    right = std::max(right, 20 * std::cos(t) * c - 10 * std::sin(t) * c);
    bottom = std::max(bottom, 20 * std::cos(t) * c + 10 * std::sin(t) * c);
  }
  const RealBox turned = truth.pictures[2].labels.at(0).box;
  EXPECT_NEAR(turned.x + turned.width, 100 + right, 1e-6);
  EXPECT_NEAR(turned.y + turned.height, 100 + bottom, 1e-6);
}

TEST(Fddb, RefusesWithALine) {
  const TruthFolder folder;
  EXPECT_EQ(folder.refused("a\n2\n9 8 0 1 1 1\n"),
            "labels: line 3: the list ends before all ellipses of its last picture");
  EXPECT_EQ(folder.refused("a\n0\nb\n"),
            "labels: line 3: the list ends before the count of its last picture");
  EXPECT_EQ(folder.refused("a\n1\n9 8 0 1\n"),
            "labels: line 3: an ellipse is 'major minor angle x y 1', here are 4 words");
  EXPECT_EQ(folder.refused("a\n1\n9 -8 0 1 1 1\n"),
            "labels: line 3: the half axes of the ellipse are 9 and -8 pixels");
  EXPECT_EQ(folder.refused("a\n0\nb\nc\n"),
            "labels: line 4: the count of ellipses: 'c' is not a whole number");
}

}  // namespace
}  // namespace winnow
