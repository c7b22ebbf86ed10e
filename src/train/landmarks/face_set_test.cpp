// Checks the faces of labelled pictures: boxes of labels and of a detector, chosen points, pictures and faces
// that are left out, and input that is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <winnow/error.h>

#include "train/landmarks/made_faces_for_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using sample::make_faces;

// A cascade of one stump. It finds windows whose middle is bright and whose border is darker.
constexpr const char* kSquares =
    "<?xml version=\"1.0\"?><opencv_storage><cascade type_id=\"opencv-cascade-classifier\">"
    "<stageType>BOOST</stageType><featureType>HAAR</featureType><height>20</height><width>20</width>"
    "<stageParams><maxWeakCount>1</maxWeakCount></stageParams><featureParams><maxCatCount>0</maxCatCount>"
    "</featureParams><stageNum>1</stageNum><stages><_><maxWeakCount>1</maxWeakCount>"
    "<stageThreshold>0.5</stageThreshold><weakClassifiers><_><internalNodes>0 -1 0 1.5</internalNodes>"
    "<leafValues>-1. 1.25</leafValues></_></weakClassifiers></_></stages><features><_><rects>"
    "<_>0 0 20 20 -1.</_><_>5 5 10 10 4.</_></rects><tilted>0</tilted></_></features></cascade>"
    "</opencv_storage>";

// Pictures with a bright square and two points in it. A negative side means a picture without a square.
struct Squares {
  TestFolder folder;
  std::vector<LabelledPicture> pictures;

  explicit Squares(const std::vector<int>& sides) {
    std::ofstream(folder.file("squares.xml")) << kSquares;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      GrayImage image(220, 200);
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          image.row(y)[x] = static_cast<std::uint8_t>(20 + (x * 7 + y * 13) % 5);
      const int side = std::abs(sides[i]), left = 40, top = 30;
      for (int y = top; sides[i] > 0 && y < top + side; ++y) std::fill_n(image.row(y) + left, side, 220);
      LabelledPicture picture;
      picture.path = folder.file(std::to_string(i) + ".png");
      Label label;
      label.points = {{left + 0.25 * side, top + 0.25 * side}, {left + 0.75 * side, top + 0.65 * side}};
      picture.labels = {label};
      write_picture(picture.path, image.view());
      pictures.push_back(picture);
    }
  }
  FaceSetOptions options() const {
    FaceSetOptions options;
    options.detector = folder.file("squares.xml");
    return options;
  }
};

// Returns the sentence with which `find_faces` refuses its input; "" if it does not.
std::string refusal(const std::vector<LabelledPicture>& pictures, const FaceSetOptions& options,
                    ErrorCode code) {
  try {
    find_faces(pictures, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.sentence();
  }
  return "";
}

FaceSetOptions of_truth() {
  FaceSetOptions options;
  options.detector = "truth";
  return options;
}

double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

TEST(FaceSet, MissedFacesGetTheUsualBox) {
  const Squares squares({30, 40, 36, -60});
  const FaceSet set = find_faces(squares.pictures, squares.options());
  ASSERT_EQ(set.faces.size(), 4u);
  std::vector<double> across, right, down;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(set.faces[i].found) << i;
    const std::vector<Point>& points = set.faces[i].points;
    const Box& box = set.faces[i].box;
    const double side = points[1].x - points[0].x;
    EXPECT_GT(box.width, side) << "the box of the square, which is twice as large";
    across.push_back(box.width / side);
    right.push_back((box.x + box.width / 2.0 - (points[0].x + points[1].x) / 2) / side);
    down.push_back((box.y + box.height / 2.0 - (points[0].y + points[1].y) / 2) / side);
  }
  const TrainingFace& missed = set.faces[3];
  EXPECT_FALSE(missed.found);
  EXPECT_NEAR(missed.box.width, middle(across) * 30, 1);
  EXPECT_NEAR(missed.box.x + missed.box.width / 2.0, 70 + middle(right) * 30, 1);
  EXPECT_NEAR(missed.box.y + missed.box.height / 2.0, 57 + middle(down) * 30, 1);
  EXPECT_EQ(set.detector, "") << "this detector is not built in";
}

TEST(FaceSet, ADetectorThatMissesMostIsRefused) {
  const Squares half({30, 40, -36, -60});
  EXPECT_EQ(find_faces(half.pictures, half.options()).faces.size(), 4u);
  const Squares few({30, 40, -36, -60, -50});
  EXPECT_EQ(
      refusal(few.pictures, few.options(), ErrorCode::kFormat),
      "the detector finds only 2 of the 5 marked faces; take another detector, or truth for the boxes of the "
      "labels");
}

