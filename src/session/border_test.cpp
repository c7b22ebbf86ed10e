// Compares searches that add a border with searches of pictures whose border is made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/hog.h>

#include "image/texture_for_test.h"
#include "session/answers_for_test.h"
#include "session/scene_for_test.h"
#include "session/upright_for_test.h"

namespace winnow {
namespace {

using sample::expect_same;
using sample::make_scene;
using sample::square_finder;
using sample::upright_finder;

constexpr BackendKind kBackends[] = {BackendKind::kReference, BackendKind::kCpu};

// The picture with a mirrored border of `margin` pixels on each side, copied pixel by pixel.
template <class Pixel>
Image<Pixel> bordered(ImageView<const Pixel> picture, int margin) {
  const auto mirrored = [](int at, int size) {
    while (size > 1 && (at < 0 || at >= size)) at = at < 0 ? -at : 2 * size - 2 - at;
    return size > 1 ? at : 0;
  };
  Image<Pixel> image(picture.width + 2 * margin, picture.height + 2 * margin);
  for (int y = 0; y < image.height(); ++y) {
    const Pixel* from = picture.row(mirrored(y - margin, picture.height));
    for (int x = 0; x < image.width(); ++x) image.row(y)[x] = from[mirrored(x - margin, picture.width)];
  }
  return image;
}

// Takes the answer for a picture with a border of `margin`, and returns it as an answer for the picture
// without the border.
Detections moved_back(Detections found, int margin) {
  found.picture = {found.picture.width - 2 * margin, found.picture.height - 2 * margin};
  std::vector<Detection> kept;
  for (Detection object : found.objects) {
    const double x = object.box.x - margin + object.box.width / 2.0,
                 y = object.box.y - margin + object.box.height / 2.0;
    if (x < 0 || y < 0 || x > found.picture.width || y > found.picture.height) continue;
    object.box.x -= margin;
    object.box.y -= margin;
    object.box = clip(object.box, found.picture);
    kept.push_back(object);
  }
  found.objects = kept;
  return found;
}

// A picture with a border made by hand is searched up to the border's edges. `moved_back` then drops objects
// in the border, and clips the others.
TEST(Border, EqualsAPictureWithABorderByHand) {
  const GrayImage scene = make_scene({90, 61}, {{4, 8, 36, 36}, {50, 20, 40, 40}});
  int outside = 0;
  for (const BackendKind backend : kBackends) {
    Detector detector(square_finder(), {backend, 2});
    for (const double border : {0.04, 0.3, 1.0}) {
      const int margin = static_cast<int>(std::lrint(border * 90));
      const GrayImage by_hand = bordered(scene.view(), margin);
      for (const bool raw : {false, true}) {
        DetectOptions options;
        options.min_neighbors = 1;
        options.raw = raw;
        const Detections wanted = detector.detect(by_hand.view(), options);
        options.border = border;
        const Detections found = detector.detect(scene.view(), options);
        expect_same(moved_back(wanted, margin), found);
        EXPECT_FALSE(found.objects.empty());
        outside += static_cast<int>(wanted.objects.size() - found.objects.size());
        for (const Detection& object : found.objects) EXPECT_EQ(object.box, clip(object.box, Size{90, 61}));
      }
    }
  }
  EXPECT_GT(outside, 0) << "mirror images";
}

// A square whose bright ground is cut off is found only with a border.
TEST(Border, FindsASquareThatFillsThePicture) {
  const GrayImage scene = make_scene({72, 72}, {{0, 0, 72, 72}});
  const GrayView tight = scene.view().crop({15, 15, 42, 42});
  for (const BackendKind backend : kBackends) {
    Detector detector(square_finder(), {backend, 1});
    DetectOptions options;
    options.min_neighbors = 1;
    EXPECT_TRUE(detector.detect(tight, options).objects.empty());
    options.border = 0.3;
    const Detections found = detector.detect(tight, options);
    ASSERT_EQ(found.objects.size(), 1u);
    EXPECT_EQ(found.objects[0].box, (Box{0, 0, 42, 42})) << "clipped";
    EXPECT_EQ(found.picture, (Size{42, 42}));
  }
}

// An upright figure that fills its picture is found only with a border, in grey and in colour.
TEST(Border, FindsAFigureThatFillsThePicture) {
  const HogSvm model = upright_finder();
  // The default is no border, as in OpenCV.
  EXPECT_EQ(DetectorModel(model).search_defaults().border, 0);
  EXPECT_EQ(DetectorModel(square_finder()).search_defaults().border, 0);
  const GrayImage figure = sample::upright_figure({96, 192});
  const GrayView tight = figure.view().crop({18, 20, 60, 152});
  const RgbImage color = to_color(tight);
  for (const BackendKind backend : kBackends) {
    Detector detector(model, {backend, 1});
    for (const PictureView& picture : {PictureView(tight), PictureView(tight, color.view())}) {
      DetectOptions options;
      options.min_neighbors = 0;
      EXPECT_TRUE(detector.detect(picture, options).objects.empty());
      options.border = 0.2;
      const Detections found = detector.detect(picture, options);
      ASSERT_FALSE(found.objects.empty());
      const Box best =
          std::max_element(found.objects.begin(), found.objects.end(),
                           [](const Detection& a, const Detection& b) { return a.score < b.score; })
              ->box;
      EXPECT_LE(best.x, 6);
      EXPECT_GE(best.width, 50);
      EXPECT_GE(best.height, 140);
    }
  }
}

// Colour gets the same border as grey, and is not read if `DetectOptions::gray` is set.
TEST(Border, ColourIsMirroredAsGreyIs) {
  const GrayImage gray = sample::texture(70, 90, 3);
  RgbImage color(70, 90);
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 70; ++x) {
      const std::uint8_t light = gray.row(y)[x];
      color.row(y)[x] = {light, static_cast<std::uint8_t>(255 - light / 2), static_cast<std::uint8_t>(x * 3)};
    }
  }
  const int margin = 18;
  const GrayImage gray_by_hand = bordered(gray.view(), margin);
  const RgbImage color_by_hand = bordered(std::as_const(color).view(), margin);
  for (const BackendKind backend : kBackends) {
    Detector detector(upright_finder(), {backend, 1});
    std::vector<Detections> answers;
    for (const bool in_gray : {false, true}) {
      DetectOptions options;
      options.raw = true;
      options.min_score = -1e9;
      options.gray = in_gray;
      const Detections wanted =
          detector.detect(PictureView(gray_by_hand.view(), color_by_hand.view()), options);
      options.border = 0.2;
      const PictureView whole(gray.view(), std::as_const(color).view());
      answers.push_back(detector.detect(whole, options));
      expect_same(moved_back(wanted, margin), answers.back());
      detector.enqueue(whole, options);
      expect_same(answers.back(), detector.collect());
    }
    EXPECT_NE(answers[0].objects, answers[1].objects);
  }
}

