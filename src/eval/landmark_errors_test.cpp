#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <winnow/error.h>
#include <winnow/eval_landmarks.h>

#include "eval/landmark_rule.h"
#include "truth/points/point_names.h"

namespace winnow {
namespace {

Label label_of(std::vector<Point> points, bool ignore = false) {
  return {box_around(points), std::move(points), "", ignore};
}

// A face of two points: the corners of a square.
Label square(double x, double y, double side) { return label_of({{x, y}, {x + side, y + side}}); }

Shape shape_of(const std::vector<Point>& points, double right = 0, double down = 0) {
  Shape shape;
  for (const Point& p : points) shape.points.push_back({p.x + right, p.y + down});
  return shape;
}

// 68 points in a square of side 100. The pupils lie at (30, 40) and (70, 40), the outer corners of the eyes
// at (20, 40) and (80, 40).
std::vector<Point> sixty_eight() {
  std::vector<Point> points(68, {50, 50});
  points[0] = {0, 0};
  points[16] = {100, 100};
  points[36] = {20, 40}, points[39] = {40, 40};
  points[37] = points[38] = {30, 35};
  points[40] = points[41] = {30, 45};
  points[42] = {60, 40}, points[45] = {80, 40};
  points[43] = points[44] = {70, 35};
  points[46] = points[47] = {70, 45};
  points[33] = {50, 60};
  return points;
}

std::vector<Point> five_of(const std::vector<Point>& points) {
  return {points[36], points[39], points[42], points[45], points[33]};
}

// The scheme of these points of iBUG's.
PointScheme ibug(const std::vector<std::size_t>& numbers) {
  std::vector<std::string> names;
  for (const std::size_t number : numbers) names.push_back(ibug_name(number));
  return scheme_of_names(names);
}

// The scheme of shapes that `sixty_eight` and `five_of` make. Their points lie too oddly to be recognised.
PointScheme scheme_for(std::size_t points) {
  std::vector<std::size_t> all(points);
  for (std::size_t i = 0; i < points; ++i) all[i] = i;
  return points == 68 ? ibug(all) : points == 5 ? ibug({36, 39, 42, 45, 33}) : PointScheme{};
}

LandmarkEvaluation evaluate(const std::vector<LabelledPicture>& pictures,
                            const std::vector<std::vector<MarkedFace>>& found, double distance = 0.05) {
  ComparedSchemes schemes;
  for (const LabelledPicture& picture : pictures)
    for (const Label& label : picture.labels)
      if (schemes.labels == PointScheme{}) schemes.labels = scheme_for(label.points.size());
  for (const auto& faces : found)
    for (const MarkedFace& face : faces)
      if (schemes.model == PointScheme{}) schemes.model = scheme_for(face.shape.points.size());
  return evaluate_landmarks(pictures, found, distance, schemes);
}

std::vector<LabelledPicture> one_picture(std::vector<Label> labels) {
  return {{"a.png", "a.png", std::move(labels)}};
}

// Evaluates one shape of a picture's only face.
LandmarkEvaluation judge(const std::vector<Point>& label, const Shape& shape) {
  return evaluate(one_picture({label_of(label)}),
                  std::vector<std::vector<MarkedFace>>{{{{0, 0, 100, 100}, shape, 0}}});
}

TEST(Landmarks68, EachNormByHand) {
  // All points lie 3 to the right and 4 below: each distance is 5.
  const LandmarkEvaluation e = judge(sixty_eight(), shape_of(sixty_eight(), 3, 4));
  ASSERT_EQ(e.found.size(), 1u);
  EXPECT_EQ(e.points, 68u);
  const JudgedFace& face = e.found[0];
  EXPECT_DOUBLE_EQ(face.error(LandmarkNorm::kPupils), 5.0 / 40);
  EXPECT_DOUBLE_EQ(face.error(LandmarkNorm::kEyeCorners), 5.0 / 60);
  EXPECT_DOUBLE_EQ(face.error(LandmarkNorm::kSide), 5.0 / 100);
  EXPECT_DOUBLE_EQ(face.error(LandmarkNorm::kRoot), std::sqrt(68 * 25.0) / (68 * 60));
  EXPECT_DOUBLE_EQ(e.of(LandmarkNorm::kPupils).mean, 5.0 / 40);
  EXPECT_DOUBLE_EQ(e.of(LandmarkNorm::kPupils).points[12], 5.0 / 40);
  EXPECT_TRUE(e.of(LandmarkNorm::kRoot).points.empty());
  EXPECT_EQ(e.main_norm(), LandmarkNorm::kPupils);
  EXPECT_FALSE(e.reliability);
}

TEST(Landmarks68, TheErrorOfAPointIsItsOwn) {
  Shape shape = shape_of(sixty_eight());
  shape.points[30].x += 6.8;
  const LandmarkEvaluation e = judge(sixty_eight(), shape);
  EXPECT_NEAR(e.found[0].error(LandmarkNorm::kPupils), 0.1 / 40, 1e-15);
  EXPECT_NEAR(e.found[0].error(LandmarkNorm::kRoot), 6.8 / (68 * 60), 1e-15);
  EXPECT_NEAR(e.of(LandmarkNorm::kPupils).points[30], 6.8 / 40, 1e-15);
  EXPECT_NEAR(e.of(LandmarkNorm::kEyeCorners).points[30], 6.8 / 60, 1e-15);
  EXPECT_NEAR(e.of(LandmarkNorm::kSide).points[30], 6.8 / 100, 1e-15);
  EXPECT_EQ(e.of(LandmarkNorm::kPupils).points[31], 0);
}

// The side of a box is the square root of width times height, not its longer side.
TEST(Landmarks68, TheSideOfAFlatFace) {
  const std::vector<Point> flat{{0, 0}, {90, 0}, {0, 40}};
  const LandmarkEvaluation e = judge(flat, shape_of(flat, 0, 6));
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kSide), 6.0 / 60);
}

