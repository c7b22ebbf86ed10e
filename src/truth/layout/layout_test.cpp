// Checks how labels are found in the folders of YOLO's trainings: images/ beside labels/, sub-folders, data.yaml
// and lists of pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "truth/folder_for_test.h"
#include "truth/layout/label_folders.h"

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kBox = "0 .5 .5 .5 .5\n";

// The number of labels of each picture by the last two parts of its path.
std::map<std::string, std::size_t> counts_of(const Truth& truth) {
  std::map<std::string, std::size_t> counts;
  for (const LabelledPicture& picture : truth.pictures) {
    const std::filesystem::path path(picture.path);
    counts[(path.parent_path().filename() / path.filename()).string()] = picture.labels.size();
  }
  return counts;
}
using Counts = std::map<std::string, std::size_t>;

// The layout of Ultralytics, with a picture of an upper-case ending, one without a label file, and one whose
// label file is empty.
class YoloSet : public testing::Test {
 protected:
  YoloSet() {
    for (const char* name : {"train/a b.png", "train/c.PNG", "train/alone.png", "val/a b.png"})
      folder.picture(std::string("set/images/") + name, 40, 20);
    folder.write("set/labels/train/a b.txt",
                 "\xef\xbb\xbf" + std::string("0 .5 .5 .5 .5\r\n0 .2 .2 .2 .2\r\n"));
    folder.write("set/labels/train/c.txt", "");
    folder.write("set/labels/val/a b.txt", kBox);
    folder.write("set/data.yaml", "path: .\ntrain: images/train\nval: images/val\nnames:\n  0: mug\n");
  }
  TruthFolder folder;
  const Counts train{{"train/a b.png", 2}, {"train/c.PNG", 0}, {"train/alone.png", 0}};
};

TEST_F(YoloSet, PicturesLeadToLabelsAndBack) {
  for (const char* path : {"set/images/train", "set/images/train/", "set/labels/train"}) {
    const Truth truth = read_truth(folder.path(path));
    EXPECT_EQ(truth.format, TruthFormat::kYolo);
    EXPECT_EQ(counts_of(truth), train) << path;
    EXPECT_THAT(truth.notes, ElementsAre("1 picture has no file of labels, taken as empty")) << path;
    EXPECT_EQ(truth.pictures.at(0).labels.at(0).category, "mug");
    EXPECT_EQ(truth.pictures[0].labels[0].box, (RealBox{10, 5, 20, 10}));
  }
}

TEST_F(YoloSet, FoldersAroundThemHoldAllSubFolders) {
  Counts all = train;
  all["val/a b.png"] = 1;
  for (const char* path : {"set", "set/images", "set/labels", "set/data.yaml"}) {
    const Truth truth = read_truth(folder.path(path));
    EXPECT_EQ(counts_of(truth), all) << path;
    EXPECT_THAT(truth.notes.at(0), HasSubstr("2 folders are taken together")) << path;
  }
}

TEST_F(YoloSet, AListOfPicturesLeadsToLabels) {
  folder.write("set/train.txt", "./images/train/a b.png\r\n./images/train/c.PNG\r\n");
  const Truth truth = read_truth(folder.path("set/train.txt"));
  EXPECT_EQ(counts_of(truth), (Counts{{"train/a b.png", 2}, {"train/c.PNG", 0}}));
  folder.write("set/lists.yaml", "train: train.txt\nval: \ntest: null\nnames: [mug]\n");
  EXPECT_EQ(counts_of(read_truth(folder.path("set/lists.yaml"))), counts_of(truth));
  folder.write("set/none.txt", "data.png\n");
  EXPECT_THAT(folder.refusal(folder.path("set/none.txt")),
              HasSubstr("none of its 1 picture has a file of labels"));
}

// Exports of Roboflow: images/ and labels/ in each part, and paths that begin with "../".
TEST(RoboflowSet, ItsDataYamlCountsFromItsFolder) {
  const TruthFolder folder;
  folder.picture("rf/train/images/x_jpg.rf.1.png", 10, 10);
  folder.write("rf/train/labels/x_jpg.rf.1.txt", "1 .5 .5 .5 .5\n");
  folder.picture("rf/valid/images/y.png", 10, 10);
  folder.write("rf/valid/labels/y.txt", kBox);
  folder.write("rf/README.roboflow.txt", "An export\n");
  folder.write("rf/data.yaml",
               "train: ../train/images\nval: ../valid/images\ntest: ../test/images\n\nnc: 2\n"
               "names: ['cup', 'mug']\n");
  for (const char* path : {"rf", "rf/data.yaml"}) {
    const Truth truth = read_truth(folder.path(path));
    EXPECT_EQ(counts_of(truth), (Counts{{"images/x_jpg.rf.1.png", 1}, {"images/y.png", 1}})) << path;
    EXPECT_EQ(truth.pictures[0].labels.at(0).category, "mug") << path;
  }
  for (const char* path : {"rf/train", "rf/train/images", "rf/train/labels"})
    EXPECT_EQ(counts_of(read_truth(folder.path(path))), (Counts{{"images/x_jpg.rf.1.png", 1}})) << path;
  // The missing part is named.
  EXPECT_THAT(read_truth(folder.path("rf/data.yaml")).notes,
              testing::Contains("../test/images is not there, and left out"));
  EXPECT_THAT(read_truth(folder.path("rf")).notes, testing::Contains(HasSubstr("2 classes")));
  folder.write("rf/lost.yaml", "train: nowhere\n");
  EXPECT_THAT(folder.refusal(folder.path("rf/lost.yaml")), HasSubstr("none of its folders is there"));
  folder.write("rf/empty.yaml", "names: [a]\n");
  EXPECT_THAT(folder.refusal(folder.path("rf/empty.yaml")), HasSubstr("train, val or test is needed"));
}

