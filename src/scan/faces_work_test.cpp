// Tests that a scan for faces answers as a `FaceFinder` does, searches as `face_search` says, and drops
// unlikely faces with their shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <any>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <winnow/face_search.h>
#include <winnow/scan.h>

#include "base/folder_for_test.h"
#include "model/landmarks/landmark_samples_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

struct Scene {
  TestFolder folder;
  std::vector<Input> inputs;

  Scene() {
    GrayImage image(200, 100);
    for (int y = 0; y < image.height(); ++y) std::fill_n(image.row(y), image.width(), 210);
    const auto square = [&](int left, int light) {
      for (int y = 30; y < 60; ++y) std::fill_n(image.row(y) + left, 30, static_cast<std::uint8_t>(light));
    };
    square(35, 0);
    square(130, 90);
    const std::string path = folder.file("squares.png");
    write_picture(path, image.view());
    inputs = {{InputKind::kPicture, path, "", ""}};
  }

  ScanEvent frame(const Landmarks& landmarks, const DetectOptions& options,
                  std::optional<double> min_confidence) const {
    Scan scan(inputs, make_faces_work(sample::square_finder(), landmarks, options,
                                      {BackendKind::kCpu, 1, {0}}, min_confidence));
    for (ScanEvent event; scan.next(event);)
      if (event.kind == FrameEvent::Kind::kFrame) return event;
    return {};
  }
};

TEST(Scan, FacesWorkDropsUnlikelyFaces) {
  const Scene scene;
  const Landmarks landmarks = sample::lovers_of_light();
  const ScanEvent all = scene.frame(landmarks, {}, 0), usual = scene.frame(landmarks, {}, {});
  const auto shapes_of = [](const ScanEvent& event) {
    return std::any_cast<const std::vector<Shape>&>(event.answer);
  };
  ASSERT_GT(usual.found.objects.size(), 0u);
  EXPECT_LT(usual.found.objects.size(), all.found.objects.size());
  ASSERT_EQ(shapes_of(usual).size(), usual.found.objects.size());
  for (std::size_t i = 0; i < usual.found.objects.size(); ++i) {
    EXPECT_GT(usual.found.objects[i].box.x, 90) << "the lighter square";
    EXPECT_GT(shapes_of(usual)[i].presence, 0.9F);
    EXPECT_EQ(shapes_of(usual)[i].points[0].x, usual.found.objects[i].box.x);
  }
  // Without a least confidence the objects are those of the detector, searched as `face_search` says.
  Detector detector(sample::square_finder(), {BackendKind::kCpu, 1, {0}});
  const FaceSearch search = face_search(detector.model(), landmarks);
  EXPECT_EQ(search.options.min_neighbors, kFaceNeighbors);
  const Picture picture = read_picture(scene.inputs[0].path);
  EXPECT_EQ(all.found.objects, detector.detect(picture.view(), search.options).objects);
  EXPECT_EQ(shapes_of(all).size(), all.found.objects.size());
}

class Scenes : public TestFolder {
 public:
  Scenes() {
    for (int i = 0; i < 5; ++i) {
      const int width = i == 3 ? 40 : 200;  // too narrow for the region of the test below
      const GrayImage scene = sample::make_scene({width, 120}, {{10 + 5 * i, 20, 48, 48}, {150, 60, 36, 36}});
      const std::string path = file(std::to_string(i) + ".pgm");
      std::ofstream out(path, std::ios::binary);
      out << "P5 " << width << " 120 255\n";
      for (int y = 0; y < 120; ++y) out.write(reinterpret_cast<const char*>(scene.view().row(y)), width);
      inputs_.push_back({InputKind::kPicture, path, "", ""});
    }
  }
  const std::vector<Input>& inputs() const { return inputs_; }

 private:
  std::vector<Input> inputs_;
};

const Landmarks& points() {
  static const Landmarks landmarks(sample::random_landmarks({.points = 4, .confidence = true}, true, 2));
  return landmarks;
}

TEST(Scan, FacesWorkAnswersAsAFinderDoes) {
  const Scenes scenes;
  DetectOptions options;
  options.min_neighbors = 1;
  const MachineOptions machine{BackendKind::kCpu, 1, {0}};
  FaceFinder finder(sample::square_finder(), points(), machine);
  for (const int batch : {1, 5}) {
    ScanOptions by_batch;
    by_batch.batch = batch;
    Scan scan(scenes.inputs(), make_faces_work(sample::square_finder(), points(), options, machine),
              by_batch);
    std::size_t marked = 0;
    for (ScanEvent event; scan.next(event);) {
      if (event.kind != FrameEvent::Kind::kFrame) continue;
      const FoundFaces alone = finder.find(event.picture.view(), options);
      EXPECT_EQ(event.found.objects, alone.found.objects);
      const auto shapes = std::any_cast<std::vector<Shape>>(event.answer);
      EXPECT_EQ(shapes, alone.shapes);
      marked += shapes.size();
    }
    EXPECT_GE(marked, 8U);
  }
}

TEST(Scan, AFaceOutsideOfTheRegionIsAProblemOfItsFrame) {
  const Scenes scenes;
  DetectOptions options;
  options.min_neighbors = 1;
  options.region = {130, 40, 70, 80};
  Scan scan(scenes.inputs(), make_faces_work(sample::square_finder(), points(), options));
  int problems = 0, marked = 0;
  for (ScanEvent event; scan.next(event);) {
    if (event.kind == FrameEvent::Kind::kProblem) ++problems;
    if (event.kind != FrameEvent::Kind::kFrame) continue;
    const auto shapes = std::any_cast<std::vector<Shape>>(event.answer);
    EXPECT_EQ(shapes.size(), event.found.objects.size());
    marked += static_cast<int>(shapes.size());
  }
  EXPECT_EQ(problems, 1);
  EXPECT_EQ(marked, 4);
}

}  // namespace
}  // namespace winnow