TEST(LandmarksOf5, AgainstTruthOf68) {
  // The shape's five points lie 3 pixels too far left. Lengths are measured on the label's 68 points.
  const LandmarkEvaluation e = judge(sixty_eight(), shape_of(five_of(sixty_eight()), -3));
  EXPECT_EQ(e.points, 5u);
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kPupils), 3.0 / 40);
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kEyeCorners), 3.0 / 60);
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kSide), 3.0 / 100);
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kRoot), std::sqrt(5 * 9.0) / (5 * 60));
}

TEST(LandmarksOf5, FiveAgainstFive) {
  // The midpoints between each eye's corners are (30, 40) and (72, 40). The box has 60 by 20 pixels.
  std::vector<Point> five = five_of(sixty_eight());
  five[2].x = 64;
  const LandmarkEvaluation e =
      evaluate(one_picture({label_of(five)}),
               std::vector<std::vector<MarkedFace>>{{{{10, 10, 80, 80}, shape_of(five, 0, 2), {}}}});
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kPupils), 2.0 / 42);
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kEyeCorners), 2.0 / 60);
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kSide), 2.0 / std::sqrt(60.0 * 20));
}

TEST(LandmarksOf5, SixtyEightAgainstTruthOf5) {
  Shape shape = shape_of(sixty_eight());
  shape.points[33].y += 5;  // one of the five points that are compared
  shape.points[0].x += 50;  // not one of the five
  const LandmarkEvaluation e =
      evaluate(one_picture({label_of(five_of(sixty_eight()))}),
               std::vector<std::vector<MarkedFace>>{{{{10, 10, 80, 80}, shape, {}}}});
  EXPECT_EQ(e.points, 5u);
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kPupils), 1.0 / 40);
  EXPECT_DOUBLE_EQ(e.of(LandmarkNorm::kPupils).points[4], 5.0 / 40);
}

TEST(LandmarksOfOthers, HaveTheSideAlone) {
  const std::vector<Point> three{{0, 0}, {100, 0}, {50, 100}};
  const LandmarkEvaluation e = judge(three, shape_of(three, 1));
  EXPECT_TRUE(std::isnan(e.found[0].error(LandmarkNorm::kPupils)));
  EXPECT_TRUE(std::isnan(e.found[0].error(LandmarkNorm::kEyeCorners)));
  EXPECT_TRUE(std::isnan(e.found[0].error(LandmarkNorm::kRoot)));
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kSide), 0.01);
  EXPECT_EQ(e.of(LandmarkNorm::kPupils).faces(), 0);
  EXPECT_TRUE(std::isnan(e.of(LandmarkNorm::kPupils).mean));
  EXPECT_TRUE(std::isnan(e.of(LandmarkNorm::kPupils).above(0.1)));
  EXPECT_TRUE(std::isnan(e.of(LandmarkNorm::kPupils).area_to(0.1)));
  EXPECT_EQ(e.main_norm(), LandmarkNorm::kSide);
}

