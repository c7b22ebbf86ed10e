// Reads, writes and refuses models of landmarks, in dlib's form and in Winnow's own.
#include "model/landmarks/landmark_model.h"

#include <gtest/gtest.h>
#include <winnow/detector_model.h>
#include <winnow/error.h>

#include <cmath>
#include <functional>
#include <random>

#include "base/folder_for_test.h"
#include "model/landmarks/landmark_samples_for_test.h"

namespace winnow {
namespace {

using sample::LandmarkSizes;
using sample::random_landmarks;

std::vector<LandmarkModel> models_of_all_forms() {
  constexpr int kMost = static_cast<int>(kMaxPoints);
  return {random_landmarks({}, false, 1),
          random_landmarks({.points = 68, .depth = 4, .confidence = true}, false, 2),
          random_landmarks({}, true, 3),
          random_landmarks({.basis = 5, .small = true, .confidence = true}, true, 4),
          random_landmarks({.points = kMost, .confidence = true, .presence = true}, true, 5)};
}

// The code and the sentence of the error that `read` throws; kIo if it throws none.
ErrorCode code_of(const std::function<void()>& read, std::string* sentence = nullptr) {
  try {
    read();
  } catch (const Error& error) {
    if (sentence != nullptr) *sentence = error.what();
    return error.code();
  }
  return ErrorCode::kIo;
}

// A scheme in which the first two points are the eyes, and change places.
PointScheme scheme_of(const LandmarkModel& model) {
  PointScheme scheme;
  for (std::size_t i = 0; i < model.mean.size(); ++i) {
    scheme.names.push_back("point " + std::to_string(i));
    scheme.mirrored.push_back(static_cast<std::uint16_t>(i < 2 ? 1 - i : i));
  }
  scheme.left_eye = {0};
  scheme.right_eye = {1};
  scheme.outer_corners = {1, 0};
  return scheme;
}

TEST(LandmarkModel, WinnowsFileKeepsEverything) {
  for (LandmarkModel model : models_of_all_forms()) {
    model.detector = "face";
    model.place = {1.25, 0.5, -0.25};
    model.turned = model.fixed_point();
    model.notes = {"a note"};
    model.card.terms = "for research only";
    model.scheme = scheme_of(model);
    const Landmarks before(model);
    const Landmarks after = Landmarks::parse(before.to_bytes(LandmarkFormat::kWinnow), "x");
    EXPECT_TRUE(after.model().same_as(before.model()));
    EXPECT_EQ(after.model().card, before.model().card);
    EXPECT_EQ(after.model().notes, before.model().notes);
    EXPECT_EQ(after.to_bytes(LandmarkFormat::kWinnow), before.to_bytes(LandmarkFormat::kWinnow));
  }
}

TEST(LandmarkModel, DlibsFileKeepsTheNumbers) {
  for (const int points : {1, 2, 68}) {
    const Landmarks before(random_landmarks({.points = points}, false, 7));
    const std::vector<std::byte> bytes = before.to_bytes(LandmarkFormat::kDlib);
    const Landmarks after = Landmarks::parse(bytes, "points");
    EXPECT_TRUE(after.model().same_as(before.model()));
    EXPECT_EQ(after.name(), "points");
    EXPECT_EQ(after.to_bytes(LandmarkFormat::kDlib), bytes);
  }
}

// Spells out dlib's form of numbers: an integer is a byte with length and sign, then the magnitude. A float
// is a mantissa, then an exponent.
TEST(LandmarkModel, DlibsFileByHand) {
  const auto bytes = [](std::initializer_list<int> values) {
    std::vector<std::byte> all;
    for (const int value : values) all.push_back(static_cast<std::byte>(value));
    return all;
  };
  const std::vector<std::byte> file = bytes({
      1,    1,                                // version 1
      0x81, 2, 0x81, 1,                       // a column of two numbers
      1,    1, 0x81, 1, 1, 3, 1,    2,        // 1 * 2^-1 and 3 * 2^2
      1,    1, 1,    1,                       // one stage of one tree
      1,    1, 1,    1, 1, 0, 0x81, 5, 1, 0,  // one split: pixel 1, pixel 0, -5 * 2^0
      1,    2,                                // two leaves
      0x81, 2, 0x81, 1, 1, 1, 1,    0, 1, 0, 1, 0, 0x81, 2, 0x81, 1, 1, 0, 1, 0, 2,
      0,    1, 0x81, 8,                 // 0, and 256 * 2^-8
      1,    1, 1,    2, 1, 0, 1,    0,  // one list of two anchors: 0 and 0
      1,    1, 1,    2, 1, 1, 1,    0, 1, 0, 1, 0, 1,    0, 1,    0, 1, 1, 1, 3,  // offsets (1, 0) and (0, 8)
  });
  const LandmarkModel model = Landmarks::parse(file, "hand").model();
  EXPECT_EQ(model.mean, (std::vector<ShapePoint>{{0.5F, 12}}));
  EXPECT_EQ(model.trees.splits, (std::vector<ShapeSplit>{{1, 0, -5}}));
  EXPECT_EQ(model.float_leaves, (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(model.trees.pixel_list, (std::vector<ShapePixel>{{0, {1, 0}}, {0, {0, 8}}}));
}

TEST(LandmarkModel, EveryCutFileIsRefused) {
  for (const LandmarkFormat format : {LandmarkFormat::kDlib, LandmarkFormat::kWinnow}) {
    const Landmarks model(
        random_landmarks({.points = 2, .stages = 2, .trees = 2, .pixels = 3, .depth = 2}, false, 5));
    const std::vector<std::byte> bytes = model.to_bytes(format);
    for (std::size_t length = 0; length < bytes.size(); length += format == LandmarkFormat::kDlib ? 1 : 7)
      EXPECT_THROW(Landmarks::parse(std::span(bytes).first(length), "cut"), Error) << length;
    std::vector<std::byte> longer = bytes;
    longer.push_back({});
    if (format == LandmarkFormat::kDlib) {
      EXPECT_THROW(Landmarks::parse(longer, "grown"), Error);
    }
  }
}

// A damaged file is refused, or gives a model that passes the check; nothing else happens.
TEST(LandmarkModel, DamagedFilesDoNoHarm) {
  std::mt19937 random(11);
  for (const LandmarkFormat format : {LandmarkFormat::kDlib, LandmarkFormat::kWinnow}) {
    const Landmarks model(
        random_landmarks({.points = 2, .stages = 2, .trees = 3, .pixels = 4, .depth = 2}, false, 6));
    const std::vector<std::byte> bytes = model.to_bytes(format);
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
      std::vector<std::byte> damaged = bytes;
      for (unsigned n = random() % 4 + 1; n > 0; --n)
        damaged[random() % damaged.size()] = static_cast<std::byte>(random() & 255);
      try {
        check_landmarks(Landmarks::parse(damaged, "damaged").model());
      } catch (const Error&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 300);
  }
}

TEST(LandmarkModel, WildNumbersAreRefused) {
  const LandmarkModel good = random_landmarks({.confidence = true}, false, 8);
  const auto refused = [&](const std::function<void(LandmarkModel&)>& damage) {
    LandmarkModel model = good;
    damage(model);
    return code_of([&] { check_landmarks(model); });
  };
  EXPECT_EQ(refused([](LandmarkModel&) {}), ErrorCode::kIo);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.mean.clear(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.mean.resize(kMaxPoints + 1); }), ErrorCode::kLimit);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.mean[0].x = 101; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.mean[1].y = std::nanf(""); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.pixel_list[3].point = 7; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.pixel_list[3].offset.y = 1e9F; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.splits[5].first = 50; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.splits[5].second = 50; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.splits[5].threshold = 2e6F; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.splits.pop_back(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.float_leaves.pop_back(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.float_leaves[0] = 1e7F; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.depth = 9; }), ErrorCode::kLimit);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.stages = 0; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.place.scale = 0; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.detector.assign(1, '\xff'); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.confidence->slope.pop_back(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.confidence->trees.splits[0].threshold = 0.5F; }),
            ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.confidence->distance = 0; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.turned = true; }), ErrorCode::kFormat);
}