TEST(YoloPolygons, BecomeBoxes) {
  const TruthFolder folder;
  folder.picture("a.png", 100, 50);
  const Truth truth = folder.read("0 .1 .2 .5 .2 .3 .6\n0 .5 .5 .2 .2\n", {}, "a.txt");
  EXPECT_EQ(truth.format, TruthFormat::kYolo);
  EXPECT_THAT(truth.notes, ElementsAre("polygons become the boxes around them"));
  const RealBox box = truth.pictures.at(0).labels.at(0).box;
  EXPECT_NEAR(box.x, 10, 1e-9);
  EXPECT_NEAR(box.y, 10, 1e-9);
  EXPECT_NEAR(box.width, 40, 1e-9);
  EXPECT_NEAR(box.height, 20, 1e-9);
  EXPECT_THAT(read_truth(folder.path()).notes, ElementsAre("1 polygon becomes the box around it"));
  EXPECT_THAT(folder.refused("0 .1 .2 .5 .2 .3\n", as("yolo"), "a.txt"), HasSubstr("here are 6 words"));
}

// The layouts of COCO: annotations/ beside the parts, and a file beside the pictures.
class CocoSet : public testing::Test {
 protected:
  CocoSet() {
    for (const char* name : {"train/a.png", "train/b.png", "train/other.png", "images/a.png",
                             "images/val/a.png", "flat/a.png", "flat/b.png"})
      folder.picture(std::string("set/") + name, 40, 20);
  }
  static std::string coco() {
    return R"({"images": [{"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "b.png"}],
               "categories": [{"id": 1, "name": "mug"}],
               "annotations": [{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]}]})";
  }
  TruthFolder folder;
};

TEST_F(CocoSet, FoldersOfPicturesLeadToTheirFile) {
  folder.write("set/annotations/captions_train.json", coco());
  folder.write("set/annotations/instances_train.json", coco());
  folder.write("set/flat/_annotations.coco.json", coco());
  folder.write("set/flat/settings.json", R"({"images": 2})");
  folder.write("set/README.txt", "An export\n");
  for (const auto& [pictures, file, more] : std::vector<std::array<std::string, 3>>{
           {"set/train", "set/annotations/instances_train.json", ", which leaves 1 picture out"},
           {"set/images", "set/annotations/instances_train.json", ""},
           {"set/flat", "set/flat/_annotations.coco.json", ""}}) {
    const Truth truth = read_truth(folder.path(pictures));
    EXPECT_EQ(truth.format, TruthFormat::kCoco);
    EXPECT_THAT(truth.notes, ElementsAre("the labels are those of " + folder.path(file) + more));
    ASSERT_EQ(truth.pictures.size(), 2u);
    EXPECT_EQ(truth.pictures[0].path, folder.path(pictures + "/a.png"));
    EXPECT_EQ(truth.pictures[0].labels.at(0).box, (RealBox{1, 2, 3, 4}));
  }
  folder.write("set/annotations/instances_val.json", coco());
  EXPECT_EQ(read_truth(folder.path("set/images/val")).pictures.at(0).path,
            folder.path("set/images/val/a.png"));
  // The folder around the parts does not tell which pictures are meant.
  EXPECT_EQ(folder.refusal(folder.path("set")),
            "set: is a folder with labels of COCO; name one of its files, such as " +
                folder.path("set/annotations/instances_train.json") +
                ", and with --pictures the folder of its pictures");
  std::filesystem::remove(folder.path("set/annotations/instances_val.json"));
  EXPECT_EQ(folder.refusal(folder.path("set"), as("coco")),
            "set: is a folder with labels of COCO; name their file, " +
                folder.path("set/annotations/instances_train.json") +
                ", and with --pictures the folder of its pictures");
  TruthOptions options;
  options.pictures = folder.path("set/train");
  EXPECT_EQ(read_truth(folder.path("set"), options).pictures.at(0).path, folder.path("set/train/a.png"));
}

TEST_F(CocoSet, OtherFilesAreNoLabels) {
  folder.write("set/annotations/instances_train.json", R"({"info": {}, "images": []})");
  folder.write("set/annotations/instances_flat.txt", coco());
  for (const char* path : {"set/train", "set/flat", "set/images"}) {
    EXPECT_THAT(coco_files(folder.path(path)), IsEmpty()) << path;
    EXPECT_THAT(folder.refusal(folder.path(path)), HasSubstr("is a folder without labels")) << path;
  }
}

TEST(LabelFolders, PlainFoldersHaveNone) {
  const TruthFolder folder;
  folder.picture("crops/a.png", 4, 4);
  folder.picture("crops/more/b.png", 4, 4);
  folder.write("crops/more/notes.txt", "by hand\n");
  EXPECT_THAT(label_folders(folder.path("crops")), IsEmpty());
  EXPECT_EQ(labels_beside(folder.path("crops")), "");
  EXPECT_TRUE(is_picture_name("A.JPeG"));
  EXPECT_FALSE(is_picture_name(".png"));
}

TEST(YoloNames, ListsOverSeveralLinesAndNumberedLists) {
  const TruthFolder folder;
  folder.picture("a.png", 4, 4);
  folder.write("a.txt", "1 .5 .5 1 1\n");
  for (const char* names : {"names: [cup,\n  mug]\n", "names: {0: cup, 1: mug}\n"}) {
    folder.write("data.yaml", names);
    EXPECT_EQ(read_truth(folder.path()).pictures.at(0).labels.at(0).category, "mug") << names;
  }
  folder.write("data.yaml", "names: [cup,\n  mug\n");
  EXPECT_THAT(folder.refusal(folder.path()), HasSubstr("the list of names has no end"));
}

}  // namespace
}  // namespace winnow