// Makes a picture with a found face for each error, in pixels, and one more picture whose face is not found.
LandmarkEvaluation four(const std::vector<double>& errors) {
  const std::vector<Point> points{{0, 0}, {100, 100}};
  std::vector<LabelledPicture> pictures;
  std::vector<std::vector<MarkedFace>> found;
  for (const double error : errors) {
    pictures.push_back({"", "", {label_of(points)}});
    found.push_back({{{0, 0, 100, 100}, shape_of(points, error), {}}});
  }
  pictures.push_back({"", "", {label_of(points, true), label_of(points)}});
  found.push_back({{{300, 0, 100, 100}, shape_of(points), {}}});
  return evaluate(pictures, found);
}

TEST(LandmarkFigures, OfSeveralFaces) {
  const LandmarkEvaluation e = four({10, 2, 8, 5});
  EXPECT_EQ(e.pictures, 5);
  EXPECT_EQ(e.faces, 5);
  EXPECT_EQ(e.left_out, 1);
  EXPECT_EQ(e.found.size(), 4u);
  EXPECT_EQ(e.missed, (std::vector<MissedFace>{{4, 1}}));
  const NormErrors& side = e.of(LandmarkNorm::kSide);
  EXPECT_EQ(side.curve, (std::vector<double>{0.02, 0.05, 0.08, 0.1}));
  EXPECT_DOUBLE_EQ(side.mean, 0.0625);  // the face that was not found adds no error
  EXPECT_DOUBLE_EQ(side.median, (0.05 + 0.08) / 2);
  EXPECT_DOUBLE_EQ(side.points[0], 0.0625);
  EXPECT_DOUBLE_EQ(side.above(0.08), 0.25);  // an error of just 8 % is not above
  EXPECT_DOUBLE_EQ(side.above(0.1), 0);
  EXPECT_DOUBLE_EQ(side.above(0.05), 0.5);
  // The curve is 1/4 from 2 % on, 1/2 from 5 % on, and 3/4 from 8 % on.
  EXPECT_DOUBLE_EQ(side.area_to(0.08), (0.25 * 3 + 0.5 * 3) / 8);
  EXPECT_DOUBLE_EQ(four({1, 2, 7}).of(LandmarkNorm::kSide).median, 0.02);
}

TEST(LandmarkFigures, NothingFound) {
  const LandmarkEvaluation e = four({});
  EXPECT_EQ(e.faces, 1);
  EXPECT_EQ(e.missed.size(), 1u);
  EXPECT_EQ(e.points, 0u);
  EXPECT_TRUE(std::isnan(e.of(LandmarkNorm::kSide).median));
  EXPECT_FALSE(e.reliability);
}

TEST(LandmarkFigures, AFaceWithoutPupilsHasNoSuchError) {
  std::vector<Point> five = five_of(sixty_eight());
  five[2] = five[0], five[3] = five[1];  // both pupils in one place, the outer corners apart
  const LandmarkEvaluation e =
      evaluate(one_picture({label_of(five)}),
               std::vector<std::vector<MarkedFace>>{{{{20, 40, 20, 20}, shape_of(five, 1), {}}}});
  EXPECT_TRUE(std::isnan(e.found[0].error(LandmarkNorm::kPupils)));
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kEyeCorners), 1.0 / 20);
  EXPECT_EQ(e.of(LandmarkNorm::kPupils).faces(), 0);
}

TEST(LandmarkLabels, AMarkedFaceMayNameItsLabel) {
  const std::vector<Point> points{{0, 0}, {100, 100}};
  const auto pictures = one_picture({label_of(points), square(200, 0, 20)});
  // The second box lies beside the first face, but names that face's label. The first box is matched to the
  // second face by its place.
  std::vector<std::vector<MarkedFace>> found{
      {{{200, 0, 20, 20}, shape_of({{200, 0}, {220, 20}}), {}}, {{500, 0, 9, 9}, shape_of(points, 2), 0}}};
  const LandmarkEvaluation e = evaluate(pictures, found);
  ASSERT_EQ(e.found.size(), 2u);
  EXPECT_EQ(e.found[0].box, (Box{500, 0, 9, 9}));
  EXPECT_EQ(e.found[1].box, (Box{200, 0, 20, 20}));
  // A label that one box names is matched to no other box.
  found = {{{{0, 0, 100, 100}, shape_of(points, 9), {}}, {{500, 0, 9, 9}, shape_of(points, 2), 0}}};
  EXPECT_EQ(evaluate(pictures, found).found[0].box.x, 500);
  found[0][1].label = 2;
  EXPECT_THROW(evaluate(pictures, found), Error);
  found[0][0].label = found[0][1].label = 0;
  EXPECT_THROW(evaluate(pictures, found), Error);
}