// Calls of every kind give the same answers: pictures of many sizes in one call, on several threads, and
// searches that are collected later.
TEST(Border, BatchesAndStartedSearches) {
  std::vector<GrayImage> scenes;
  for (int i = 0; i < 12; ++i)
    scenes.push_back(make_scene({60 + i % 3 * 7, 50 + i % 2 * 40}, {{-6 + i, 4, 36, 36}}));
  scenes.emplace_back(3, 2);
  scenes.emplace_back(1, 1);
  std::vector<GrayView> views = sample::views(scenes);
  views.push_back({});
  DetectOptions options;
  options.min_neighbors = 1;
  options.border = 0.25;
  std::vector<Detections> wanted;
  Detector reference(square_finder(), {BackendKind::kReference});
  std::size_t objects = 0;
  for (const GrayView& view : views) {
    wanted.push_back(reference.detect(view, options));
    EXPECT_EQ(wanted.back().picture, view.size());
    objects += wanted.back().objects.size();
  }
  EXPECT_GT(objects, 8u);
  for (const BackendKind backend : kBackends) {
    for (const int threads : {1, 3}) {
      Detector detector(square_finder(), {backend, threads});
      std::vector<Detections> found;
      for (int round = 0; round < 2; ++round) {
        detector.detect(views, options, found);
        ASSERT_EQ(found.size(), views.size());
        for (std::size_t i = 0; i < views.size(); ++i) expect_same(wanted[i], found[i]);
      }
      for (std::size_t i = 0; i < 8; ++i) detector.enqueue(views[i], options);
      for (std::size_t i = 0; i < 8; ++i) expect_same(wanted[i], detector.collect());
    }
  }
}

TEST(Border, WhatMakesNoSenseIsRefused) {
  const GrayImage scene = make_scene({60, 60}, {});
  Detector detector(square_finder(), {BackendKind::kCpu, 1});
  const auto code = [&](auto picture, double border) {
    DetectOptions options;
    options.border = border;
    std::vector<Detections> results;
    try {
      detector.detect(std::span(&picture, 1), options, results);
    } catch (const Error& error) {
      EXPECT_NE(error.sentence().find("border"), std::string::npos) << error.sentence();
      return error.code();
    }
    ADD_FAILURE() << "was taken";
    return ErrorCode::kIo;
  };
  for (const double border : {-0.1, 1.01, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(code(std::as_const(scene).view(), border), ErrorCode::kUsage) << border;
  const std::vector<std::uint8_t> row(50'000);
  EXPECT_EQ(code(GrayView{row.data(), 50'000, 1, 50'000}, 0.2), ErrorCode::kLimit);
  EXPECT_EQ(code(DevicePicture{row.data(), 100, 100, 100}, 0.1), ErrorCode::kUsage);
  DetectOptions options;
  options.border = 0.1;
  EXPECT_THROW(detector.enqueue(DevicePicture{row.data(), 100, 100, 100}, options), Error);
}

}  // namespace
}  // namespace winnow
