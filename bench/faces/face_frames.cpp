// Times faces and their points in frames of 1280x720: found alone, found and then marked, and both in one
// submission (`FaceFinder`).
//
//   winnow_face_frames PICTURE... [--backend cuda] [--landmarks FILE] [--results FILE.json --device NAME
//                      --commit HASH]
//
// Each frame shows one of the pictures on grey ground, each time at another place.
#include <winnow/error.h>
#include <winnow/face_finder.h>
#include <winnow/face_search.h>
#include <winnow/pinned.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pairs.h"
#include "results_file.h"

namespace {

using namespace winnow;

constexpr Size kFrame{1280, 720};

GrayImage frame_of(GrayView picture, int number) {
  GrayImage frame(kFrame.width, kFrame.height);
  const int left = (37 * number) % std::max(1, kFrame.width - picture.width),
            top = (23 * number) % std::max(1, kFrame.height - picture.height);
  for (int y = 0; y < kFrame.height; ++y)
    for (int x = 0; x < kFrame.width; ++x) {
      const int u = x - left, v = y - top;
      const bool inside = u >= 0 && v >= 0 && u < picture.width && v < picture.height;
      frame.row(y)[x] = inside ? picture.row(v)[u] : static_cast<std::uint8_t>(110 + (x ^ y) % 16);
    }
  return frame;
}

struct Timed {
  double faces = 0, found = 0, two_steps = 0, together = 0;  // a call's faces, and its times in milliseconds
};

Timed time_calls(const DetectorModel& model, const Landmarks& landmarks, const MachineOptions& machine,
                 std::span<const PictureView> frames, int rounds) {
  Detector detector(model, machine);
  Landmarker landmarker(landmarks.for_face_boxes(), machine);
  FaceFinder finder(model, landmarks, machine);
  std::vector<Detections> found;
  std::vector<std::vector<Shape>> shapes;
  std::vector<GrayView> views;
  for (const PictureView& frame : frames) views.push_back(frame.gray);
  std::vector<std::vector<Box>> boxes(frames.size());
  Timed timed;
  const FaceSearch search = face_search(model, landmarks);
  const auto find = [&] { detector.detect(frames, search.options, found); };
  const auto mark = [&] {
    find();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      boxes[i].clear();
      for (const Detection& object : found[i].objects) boxes[i].push_back(object.box);
    }
    landmarker.fit(views, boxes, shapes);
    for (std::size_t i = 0; i < frames.size(); ++i) drop_unlikely(search, found[i].objects, shapes[i]);
  };
  const auto both = [&] { finder.find(frames, {}, found, shapes); };
  std::vector<double> times[3];
  for (int round = -3; round < rounds; ++round) {
    const double now[] = {bench::milliseconds(find), bench::milliseconds(mark), bench::milliseconds(both)};
    for (int i = 0; round >= 0 && i < 3; ++i) times[i].push_back(now[i]);
  }
  for (const auto& each : shapes) timed.faces += static_cast<double>(each.size());
  timed.found = bench::median(times[0]);
  timed.two_steps = bench::median(times[1]);
  timed.together = bench::median(times[2]);
  return timed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times faces and their points in frames of 1280x720.");
  std::string backend = "auto", points = "built-in:face-68";
  bench::ResultOptions results;
  std::vector<std::string> files;
  int threads = 1, most = 256;
  app.add_option("--backend", backend);
  app.add_option("--threads", threads);
  app.add_option("--landmarks", points);
  app.add_option("--frames", most);
  app.add_option("--results", results.file);
  app.add_option("--device", results.device);
  app.add_option("--commit", results.commit);
  app.add_option("PICTURE", files)->required();
  CLI11_PARSE(app, argc, argv);
  try {
    const MachineOptions machine{parse_backend(backend), threads, {0}};
    const DetectorModel model = DetectorModel::load("built-in:face");
    const Landmarks landmarks = Landmarks::load(points);
    std::vector<Picture> pictures;
    for (const std::string& file : files) pictures.push_back(read_picture(file));
    std::vector<GrayImage> frames;
    std::vector<PictureView> views;
    for (int i = 0; i < most; ++i)
      frames.push_back(frame_of(pictures[static_cast<std::size_t>(i) % pictures.size()].view().gray, i));
    for (const GrayImage& frame : frames) views.push_back(frame.view());
    bench::ResultList list{.name = "face_frames",
                           .title = "Faces and points in frames of 1280x720",
                           .unit = "frames a second",
                           .command = "winnow_face_frames PICTURES",
                           .about = "From host memory to host results, medians of calls.",
                           .columns = {"frames", "faces", "found", "two_steps", "together"},
                           .by = {{"frames", "frames a call"}},
                           .values = {{"faces", "faces", 0},
                                      {"found", "faces alone", 0},
                                      {"two_steps", "then points", 0},
                                      {"together", "in one submission", 0}}};
    for (const bool pinned : {false, true}) {
      std::vector<PinnedMemory> pins;
      if (pinned && machine.backend != BackendKind::kCuda) break;
      if (pinned)
        for (const PictureView& frame : views)
          pins.emplace_back(std::as_bytes(
              std::span(frame.gray.data, static_cast<std::size_t>(frame.gray.stride) * kFrame.height)));
      for (const int count : {1, 8, most}) {
        const Timed timed = time_calls(model, landmarks, machine,
                                       std::span(views).first(static_cast<std::size_t>(count)), 21);
        const auto rate = [&](double ms) { return 1000 * count / ms; };
        list.rows.push_back({std::to_string(count) + (pinned ? ", pinned" : ""), timed.faces,
                             rate(timed.found), rate(timed.two_steps), rate(timed.together)});
      }
    }
    bench::print_results(list);
    if (!results.file.empty())
      bench::write_results(results.file, {"face_frames", "", results.device, results.commit}, {list});
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
