// Times a marked object frame by frame, beside OpenCV's TLD (`cv::legacy::TrackerTLD`). Each has one thread.
//
//   winnow_track_opencv [--data FOLDER] [--frames 100] [--only NAME]
//                       [--json FILE --device NAME --commit HASH]
//
// FOLDER has motorcyclechase/video.mp4, david/david.mpg and car4/img/, as tracks/ in WINNOW_DATA. Both
// trackers take each frame, one after the other, and change places from frame to frame. Times are processor
// time, from a frame in colour to a box: OpenCV's tracker takes colour alone, and Winnow's frame is made grey
// by OpenCV.
#include <winnow/tracker.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/tracking.hpp>
#include <opencv2/tracking/tracking_legacy.hpp>
#include <opencv2/videoio.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "frame_size.h"
#include "frame_times.h"
#include "results_file.h"
#include "track/tld/object_steps.h"
#include "track/tld/object_tracker.h"
#include "tracking/opencv_grid.h"
#include "tracking/recall/recall_cpu.h"

namespace {

using namespace winnow;

struct Sequence {
  const char *name, *file;
  RealBox box;            // in the first frame, at its own size
  std::vector<int> rows;  // heights to which frames are resized; 0: their own
};

const std::vector<Sequence>& sequences() {
  static const std::vector<Sequence> all = {
      {"motorcyclechase", "motorcyclechase/video.mp4", {495, 343, 172, 109}, {270, 540, 1080}},
      {"david", "david/david.mpg", {165, 93, 51, 54}, {0, 1080}},
      {"car4", "car4/img/%04d.jpg", {70, 51, 107, 87}, {0, 1080}}};
  return all;
}

struct Settings {
  std::string data, only;
  int frames = 100;
  std::uint64_t seed = 1;
  bench::ResultOptions out;
};

GrayView view_of(const cv::Mat& gray) {
  return {gray.data, gray.cols, gray.rows, static_cast<std::ptrdiff_t>(gray.step)};
}

// What Winnow's search lets through in a frame.
struct Counts {
  bench::FrameTimes windows, varied, likely, above;
};

// Follows the object as `Tracker` does, to count windows. Not timed.
class CountedTracker {
 public:
  CountedTracker(std::uint64_t seed, GrayView frame, const RealBox& box) : tracker_(kObjectStepsCpu, seed) {
    frames_->keep(frame, rules_);
    if (!tracker_.mark(frame, box)) throw std::runtime_error("no window is like the box");
  }
  void next(GrayView frame, Counts& counts) {
    std::vector<FlowPlace> points;
    tracker_.points(points);
    std::vector<FlowResult> results(points.size());
    frames_->keep(frame, rules_);
    tracker_.begin(frame.size(), *sieve_);
    if (!points.empty())
      frames_->carry(points, ObjectTracker::flow_rules(tracker_.object().halvings), results.data());
    tracker_.carry_again(frame.size(), *frames_, points, results);
    const LearntObject& object = tracker_.object();
    made_.make(frame, object.halvings, kObjectStepsCpu);
    bench::Team alone(1);
    std::vector<std::uint32_t> varied;
    bench::find_varied({made_, tracker_.grid(), object}, alone, varied);
    counts.varied.add(static_cast<double>(varied.size()));
    tracker_.next(frame.size(), *sieve_, points, results);
    counts.windows.add(static_cast<double>(tracker_.grid().windows.window_count));
    counts.likely.add(static_cast<double>(tracker_.finds().likely.size()));
    counts.above.add(static_cast<double>(tracker_.finds().above));
  }