// A face of one pixel that the detector misses still gets a box that a training accepts.
TEST(FaceSet, ATinyMissedFaceGetsABox) {
  Squares squares({30, 40, -60});
  squares.pictures[2].labels[0].points = {{50, 50}, {51, 50}};
  LandmarkOptions options = sample::small_landmark_options();
  options.held_back = 0;
  FaceSet set = find_faces(squares.pictures, squares.options());
  EXPECT_FALSE(set.faces[2].found);
  // Now the points of the found faces lie at the corners of their boxes.
  for (std::size_t i = 0; i < 2; ++i)
    squares.pictures[i].labels[0].points = {
        {static_cast<double>(set.faces[i].box.x), static_cast<double>(set.faces[i].box.y)},
        {static_cast<double>(set.faces[i].box.x + set.faces[i].box.width),
         static_cast<double>(set.faces[i].box.y + set.faces[i].box.height)}};
  set = find_faces(squares.pictures, squares.options());
  EXPECT_EQ(set.faces[2].box.width, 2);
  EXPECT_EQ(set.faces[2].box.height, 2);
  EXPECT_NO_THROW(train_landmarks(set, options, sample::landmark_run()));
}

TEST(FaceSet, BoxesOfLabelsAreRounded) {
  auto made = make_faces(5, 2, 3);
  made->pictures[1].labels[0].box = {3.5, -2.4, 40.6, 30.4};
  const FaceSet set = find_faces(made->pictures, of_truth());
  ASSERT_EQ(set.faces.size(), 3u);
  EXPECT_EQ(set.faces[2].box, (Box{4, -2, 41, 30}));
  EXPECT_EQ(set.faces[2].picture, 1u);
  EXPECT_TRUE(set.faces[2].found);
  EXPECT_EQ(set.pictures[1], made->pictures[1].path);
  EXPECT_EQ(set.sizes[0].width, 190);
  made->pictures[1].labels[0].box = {-1e300, std::numeric_limits<double>::quiet_NaN(), 1e300, 1e300};
  const FaceSet wide = find_faces(made->pictures, of_truth());
  EXPECT_EQ(wide.faces[2].box.x, -(1 << 29));
  EXPECT_EQ(wide.faces[2].box.width, 1 << 29);
  for (const double wrong : {1.5, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    made->pictures[1].labels[0].box = {3, 3, wrong, 30};
    EXPECT_EQ(refusal(made->pictures, of_truth(), ErrorCode::kUsage),
              "a label has no box; take the boxes of a detector");
  }
}

TEST(FaceSet, PointsAreChosenByNumber) {
  const auto made = make_faces(5, 3, 3);
  FaceSetOptions options = of_truth();
  options.points = {4, 0, 4};
  const FaceSet set = find_faces(made->pictures, options);
  for (std::size_t i = 0; i < set.faces.size(); ++i) {
    const std::vector<Point>& all = made->set.faces[i].points;
    EXPECT_EQ(set.faces[i].points, (std::vector<Point>{all[4], all[0], all[4]}));
  }
  for (const int wrong : {5, -1}) {
    options.points = {0, wrong};
    EXPECT_EQ(refusal(made->pictures, options, ErrorCode::kUsage),
              "there is no point " + std::to_string(wrong) + ": faces have 5 points");
  }
}

TEST(FaceSet, LeavesOutWhatCannotBeLearned) {
  auto made = make_faces(5, 6, 3);
  made->pictures[0].labels[0].points[2] = {1e7, 3};
  made->pictures[1].labels[0].points.assign(5, {20, 20});
  made->pictures[2].labels[0].points[0].y = std::numeric_limits<double>::quiet_NaN();
  std::ofstream(made->pictures[3].path) << "no picture";
  made->pictures[4].labels[0].ignore = true;
  made->pictures[4].labels.emplace_back();  // no points
  std::vector<std::string> notes;
  const FaceSet set =
      find_faces(made->pictures, of_truth(), {}, [&](const std::string& note) { notes.push_back(note); });
  ASSERT_EQ(set.faces.size(), 3u) << "the second face of picture 0, and both of picture 5";
  EXPECT_EQ(set.pictures, (std::vector<std::string>{made->pictures[0].path, made->pictures[5].path}));
  EXPECT_EQ(set.faces[0].points, made->pictures[0].labels[1].points);
  EXPECT_EQ(set.faces[1].picture, 1u);
  ASSERT_EQ(notes.size(), 4u);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(notes[static_cast<std::size_t>(i)], "left out a face whose points make no sense: " +
                                                      made->pictures[static_cast<std::size_t>(i)].path);
  EXPECT_TRUE(notes[3].starts_with("left out " + made->pictures[3].path + ": not a picture")) << notes[3];
  EXPECT_NO_THROW(find_faces(made->pictures, of_truth())) << "without a listener";
}

TEST(FaceSet, Refuses) {
  auto made = make_faces(5, 3, 3);
  auto few = made->pictures;
  few[1].labels[0].points.pop_back();
  EXPECT_EQ(refusal(few, of_truth(), ErrorCode::kUsage),
            "all faces must have the same number of points: this one has 4, others have 5");
  few = made->pictures;
  few[0].labels[1].points.pop_back();
  EXPECT_EQ(refusal(few, of_truth(), ErrorCode::kUsage),
            "all faces must have the same number of points: this one has 4, others have 5");
  few = {made->pictures[1]};
  EXPECT_EQ(refusal(few, of_truth(), ErrorCode::kFormat),
            "there are fewer than 2 faces with points to learn from");
  EXPECT_EQ(refusal({}, of_truth(), ErrorCode::kFormat),
            "there are fewer than 2 faces with points to learn from");
  few = made->pictures;
  for (LabelledPicture& picture : few)
    for (Label& label : picture.labels)
      for (int i = 0; i < 508; ++i) label.points.push_back({30, 30});
  EXPECT_EQ(refusal(few, of_truth(), ErrorCode::kLimit), "a face has more than 512 points");
  const Squares squares({-30, -40, -60});
  EXPECT_EQ(refusal(squares.pictures, squares.options(), ErrorCode::kFormat),
            "the detector finds none of the 3 marked faces");
  FaceSetOptions lost;
  lost.detector = squares.folder.file("nobody.xml");
  EXPECT_NE(refusal(squares.pictures, lost, ErrorCode::kIo), "");
}

// This detector finds squares. So pictures of squares, used as negatives, give false boxes.
TEST(FaceSet, NegativesGiveFalseBoxes) {
  const Squares faces({30, 40, 36}), others({30, -50, 60});
  FaceSetOptions options = faces.options();
  const std::string cut = others.folder.file("cut.png");
  fs::copy_file(others.pictures[0].path, cut);
  fs::resize_file(cut, 60);
  options.negatives = {others.pictures[0].path, others.pictures[1].path, cut, others.pictures[2].path};
  std::vector<std::string> notes;
  const FaceSet set =
      find_faces(faces.pictures, options, {}, [&](const std::string& n) { notes.push_back(n); });
  EXPECT_EQ(set.negatives, (std::vector<std::string>{others.pictures[0].path, others.pictures[2].path}));
  ASSERT_EQ(notes.size(), 2u);  // the second note: there are too few false alarms
  EXPECT_NE(notes[0].find("left out " + cut), std::string::npos) << notes[0];
  ASSERT_EQ(set.negative_sizes.size(), 2u);
  EXPECT_EQ(set.negative_sizes[0], (Size{220, 200}));
  ASSERT_FALSE(set.false_boxes.empty());
  EXPECT_EQ(set.false_boxes.front().picture, 0u);
  EXPECT_EQ(set.false_boxes.back().picture, 1u);
  EXPECT_LE(set.false_boxes.size(), 12u) << "4 for each face";
  // Negatives change neither the faces nor their hash.
  const FaceSet plain = find_faces(faces.pictures, faces.options());
  EXPECT_EQ(plain.hash, set.hash);
  EXPECT_TRUE(plain.false_boxes.empty());
  ASSERT_EQ(plain.faces.size(), set.faces.size());
  for (std::size_t i = 0; i < plain.faces.size(); ++i) EXPECT_EQ(plain.faces[i].box, set.faces[i].box);
}

// In negatives, a group of one window is an object, too. A usual search, whose groups need more windows,
// finds fewer objects.
TEST(FaceSet, NegativesAreSearchedLoosely) {
  const Squares faces({30, 40, 36});
  const Squares others({8, 9, 10, 11, 12, 13});
  FaceSetOptions options = faces.options();
  options.detect.scale_factor = 1.1;
  for (const LabelledPicture& picture : others.pictures) options.negatives.push_back(picture.path);
  Detector detector(DetectorModel::load(options.detector));
  std::size_t usual = 0;
  for (const std::string& path : options.negatives)
    usual += detector.detect(read_picture(path).view().gray).objects.size();
  const FaceSet set = find_faces(faces.pictures, options);
  EXPECT_GT(set.false_boxes.size(), usual);
}

TEST(FaceSet, FalseBoxesAreThinnedEvenly) {
  const Squares faces({30, 40});
  std::vector<int> sides;
  for (int i = 0; i < 30; ++i) sides.push_back(30 + i);
  const Squares others(sides);
  FaceSetOptions options = faces.options();
  for (const LabelledPicture& picture : others.pictures) options.negatives.push_back(picture.path);
  const FaceSet set = find_faces(faces.pictures, options);
  ASSERT_EQ(set.false_boxes.size(), 8u);
  std::size_t later = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i > 0) {
      EXPECT_LE(set.false_boxes[i - 1].picture, set.false_boxes[i].picture);
    }
    later += set.false_boxes[i].picture >= 10 ? 1 : 0;
  }
  EXPECT_GE(later, 2u) << "not the first ones alone";
}

