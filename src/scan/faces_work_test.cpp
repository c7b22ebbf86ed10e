// Tests that a scan for faces answers as a `FaceFinder` does, frame by frame, and where frames are a problem.
#include <gtest/gtest.h>

#include <any>
#include <fstream>
#include <string>
#include <vector>

#include <winnow/scan.h>

#include "base/folder_for_test.h"
#include "model/landmarks/landmark_samples_for_test.h"
#include "session/scene_for_test.h"

namespace winnow {
namespace {

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
