// Tests that a scan's detection answers as a detector does, and where it refuses options or pictures.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <winnow/error.h>
#include <winnow/hog.h>
#include <winnow/scan.h>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

// An SVM whose score is the same in every window.
DetectorModel constant_svm() {
  HogSvmModel model;
  model.shape.window = {64, 128};
  model.weights.assign(3780, 0.f);
  model.bias = 1;
  return HogSvm(std::move(model));
}

class Pictures : public TestFolder {
 public:
  Pictures() {
    for (const Size size : {Size{80, 140}, Size{64, 128}, Size{200, 150}, Size{90, 130}}) {
      const std::string path = file(std::to_string(inputs_.size()) + ".pgm");
      std::ofstream out(path, std::ios::binary);
      out << "P5 " << size.width << ' ' << size.height << " 255\n";
      std::string pixels;
      for (int i = 0; i < size.width * size.height; ++i) pixels.push_back(static_cast<char>(i * i % 251));
      out << pixels;
      inputs_.push_back({InputKind::kPicture, path, "", ""});
    }
  }
  const std::vector<Input>& inputs() const { return inputs_; }

 private:
  std::vector<Input> inputs_;
};

TEST(Scan, DetectWorkAnswersAsADetectorDoes) {
  const Pictures pictures;
  const DetectorModel model = constant_svm();
  DetectOptions options;
  options.raw = true;
  Detector detector(model, {BackendKind::kCpu, 1, {0}});
  for (const int batch : {1, 4}) {
    ScanOptions by_batch;
    by_batch.batch = batch;
    Scan scan(pictures.inputs(), make_detect_work(model, options, {BackendKind::kCpu, 1, {0}}), by_batch);
    int frames = 0;
    for (ScanEvent event; scan.next(event);) {
      if (event.kind != FrameEvent::Kind::kFrame) continue;
      ++frames;
      const Detections alone = detector.detect(event.picture.view(), options);
      EXPECT_FALSE(alone.objects.empty());
      EXPECT_EQ(event.found.objects, alone.objects);
      EXPECT_TRUE(event.found.counters.same_answer(alone.counters));
      EXPECT_EQ(event.found.backend, "cpu");
      EXPECT_GT(event.seconds, 0);
    }
    EXPECT_EQ(frames, 4);
  }
}

TEST(Scan, ColourIsReadIfTheModelUsesIt) {
  DetectOptions options;
  EXPECT_TRUE(make_detect_work(constant_svm(), options)->reads_color());
  options.gray = true;
  EXPECT_FALSE(make_detect_work(constant_svm(), options)->reads_color());
}

TEST(Scan, OptionsThatMakeNoSenseAreReportedAtOnce) {
  const auto refused = [](const DetectorModel& model, auto change) {
    DetectOptions options;
    change(options);
    try {
      make_detect_work(model, options, {BackendKind::kCpu, 1, {0}});
    } catch (const Error& error) {
      return error.code() == ErrorCode::kUsage;
    }
    return false;
  };
  EXPECT_TRUE(refused(constant_svm(), [](DetectOptions& o) { o.scale_factor = 1; }));
  EXPECT_TRUE(refused(constant_svm(), [](DetectOptions& o) { o.region = {5, 5, 0, 10}; }));
  EXPECT_FALSE(refused(constant_svm(), [](DetectOptions& o) { o.locations = {{500, 500}}; }));
}

TEST(Scan, ALocationOutsideOfAPictureIsAProblemOfThatPicture) {
  const Pictures pictures;
  DetectOptions options;
  options.raw = true;
  options.locations = {{100, 10}};
  for (const int batch : {1, 4}) {
    ScanOptions by_batch;
    by_batch.batch = batch;
    Scan scan(pictures.inputs(), make_detect_work(constant_svm(), options, {BackendKind::kCpu, 1, {0}}),
              by_batch);
    std::vector<FrameEvent::Kind> kinds;
    for (ScanEvent event; scan.next(event);) {
      if (event.kind != FrameEvent::Kind::kEnd) kinds.push_back(event.kind);
    }
    using Kind = FrameEvent::Kind;
    EXPECT_EQ(kinds, (std::vector<Kind>{Kind::kProblem, Kind::kProblem, Kind::kFrame, Kind::kProblem}));
  }
}

TEST(Scan, ARegionOutsideOfAPictureIsAProblemOfThatPicture) {
  const Pictures pictures;
  DetectOptions options;
  options.raw = true;
  options.region = {100, 0, 70, 140};
  for (const int batch : {1, 4}) {
    ScanOptions by_batch;
    by_batch.batch = batch;
    Scan scan(pictures.inputs(), make_detect_work(constant_svm(), options, {BackendKind::kCpu, 1, {0}}),
              by_batch);
    std::vector<std::string> events;
    for (ScanEvent event; scan.next(event);) {
      if (event.kind == FrameEvent::Kind::kProblem)
        events.push_back(event.problem.substr(event.problem.rfind('/') + 1));
      if (event.kind == FrameEvent::Kind::kFrame) {
        EXPECT_EQ(event.input, 2u);
        EXPECT_FALSE(event.found.objects.empty());
        for (const Detection& object : event.found.objects) EXPECT_GE(object.box.x, 100);
      }
    }
    const std::string outside = ": the region of interest lies outside the picture";
    EXPECT_EQ(events, (std::vector<std::string>{"0.pgm" + outside, "1.pgm" + outside, "3.pgm" + outside}));
  }
}

}  // namespace
}  // namespace winnow