TEST(FaceSet, NegativesWithoutFalseBoxes) {
  const Squares faces({30, 40}), others({-30});
  FaceSetOptions options = faces.options();
  options.negatives = {others.pictures[0].path};
  std::vector<std::string> notes;
  const FaceSet set =
      find_faces(faces.pictures, options, {}, [&](const std::string& n) { notes.push_back(n); });
  EXPECT_TRUE(set.false_boxes.empty());
  EXPECT_EQ(
      notes,
      (std::vector<std::string>{"the model gets no presence: the detector finds nothing in 1 negative"}));
  options = of_truth();
  options.negatives = {others.pictures[0].path};
  EXPECT_EQ(refusal(faces.pictures, options, ErrorCode::kUsage),
            "negatives need a detector that has false alarms in them");
  options = faces.options();
  options.negatives = {faces.folder.file("nowhere")};
  EXPECT_NE(refusal(faces.pictures, options, ErrorCode::kIo), "");
}

TEST(FaceSet, TooFewFalseBoxesForPresence) {
  const Squares faces({30, 40}), others({40, 50, 60});
  GrayImage many(220, 200);  // shows 8 squares
  for (int y = 0; y < many.height(); ++y)
    for (int x = 0; x < many.width(); ++x)
      many.row(y)[x] = y < 132 && x % 55 >= 15 && x % 55 < 39 && y % 66 >= 20 && y % 66 < 44 ? 220 : 20;
  const std::string crowd = faces.folder.file("crowd.png");
  write_picture(crowd, many.view());
  const auto notes_of = [&](std::vector<std::string> negatives) {
    FaceSetOptions options = faces.options();
    options.negatives = std::move(negatives);
    std::vector<std::string> notes;
    find_faces(faces.pictures, options, {}, [&](const std::string& n) { notes.push_back(n); });
    return notes;
  };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes_of({others.pictures[0].path}),
            (Notes{"the model gets no presence: the detector finds only 1 false alarm in 1 negative, and 8 "
                   "are needed"}));
  EXPECT_EQ(notes_of({others.pictures[1].path, others.pictures[2].path}),
            (Notes{"the model gets no presence: the detector finds only 2 false alarms in 2 negatives, and 8 "
                   "are needed"}));
  EXPECT_EQ(notes_of({crowd}),
            (Notes{"the model gets no presence: all false alarms lie in one negative, and 2 are needed"}));
  EXPECT_EQ(notes_of({crowd, others.pictures[0].path}), Notes());
}

TEST(FaceSet, TheHashIsOfThePictures) {
  const auto made = make_faces(5, 4, 3);
  EXPECT_EQ(find_faces(made->pictures, of_truth()).hash, made->set.hash);
  std::vector<LabelledPicture> fewer = made->pictures;
  fewer.pop_back();
  EXPECT_NE(find_faces(fewer, of_truth()).hash, made->set.hash);
  GrayImage other = read_picture(made->pictures[2].path).gray;
  other.row(5)[5] ^= 1;
  write_picture(made->pictures[2].path, other.view());
  EXPECT_NE(find_faces(made->pictures, of_truth()).hash, made->set.hash);
}

}  // namespace
}  // namespace winnow