 private:
  FlowRules rules_ = ObjectTracker::flow_rules();
  std::unique_ptr<SieveFrames> frames_ = make_sieve_frames_cpu(1, 0);
  std::unique_ptr<WindowSieve> sieve_ = frames_->make_sieve();
  ObjectTracker tracker_;
  ObjectFrame made_;
};

nlohmann::ordered_json compare(const Settings& settings, const Sequence& sequence, int rows) {
  const std::string file = (std::filesystem::path(settings.data) / sequence.file).string();
  cv::VideoCapture video(file);
  cv::Mat own, frame, gray;
  if (!video.read(own)) throw std::runtime_error(file + " cannot be read");
  const double by = rows == 0 ? 1 : static_cast<double>(rows) / own.rows;
  const cv::Size size(cvRound(own.cols * by), cvRound(own.rows * by));
  const auto resized = [&] {
    by == 1 ? own.copyTo(frame)
            : cv::resize(own, frame, size, 0, 0, by < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
  };
  resized();
  const RealBox box{sequence.box.x * by, sequence.box.y * by, sequence.box.width * by,
                    sequence.box.height * by};
  const cv::Ptr<cv::legacy::TrackerTLD> theirs = cv::legacy::TrackerTLD::create();
  cv::theRNG().state = settings.seed;
  theirs->init(frame, {box.x, box.y, box.width, box.height});
  Tracker ours({settings.seed}, {.backend = BackendKind::kCpu, .threads = 1});
  cv::cvtColor(frame, gray, cv::COLOR_BGR2GRAY);
  ours.add(view_of(gray), box);
  CountedTracker counted(settings.seed, view_of(gray), box);

  constexpr int kWarm = 2;
  bench::FrameTimes their_times(true), our_times(true);
  Counts counts;
  std::vector<double> ratios;
  std::vector<Track> tracks;
  int frames = 0, their_boxes = 0, our_boxes = 0;
  for (int i = 0; i < settings.frames + kWarm && video.read(own); ++i) {
    resized();
    cv::Rect2d place;
    bool found = false;
    const auto take_theirs = [&] { found = theirs->update(frame, place); };
    const auto take_ours = [&] {
      cv::cvtColor(frame, gray, cv::COLOR_BGR2GRAY);
      ours.next(view_of(gray), tracks);
    };
    double their_ms = 0, our_ms = 0;
    if (i % 2 == 0) {
      their_ms = bench::processor_milliseconds(take_theirs);
      our_ms = bench::processor_milliseconds(take_ours);
    } else {
      our_ms = bench::processor_milliseconds(take_ours);
      their_ms = bench::processor_milliseconds(take_theirs);
    }
    counted.next(view_of(gray), counts);
    if (i < kWarm) continue;
    ++frames;
    their_boxes += found ? 1 : 0;
    our_boxes += tracks.front().state != TrackState::kLost ? 1 : 0;
    their_times.add(their_ms);
    our_times.add(our_ms);
    ratios.push_back(their_ms / our_ms);
  }
  if (frames == 0) throw std::runtime_error(file + " has too few frames");
  return {sequence.name,
          bench::size_in_words({size.width, size.height}),
          frames,
          bench::opencv_tld_windows({size.width, size.height}, box),
          counts.windows.middle(),
          counts.varied.middle(),
          counts.likely.middle(),
          counts.above.middle(),
          their_boxes,
          our_boxes,
          their_times.middle(),
          our_times.middle(),
          bench::median(ratios),
          their_times.total() / our_times.total()};
}

void run(const Settings& settings) {
  bench::ResultList list{
      .name = "track_opencv",
      .title = "One marked object, frame by frame",
      .unit = "windows and milliseconds a frame",
      .command = "winnow_track_opencv --frames " + std::to_string(settings.frames),
      .about =
          "From a frame in colour to a box, both with one thread; times are processor time. The trackers "
          "take each frame one after the other, and change places from frame to frame. Figures are medians "
          "over the frames, and \"times as fast\" is the median of the frames' ratios; \"in all\" is the "
          "ratio of the sums. Winnow halves a frame before it searches for a large object. "
          "A tracker that has lost the object learns nothing, which saves time. "
          "OpenCV's windows all have a shorter side of 20 pixels, in frames that shrink. The last windows "
          "of Winnow are those whose ferns pass the object's own threshold.",
      .columns = {"sequence", "size", "frames", "opencv_windows", "windows", "varied", "likely", "above",
                  "opencv_boxes", "boxes", "opencv_ms", "winnow_ms", "ratio", "ratio_all"},
      .by = {{"sequence", "sequence"}, {"size", "frame"}},
      .values = {{"frames", "frames", 0},
                 {"opencv_windows", "OpenCV's windows", 0},
                 {"windows", "Winnow's windows", 0},
                 {"varied", "vary enough", 0},
                 {"likely", "likely", 0},
                 {"above", "pass the ferns", 0},
                 {"opencv_boxes", "OpenCV's boxes", 0},
                 {"boxes", "Winnow's boxes", 0},
                 {"opencv_ms", "OpenCV, ms", 2},
                 {"winnow_ms", "Winnow, ms", 2},
                 {"ratio", "times as fast", 1},
                 {"ratio_all", "in all", 1}}};
  for (const Sequence& sequence : sequences()) {
    if (!settings.only.empty() && settings.only != sequence.name) continue;
    for (const int rows : sequence.rows) list.rows.push_back(compare(settings, sequence, rows));
  }
  if (list.rows.empty()) throw std::runtime_error("no sequence has the name " + settings.only);
  bench::print_results(list);
  if (settings.out.file.empty()) return;
  bench::write_results(
      settings.out.file,
      {"A marked object beside OpenCV",
       "`Tracker` and OpenCV's `cv::legacy::TrackerTLD` follow the same objects, each in its own way.",
       settings.out.device.empty() ? bench::host_in_words() + "; OpenCV " CV_VERSION : settings.out.device,
       settings.out.commit},
      {list});
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times a marked object beside OpenCV's TLD.");
  Settings settings;
  app.add_option("--data", settings.data, "a folder of sequences (tracks/ in WINNOW_DATA)");
  app.add_option("--only", settings.only, "the name of the only sequence to run");
  app.add_option("--frames", settings.frames, "timed frames")->check(CLI::PositiveNumber);
  app.add_option("--seed", settings.seed);
  app.add_option("--json", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    cv::setNumThreads(1);
    cv::ocl::setUseOpenCL(false);
    const char* const data = std::getenv("WINNOW_DATA");
    if (settings.data.empty() && data != nullptr)
      settings.data = (std::filesystem::path(data) / "tracks").string();
    if (settings.data.empty()) throw std::runtime_error("name a folder with --data, or set WINNOW_DATA");
    run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_track_opencv: %s\n", error.what());
    return 1;
  }
}