// The sample face, whose pupils are 40 apart, with points at these distances and probabilities.
LandmarkEvaluation with_confidence(const std::vector<double>& distances, const std::vector<float>& stated) {
  const std::vector<Point> five = five_of(sixty_eight());
  Shape shape = shape_of(five);
  for (std::size_t i = 0; i < distances.size(); ++i) shape.points[i].x += distances[i];
  shape.confidence = stated;
  return judge(sixty_eight(), shape);
}

TEST(Reliability, TenthsOfStatedProbability) {
  // A point is right up to 5 % of 40 pixels, which are 2 pixels.
  const auto e = with_confidence({1, 2, 3, 0, 0}, {0.75F, 0.75F, 0.75F, 1, 0});
  ASSERT_TRUE(e.reliability);
  const Reliability& r = *e.reliability;
  EXPECT_EQ(r.distance, 0.05);
  EXPECT_EQ(r.points(), 5);
  EXPECT_EQ(r.bins[7].points, 3);
  EXPECT_DOUBLE_EQ(r.bins[7].stated, 0.75);
  EXPECT_DOUBLE_EQ(r.bins[7].observed, 2.0 / 3);
  EXPECT_EQ(r.bins[9].points, 1);  // 1 belongs to the last tenth
  EXPECT_EQ(r.bins[9].observed, 1);
  EXPECT_EQ(r.bins[0].points, 1);
  EXPECT_EQ(r.bins[0].observed, 1);
  EXPECT_EQ(r.bins[5].points, 0);
  EXPECT_TRUE(std::isnan(r.bins[5].stated));
  EXPECT_DOUBLE_EQ(r.difference(), (3 * (0.75 - 2.0 / 3) + 0 + 1) / 5);
}

TEST(Reliability, TheDistanceIsTheModels) {
  const auto pictures = one_picture({label_of(sixty_eight())});
  Shape shape = shape_of(five_of(sixty_eight()), 3);
  shape.confidence.assign(5, 0.5F);
  const std::vector<std::vector<MarkedFace>> found{{{{0, 0, 100, 100}, shape, {}}}};
  EXPECT_EQ(evaluate(pictures, found).reliability->bins[5].observed, 0);
  EXPECT_EQ(evaluate(pictures, found, 0.075).reliability->bins[5].observed, 1);
  EXPECT_EQ(evaluate(pictures, found, 0.07).reliability->bins[5].observed, 0);
  EXPECT_THROW(evaluate(pictures, found, 0), Error);
}

TEST(Reliability, OnlyIfAllShapesHaveConfidence) {
  const auto pictures = one_picture({label_of(five_of(sixty_eight())), square(300, 0, 20)});
  Shape sure = shape_of(five_of(sixty_eight()));
  sure.confidence.assign(5, 1);
  std::vector<LabelledPicture> two(2, pictures[0]);
  for (LabelledPicture& picture : two) picture.labels.resize(1);
  Shape unsure = sure;
  unsure.confidence.clear();
  const Box box{10, 10, 80, 80};
  EXPECT_FALSE(evaluate(two, std::vector<std::vector<MarkedFace>>{{{box, sure, {}}}, {{box, unsure, {}}}})
                   .reliability);
  EXPECT_EQ(evaluate(two, std::vector<std::vector<MarkedFace>>{{{box, sure, {}}}, {{box, sure, {}}}})
                .reliability->points(),
            10);
}

TEST(LandmarkRefusals, WhatMakesNoSense) {
  const std::vector<Point> three{{0, 0}, {100, 0}, {50, 100}};
  const Shape good = shape_of(three);
  EXPECT_NO_THROW(judge(three, good));
  EXPECT_THROW(judge(three, shape_of({{0, 0}, {100, 100}})), Error);
  EXPECT_THROW(judge(three, shape_of(sixty_eight())), Error);
  Shape bad = good;
  bad.points[1].y = std::nan("");
  EXPECT_THROW(judge(three, bad), Error);
  bad = good;
  bad.confidence = {0.5F, 0.5F};
  EXPECT_THROW(judge(three, bad), Error);
  bad.confidence = {0.5F, 0.5F, 1.5F};
  EXPECT_THROW(judge(three, bad), Error);
  EXPECT_THROW(evaluate(one_picture({label_of(three)}), {}), Error);
}

// A model whose mean shape lies as these points.
LandmarkModel model_of(const std::vector<Point>& points, const PointScheme& scheme) {
  LandmarkModel model;
  for (const Point& p : points)
    model.mean.push_back({static_cast<float>(p.x / 100), static_cast<float>(p.y / 100)});
  model.scheme = scheme;
  return model;
}