TEST(LandmarkModel, WildWholeNumbersAreRefused) {
  const LandmarkModel good = random_landmarks({.basis = 4, .small = true}, true, 8);
  const auto refused = [&](const std::function<void(LandmarkModel&)>& damage) {
    LandmarkModel model = good;
    damage(model);
    return code_of([&] { check_landmarks(model); });
  };
  EXPECT_EQ(refused([](LandmarkModel&) {}), ErrorCode::kIo);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.mean[0].x = 5; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.splits[0].threshold = 0.5F; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.trees.splits[0].threshold = 257; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.fixed_leaves.unit_bits[0] = 41; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.fixed_leaves.unit_bits.clear(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.fixed_leaves.basis.pop_back(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.fixed_leaves.values = 5; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](LandmarkModel& m) { m.fixed_leaves.basis.clear(); }), ErrorCode::kFormat);
}

TEST(LandmarkModel, SchemesThatMakeNoSense) {
  const LandmarkModel good = random_landmarks({}, true, 8);
  const auto refused = [&](const std::function<void(PointScheme&)>& damage) {
    LandmarkModel model = good;
    model.scheme = scheme_of(model);
    damage(*model.scheme);
    return code_of([&] { check_landmarks(model); });
  };
  EXPECT_EQ(refused([](PointScheme&) {}), ErrorCode::kIo);
  EXPECT_EQ(refused([](PointScheme& s) { s = {}; }), ErrorCode::kIo);
  EXPECT_EQ(refused([](PointScheme& s) { s.names.pop_back(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](PointScheme& s) { s.names[0].clear(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](PointScheme& s) { s.mirrored.pop_back(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](PointScheme& s) { s.mirrored[0] = 2; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](PointScheme& s) { s.left_eye[0] = 999; }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](PointScheme& s) { s.right_eye.clear(); }), ErrorCode::kFormat);
  EXPECT_EQ(refused([](PointScheme& s) { s.outer_corners.pop_back(); }), ErrorCode::kFormat);
}

// With presence, every list of the confidence has one number more than there are points. A model in which
// only some lists have this number is refused.
TEST(LandmarkModel, PresenceNeedsAllItsNumbers) {
  const LandmarkModel good = random_landmarks({.points = 3, .confidence = true, .presence = true}, true, 8);
  EXPECT_TRUE(good.has_presence());
  EXPECT_FALSE(random_landmarks({.points = 3, .confidence = true}, true, 8).has_presence());
  EXPECT_FALSE(random_landmarks({.points = 3}, true, 8).has_presence());
  const auto refused = [&](const std::function<void(PointConfidence&)>& damage) {
    LandmarkModel model = good;
    damage(*model.confidence);
    std::string sentence;
    EXPECT_EQ(code_of([&] { check_landmarks(model); }, &sentence), ErrorCode::kFormat);
    return sentence;
  };
  EXPECT_EQ(refused([](PointConfidence& c) { c.slope.pop_back(); }),
            "a leaf has too few or too many numbers");
  EXPECT_EQ(refused([](PointConfidence& c) { c.shift.pop_back(); }),
            "the list of shifts has 3 elements, 4 are needed");
  EXPECT_EQ(refused([](PointConfidence& c) { c.shift.push_back(0); }),
            "the list of shifts has 5 elements, 4 are needed");
  EXPECT_EQ(refused([](PointConfidence& c) { c.slope.push_back(0); }),
            "a leaf has too few or too many numbers");
  EXPECT_EQ(refused([](PointConfidence& c) { c.leaves.numbers.pop_back(); }),
            "the list of numbers in leaves has 639 elements, 640 are needed");
  EXPECT_EQ(refused([](PointConfidence& c) { c.slope[3] = std::nanf(""); }),
            "a number of the confidence is out of range");
}

// A damaged file of a model with presence is refused, or gives a model that a fit can run.
TEST(LandmarkModel, DamagedPresenceDoesNoHarm) {
  std::mt19937 random(12);
  const Landmarks model(random_landmarks(
      {.points = 2, .stages = 1, .trees = 1, .pixels = 3, .depth = 1, .confidence = true, .presence = true},
      true, 6));
  const std::vector<std::byte> bytes = model.to_bytes(LandmarkFormat::kWinnow);
  int refused = 0, whole = 0;
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::byte> damaged = bytes;
    for (unsigned n = random() % 4 + 1; n > 0; --n)
      damaged[random() % damaged.size()] = static_cast<std::byte>(random() & 255);
    try {
      const LandmarkModel read = Landmarks::parse(damaged, "damaged").model();
      ++whole;
      if (read.has_presence()) {
        EXPECT_EQ(read.confidence->leaves.values, static_cast<int>(read.mean.size()) + 1);
      }
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
  EXPECT_GT(whole, 300);
}

TEST(LandmarkModel, SixteenBitsAreNearTheFloats) {
  const LandmarkModel model = random_landmarks({}, false, 9);
  const LandmarkModel fixed = Landmarks(model).with_16_bits().model();
  const std::size_t in_stage = model.float_leaves.size() / static_cast<std::size_t>(model.trees.stages);
  for (std::size_t i = 0; i < model.float_leaves.size(); ++i) {
    const std::int32_t bits = fixed.fixed_leaves.unit_bits[i / in_stage];
    EXPECT_NEAR(std::ldexp(fixed.fixed_leaves.numbers[i], -bits), model.float_leaves[i],
                std::ldexp(0.5, -bits));
    EXPECT_GE(bits, 20);  // leaves up to 0.02 fill 16 bits
  }
  for (std::size_t i = 0; i < model.trees.splits.size(); ++i)
    EXPECT_EQ(fixed.trees.splits[i].threshold, std::floor(model.trees.splits[i].threshold));
  EXPECT_THROW(Landmarks(fixed).with_16_bits(), Error);
}

TEST(LandmarkModel, DlibsFileRefusesWhatItCannotHold) {
  EXPECT_EQ(code_of([] { Landmarks(random_landmarks({}, true, 1)).to_bytes(LandmarkFormat::kDlib); }),
            ErrorCode::kUnsupported);
  LandmarkModel placed = random_landmarks({}, false, 1);
  LandmarkModel named = placed;
  named.scheme = scheme_of(named);
  EXPECT_EQ(code_of([&] { Landmarks(named).to_bytes(LandmarkFormat::kDlib); }), ErrorCode::kUnsupported);
  placed.place.scale = 2;
  EXPECT_EQ(code_of([&] { Landmarks(placed).to_bytes(LandmarkFormat::kDlib); }), ErrorCode::kUnsupported);
}

TEST(LandmarkModel, IsAKindAmongOthers) {
  const TestFolder folder;
  const Landmarks landmarks(random_landmarks({.points = 68}, false, 2));
  landmarks.save(folder.file("points.dat"), LandmarkFormat::kDlib);
  const Model model = Model::load(folder.file("points.dat"));
  EXPECT_EQ(model.kind(), "landmarks");
  EXPECT_EQ(model.does(), "marks 68 points");
  EXPECT_EQ(model.holds(), "60 trees");
  EXPECT_EQ(Model(landmarks).does(), "marks 68 points of a face");
  std::string sentence;
  EXPECT_EQ(code_of([&] { DetectorModel{model}; }, &sentence), ErrorCode::kUsage);
  EXPECT_NE(sentence.find("marks 68 points"), std::string::npos) << sentence;
  model.save(folder.file("points.winnow"));
  EXPECT_TRUE(Landmarks::load(folder.file("points.winnow")).model().same_as(landmarks.model()));
  EXPECT_EQ(code_of([&] { Landmarks::load("built-in:face"); }, &sentence), ErrorCode::kFormat);
  EXPECT_NE(sentence.find("a model of landmarks is needed"), std::string::npos) << sentence;
}

TEST(LandmarkModel, OnlyUnplacedModelsAreMovedToFaceBoxes) {
  const Landmarks unplaced(random_landmarks({}, false, 2));
  EXPECT_EQ(unplaced.for_face_boxes().model().place, kDlibInFace);
  LandmarkModel placed = unplaced.model();
  placed.detector = "face";
  EXPECT_EQ(Landmarks(placed).for_face_boxes().model().place, BoxPlace{});
  // Winnow trained this model on the boxes of some other detector. The model does not name that detector.
  const Landmarks trained(random_landmarks({.turned = true}, true, 2));
  EXPECT_TRUE(trained.for_face_boxes().model().same_as(trained.model()));
}

}  // namespace
}  // namespace winnow
