// Tests rules that all formats have, and real files of labels.
#include <winnow/truth.h>

#include <cstdlib>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "truth/folder_for_test.h"

namespace winnow {
namespace {

using testing::HasSubstr;

TEST(Truth, NamesFormats) {
  std::set<std::string> names;
  for (const TruthFormat format :
       {TruthFormat::kInfo, TruthFormat::kCsv, TruthFormat::kPoints, TruthFormat::kCoco, TruthFormat::kYolo,
        TruthFormat::kVoc, TruthFormat::kDlib, TruthFormat::kFddb, TruthFormat::kPts})
    names.insert(truth_format_name(format));
  EXPECT_EQ(names,
            (std::set<std::string>{"info", "csv", "points", "coco", "yolo", "voc", "dlib", "fddb", "pts"}));
  const TruthFolder folder;
  EXPECT_EQ(
      folder.refused("a 0\n", as("kitti")),
      "labels: there is no format 'kitti' of labels, but info, csv, points, coco, yolo, voc, dlib, fddb, "
      "pts");
}

TEST(Truth, ANamedFormatIsTakenAtItsWord) {
  const TruthFolder folder;
  EXPECT_EQ(folder.read("a 0\n", as("info")).format, TruthFormat::kInfo);
  EXPECT_THAT(folder.refused("a 1 1 2 3 4\n", as("fddb")), HasSubstr("line 1: the list ends"));
  EXPECT_THAT(folder.refused("a 1 1 2 3 4\n", as("coco")), HasSubstr("line 1: broken JSON"));
  EXPECT_THAT(folder.refused("a 1 1 2 3 4\n", as("voc")), HasSubstr("broken XML"));
}

TEST(Truth, TheNameOfTheFileDoesNotMatter) {
  const TruthFolder folder;
  EXPECT_EQ(folder.read("a 1 1 2 3 4\n", {}, "x.xml").format, TruthFormat::kInfo);
  EXPECT_EQ(folder.read("{\"images\": [{\"id\": 1, \"file_name\": \"a\"}], \"annotations\": []}", {}, "x.csv")
                .format,
            TruthFormat::kCoco);
  EXPECT_EQ(folder
                .read("\xef\xbb\xbf"
                      "file,x,y,w,h\na,1,2,3,4",
                      {}, "x.json")
                .format,
            TruthFormat::kCsv);
  EXPECT_EQ(folder.read("# bounds\n#file,x,y,w,h\na,1,2,3,4", {}, "x.json").format, TruthFormat::kCsv);
}

TEST(Truth, RefusesWhatIsNoTruth) {
  const TruthFolder folder;
  EXPECT_EQ(folder.refused(""), "labels: the file is empty");
  EXPECT_EQ(folder.refused("\xef\xbb\xbf \r\n\n"), "labels: the file is empty");
  EXPECT_EQ(folder.refused("  ", as("csv")), "labels: the file is empty");
  EXPECT_EQ(folder.refused(std::string_view("\x89PNG\r\n\0\0", 8)),
            "labels: holds zero bytes, so it is no text with labels");
  EXPECT_THAT(folder.refused("a.jpg\nb.jpg\n"),
              HasSubstr("labels: has no line with labels; Winnow reads labels as"));
  EXPECT_THAT(folder.refused("All faces were marked by hand.\n"),
              HasSubstr("labels: line 1: 'All faces were marked by hand.' is no line of labels"));
  EXPECT_THAT(folder.refused("\n\x1b[2J and more\n"),
              HasSubstr("labels: line 2: '?[2J and more' is no line"));
  EXPECT_THAT(folder.refused("a.jpg " + std::string(2 << 20, '1') + "\n"),
              HasSubstr("line 1: a line may have"));
  EXPECT_THAT(folder.refusal(folder.path("nowhere")), HasSubstr("nowhere: cannot open"));
}

TEST(Truth, KeepsOneCategory) {
  const TruthFolder folder;
  const std::string text = "file,x,y,w,h,label\na,1,2,3,4,dog\na,5,6,7,8,cat\nb,1,2,3,4,cat\nc,1,2,3,4,\n";
  TruthOptions options;
  options.category = "dog";
  const Truth truth = folder.read(text, options);
  ASSERT_EQ(truth.pictures.size(), 3u);
  ASSERT_EQ(truth.pictures[0].labels.size(), 1u);
  EXPECT_EQ(truth.pictures[0].labels[0].box, (RealBox{1, 2, 3, 4}));
  EXPECT_TRUE(truth.pictures[1].labels.empty());
  EXPECT_TRUE(truth.pictures[2].labels.empty());
  options.category = "cow";
  EXPECT_EQ(folder.refused(text, options), "labels: has no category 'cow', but 'cat', 'dog'");
  EXPECT_EQ(folder.refused("a 1 1 2 3 4\n", options), "labels: no label has a category, so none is 'cow'");
}

TEST(Truth, FindsPicturesInTheirFolder) {
  const TruthFolder folder;
  TruthOptions options;
  options.pictures = "some/where";
  const Truth truth = folder.read("a/b.jpg 0\n/c.jpg 0\n", options);
  EXPECT_EQ(truth.pictures.at(0).path, "some/where/a/b.jpg");
  EXPECT_EQ(truth.pictures.at(0).name, "a/b.jpg");
  EXPECT_EQ(truth.pictures.at(1).path, "/c.jpg");
}

class RealTruth : public testing::Test {
 protected:
  void SetUp() override {
    const char* set = std::getenv("WINNOW_DATA");
    data_ = set != nullptr ? set : WINNOW_SOURCE_DIR "/../shared/data";
    if (!std::filesystem::exists(data_ + "/faces") || !std::filesystem::exists(data_ + "/photos"))
      GTEST_SKIP() << "the data folder is not there (WINNOW_DATA names it)";
  }
  static std::size_t labels(const Truth& truth) {
    std::size_t count = 0;
    for (const LabelledPicture& picture : truth.pictures) count += picture.labels.size();
    return count;
  }
  static void expect_pictures(const Truth& truth) {
    for (const LabelledPicture& picture : truth.pictures)
      EXPECT_TRUE(std::filesystem::exists(picture.path)) << picture.path;
  }
  std::string data_;
};

TEST_F(RealTruth, FacesWithPoints) {
  const Truth helen = read_truth(data_ + "/faces/helen-train/points.csv");
  EXPECT_EQ(helen.format, TruthFormat::kPoints);
  EXPECT_EQ(helen.pictures.size(), 870u);
  EXPECT_EQ(labels(helen), 870u);
  for (const LabelledPicture& picture : helen.pictures) ASSERT_EQ(picture.labels.at(0).points.size(), 68u);
  EXPECT_EQ(helen.pictures[0].name, "100032540_1.jpg");
  EXPECT_EQ(helen.pictures[0].labels[0].points[0], (Point{114.156, 170.429}));
  expect_pictures(helen);
  // Without its head line the file gives the same labels.
  const std::vector<std::byte> bytes = read_file(data_ + "/faces/helen-train/points.csv", 1 << 30);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  TruthOptions beside;
  beside.pictures = data_ + "/faces/helen-train";
  const TruthFolder folder;
  const Truth headless = folder.read(text.substr(text.find('\n') + 1), beside);
  EXPECT_EQ(headless.format, TruthFormat::kPoints);
  EXPECT_EQ(headless.pictures, helen.pictures);
  const Truth cmu = read_truth(data_ + "/faces/mit-cmu/test/groundtruth.txt");
  EXPECT_EQ(cmu.format, TruthFormat::kPoints);
  EXPECT_EQ(cmu.pictures.size(), 40u);
  EXPECT_EQ(labels(cmu), 169u);
  for (const LabelledPicture& picture : cmu.pictures)
    for (const Label& label : picture.labels) ASSERT_EQ(label.points.size(), 6u);
  EXPECT_EQ(cmu.pictures[0].labels[0].box, (RealBox{122, 43, 15, 19}));
  const Truth boxes = read_truth(data_ + "/faces/mit-cmu/test/facegroundtruth.txt", as("csv"));
  EXPECT_EQ(boxes.pictures.at(0).labels.at(0).box, (RealBox{117, 37, 25, 29}));
  EXPECT_EQ(labels(boxes), 169u);
}

TEST_F(RealTruth, PhotosOfDlib) {
  for (const auto& [name, pictures, objects] :
       {std::tuple{"testing.xml", 5u, 25u}, std::tuple{"training.xml", 4u, 18u}}) {
    const Truth truth = read_truth(data_ + "/photos/" + name);
    EXPECT_EQ(truth.format, TruthFormat::kDlib);
    EXPECT_EQ(truth.pictures.size(), pictures);
    EXPECT_EQ(labels(truth), objects);
    expect_pictures(truth);
  }
  const Truth with_points = read_truth(data_ + "/photos/testing_with_face_landmarks.xml");
  EXPECT_EQ(labels(with_points), 25u);
  const Label& first = with_points.pictures.at(0).labels.at(0);
  EXPECT_EQ(first.box, (RealBox{274, 181, 52, 53}));
  ASSERT_EQ(first.points.size(), 68u);
  EXPECT_EQ(first.points[1], (Point{278, 200}));
}

}  // namespace
}  // namespace winnow