TEST(LandmarkRefusals, PointsThatCannotBeCompared) {
  const auto sixty = one_picture({label_of(sixty_eight())});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 68; ++i) names.push_back(ibug_name(i));
  const LandmarkModel five = model_of(five_of(sixty_eight()), scheme_for(5));
  EXPECT_EQ(check_faces(sixty, five, names).left_eye, scheme_for(68).left_eye);
  // Without names, the odd points of these labels are of no known scheme.
  EXPECT_THROW(check_faces(sixty, five), Error);
  EXPECT_THROW(check_faces(one_picture({square(0, 0, 9)}), five), Error);
  const LandmarkModel two = model_of({{0, 0}, {100, 100}}, {});
  EXPECT_NO_THROW(check_faces(one_picture({square(0, 0, 9)}), two));
  // Ignored labels may have any points.
  EXPECT_NO_THROW(check_faces(one_picture({label_of(sixty_eight(), true), square(0, 0, 9)}), two));
  EXPECT_THROW(check_faces(one_picture({square(0, 0, 9), label_of({{0, 0}, {4, 0}, {2, 5}})}), two), Error);
  try {
    check_faces(sixty, two);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "a.png: a face has 68 marked points, and the model has 2; other numbers are compared only if "
              "names, or iBUG's scheme, tell which are the same");
  }
}

// Eyes, nose and mouth in the order of RetinaFace and MTCNN, and in another order.
const std::vector<Point> kRetina{{30, 35}, {70, 35}, {50, 60}, {35, 80}, {66, 80}};
const std::vector<Point> kOther{{35, 80}, {66, 80}, {50, 60}, {70, 35}, {30, 35}};
const std::vector<std::string> kRetinaNames{"eye_l", "eye_r", "nose", "mouth_l", "mouth_r"},
    kOtherNames{"mouth_l", "mouth_r", "nose", "eye_r", "eye_l"};

TEST(LandmarkOrders, AnotherOrderIsRefused) {
  const auto label = one_picture({label_of(kOther)});
  const std::vector<std::vector<MarkedFace>> found{{{{0, 0, 100, 100}, shape_of(kRetina), 0}}};
  EXPECT_THROW(evaluate_landmarks(label, found), Error);
  EXPECT_THROW(check_faces(label, model_of(kRetina, {})), Error);
  EXPECT_NO_THROW(check_faces(one_picture({label_of(kRetina)}), model_of(kRetina, {})));
  // A face that looks to the side keeps its order.
  std::vector<Point> aside = kRetina;
  for (Point& p : aside) p.x *= 0.55;
  EXPECT_NO_THROW(check_faces(one_picture({label_of(aside)}), model_of(kRetina, {})));
}

TEST(LandmarkOrders, NamesPutPointsInOrder) {
  const auto label = one_picture({label_of(kOther)});
  const std::vector<std::vector<MarkedFace>> found{{{{0, 0, 100, 100}, shape_of(kRetina, 4), 0}}};
  const LandmarkEvaluation e =
      evaluate_landmarks(label, found, 0.05, {scheme_of_names(kOtherNames), scheme_of_names(kRetinaNames)});
  EXPECT_EQ(e.points, 5u);
  EXPECT_DOUBLE_EQ(e.found[0].error(LandmarkNorm::kPupils), 4.0 / 40);
  EXPECT_EQ(e.label_points, (std::vector<std::size_t>{4, 3, 2, 0, 1}));
  EXPECT_NO_THROW(check_faces(label, model_of(kRetina, scheme_of_names(kRetinaNames)), kOtherNames));
  // Names that have only a part in common tell nothing about the rest.
  std::vector<std::string> partly = kRetinaNames;
  partly[2] = "chin";
  EXPECT_THROW(check_faces(label, model_of(kRetina, scheme_of_names(partly)), kOtherNames), Error);
}

TEST(LandmarkOrders, EyesOfTheModelServeLabelsWithoutNames) {
  const PointScheme scheme =
      check_faces(one_picture({label_of(kRetina)}), model_of(kRetina, scheme_of_names(kRetinaNames)));
  EXPECT_EQ(scheme.left_eye, std::vector<std::uint16_t>{0});
  EXPECT_EQ(scheme.right_eye, std::vector<std::uint16_t>{1});
  // Neither side knows eyes: no distance of pupils is guessed.
  const std::vector<std::vector<MarkedFace>> found{{{{0, 0, 100, 100}, shape_of(kRetina, 4), 0}}};
  const LandmarkEvaluation e = evaluate_landmarks(one_picture({label_of(kRetina)}), found);
  EXPECT_TRUE(std::isnan(e.found[0].error(LandmarkNorm::kPupils)));
  EXPECT_EQ(e.main_norm(), LandmarkNorm::kSide);
}

}  // namespace
}  // namespace winnow
