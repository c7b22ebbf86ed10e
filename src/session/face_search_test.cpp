// Tests which search landmarks get, and which faces are dropped.
#include <winnow/face_search.h>

#include <gtest/gtest.h>

#include <cmath>

#include <winnow/error.h>

#include "model/landmarks/landmark_samples_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

Landmarks landmarks(bool presence, const std::string& detector) {
  LandmarkModel model = sample::random_landmarks({.confidence = true, .presence = presence}, true, 3);
  model.detector = detector;
  return Landmarks(model);
}

TEST(FaceSearch, PresenceMakesTheSearchLooser) {
  const DetectorModel face = DetectorModel::load("built-in:face");
  const FaceSearch search = face_search(face, landmarks(true, "face"));
  EXPECT_EQ(search.options.scale_factor, kFaceScale);
  EXPECT_EQ(search.options.min_neighbors, kFaceNeighbors);
  EXPECT_EQ(search.min_confidence, kFacePresence);
  EXPECT_FALSE(search.options.merge);
}

TEST(FaceSearch, WhatTheCallerChoseStays) {
  const DetectorModel face = DetectorModel::load("built-in:face");
  DetectOptions options;
  options.min_neighbors = 5;
  options.region = {1, 2, 30, 40};
  FaceSearch search = face_search(face, landmarks(true, "face"), options, 0.25);
  EXPECT_EQ(search.options.min_neighbors, 5);
  EXPECT_EQ(search.options.scale_factor, kFaceScale);
  EXPECT_EQ(search.options.region, options.region);
  EXPECT_EQ(search.min_confidence, 0.25);
  options.scale_factor = 1.3;
  search = face_search(face, landmarks(true, "face"), options, 0.0);
  EXPECT_EQ(search.options.scale_factor, 1.3);
  EXPECT_EQ(search.min_confidence, 0);
}

TEST(FaceSearch, OthersKeepTheDetectorsSearch) {
  const DetectorModel face = DetectorModel::load("built-in:face");
  const auto is_usual = [](const FaceSearch& search) {
    return !search.options.scale_factor && !search.options.min_neighbors && search.min_confidence == 0;
  };
  EXPECT_TRUE(is_usual(face_search(face, landmarks(false, "face")))) << "no presence";
  EXPECT_TRUE(is_usual(face_search(face, landmarks(true, "")))) << "the detector is not known";
  EXPECT_TRUE(is_usual(face_search(sample::square_finder(), landmarks(true, "face")))) << "another detector";
  DetectOptions raw;
  raw.raw = true;
  EXPECT_TRUE(is_usual(face_search(face, landmarks(true, "face"), raw)));
  DetectOptions support;
  support.merge = Merge::kSupport;
  EXPECT_TRUE(is_usual(face_search(face, landmarks(true, "face"), support)));
}

TEST(FaceSearch, RefusesAConfidenceThatCannotBe) {
  const DetectorModel face = DetectorModel::load("built-in:face");
  const auto refusal = [&](const Landmarks& model, double least) -> std::string {
    try {
      face_search(face, model, {}, least);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.sentence();
    }
    return "";
  };
  const Landmarks sure = landmarks(false, "face"), unsure(sample::random_landmarks({}, true, 3));
  EXPECT_EQ(refusal(sure, 1), "");
  EXPECT_EQ(refusal(sure, -0.1), "the least confidence must be from 0 to 1");
  EXPECT_EQ(refusal(sure, 1.1), "the least confidence must be from 0 to 1");
  EXPECT_EQ(refusal(sure, std::nan("")), "the least confidence must be from 0 to 1");
  EXPECT_EQ(refusal(unsure, 0), "");
  EXPECT_EQ(refusal(unsure, 0.5), "the landmarks have no confidence, so no face can have the least one");
}

TEST(FaceSearch, DropsUnlikelyFaces) {
  const auto shape = [](float presence, std::vector<float> confidence) {
    Shape made;
    made.points.resize(confidence.size());
    made.confidence = std::move(confidence);
    made.presence = presence;
    return made;
  };
  std::vector<Detection> objects = {
      {{1, 0, 9, 9}, 1, 1}, {{2, 0, 9, 9}, 2, 1}, {{3, 0, 9, 9}, 3, 1}, {{4, 0, 9, 9}, 4, 1}};
  std::vector<Shape> shapes = {shape(0.25F, {1, 1}), shape(0.5F, {0, 0}), shape(-1, {0.25F, 1}),
                               shape(-1, {})};
  const std::vector<Detection> all = objects;
  drop_unlikely({{}, 0}, objects, shapes);
  EXPECT_EQ(objects, all);
  drop_unlikely({{}, 0.5}, objects, shapes);
  ASSERT_EQ(objects, (std::vector<Detection>{all[1], all[2]}));
  EXPECT_EQ(shapes[0].presence, 0.5F);
  EXPECT_EQ(shapes[1].confidence, (std::vector<float>{0.25F, 1}));
  drop_unlikely({{}, 0.7}, objects, shapes);
  EXPECT_TRUE(objects.empty());
  EXPECT_TRUE(shapes.empty());
}

TEST(FaceSearch, SmallFacesStayIfTheDetectorItselfFindsThem) {
  const FaceSearch search{{}, 0.1, 60, 3};
  Shape shape;
  shape.presence = 0.05F;
  const auto unlikely = [&](int width, int neighbors) {
    return is_unlikely(search, {{0, 0, width, width}, 1, neighbors}, shape);
  };
  EXPECT_FALSE(unlikely(59, 4));
  EXPECT_TRUE(unlikely(59, 3));
  EXPECT_TRUE(unlikely(60, 40));
  shape.presence = 0.1F;
  EXPECT_FALSE(unlikely(60, 1));
}

}  // namespace
}  // namespace winnow
