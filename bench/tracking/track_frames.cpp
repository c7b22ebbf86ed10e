// Times marked objects followed through a video: whole frames, and the parts of a frame one by one.
//
//   winnow_track_frames VIDEO --box X,Y,W,H [--box ...] [--copies 8] [--backend cuda] [--threads 1]
//                       [--frames 200] [--json FILE --device NAME --commit HASH]
//   winnow_track_frames --raw FILE --size 1920x1080 --box X,Y,W,H ...
//
// A raw file has grey frames, one after the other, without anything between. Boxes are marked in the first
// frame. Nothing is decoded while time runs. Rows of counts come first: windows, those that vary enough, that
// the ferns find likely, that are candidates, and that are found. Rows of milliseconds follow. "frame" is
// `Tracker::next` for all objects; the parts are those of the first object. On one thread of the host times
// are processor time.
//   keep: the frame and its halves, for search and flow
//   level, sums, blur: what the host makes of a frame alone; with `cuda`, of marked frames
//   sift: windows to likely windows on the host
//   begin, finish: the same on a device: what the host does for it, and its wait without other work between
//   candidates, flow, learn: on the host; flow on the backend
#include <winnow/error.h>
#include <winnow/tracker.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "frame_size.h"
#include "frame_times.h"
#include "results_file.h"
#include "scale/gaussian/gaussian_pyramid.h"
#include "track/tld/object_learner.h"
#include "track/tld/object_steps.h"
#include "track/tld/object_tracker.h"
#include "track/tld/sift/sift_windows.h"
#include "tracking/read_frames.h"
#include "tracking/recall/recall_cpu.h"

namespace {

using namespace winnow;

struct Settings {
  bench::FrameSource source;
  std::string backend = "cpu";
  std::vector<RealBox> boxes;
  int copies = 1, threads = 1, frames = 200, warm = 10;
  std::uint64_t seed = 1;
  bench::ResultOptions out;
};

std::vector<GrayImage> read_frames(const Settings& settings) {
  const auto least = static_cast<std::size_t>(settings.warm) + 2;
  std::vector<GrayImage> frames =
      bench::read_frames(settings.source, static_cast<std::size_t>(settings.frames) + least - 1);
  if (frames.size() < least) throw std::runtime_error("too few frames: give a longer video, or fewer --warm");
  return frames;
}

// Times of each part, and counts of each frame, by name and in the order in which the names came.
class Parts {
 public:
  // `processor`: true for processor time of the process, false for elapsed time.
  explicit Parts(bool processor) : processor_(processor) {}

  // Milliseconds of work that is not yet a part.
  template <class Work>
  double taken(Work&& work) const {
    return processor_ ? bench::processor_milliseconds(work) : bench::milliseconds(work);
  }
  template <class Work>
  void time(const std::string& name, Work&& work) {
    add(name, taken(work));
  }
  void add(const std::string& name, double ms) { list(times_, name).add(ms); }
  void count(const std::string& name, std::int64_t number) {
    list(counts_, name).add(static_cast<double>(number));
  }
  void write(std::vector<nlohmann::ordered_json>& rows) const {
    for (const auto* lists : {&counts_, &times_})
      for (const auto& [name, list] : *lists) {
        nlohmann::ordered_json row{name};
        for (const double figure : list.figures()) row.push_back(figure);
        rows.push_back(row);
      }
  }

 private:
  using Lists = std::vector<std::pair<std::string, bench::FrameTimes>>;
  static bench::FrameTimes& list(Lists& lists, const std::string& name) {
    for (auto& [other, list] : lists)
      if (other == name) return list;
    return lists.emplace_back(name, bench::FrameTimes()).second;
  }
  bool processor_;
  Lists times_, counts_;
};

// Whole frames, through the public session.
void time_frames(const std::vector<GrayImage>& frames, const Settings& settings, Parts& parts) {
  Tracker tracker({settings.seed}, {.backend = parse_backend(settings.backend), .threads = settings.threads});
  for (int copy = 0; copy < settings.copies; ++copy)
    for (const RealBox& box : settings.boxes)
      parts.time("mark", [&] { tracker.add(frames.front().view(), box); });
  std::vector<Track> tracks;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    const auto next = [&] { tracker.next(frames[i].view(), tracks); };
    if (i <= static_cast<std::size_t>(settings.warm)) {
      next();
      continue;
    }
    parts.time("frame", next);
    parts.count("objects that are not lost",
                std::count_if(tracks.begin(), tracks.end(),
                              [](const Track& track) { return track.state != TrackState::kLost; }));
  }
}

// What the host makes of a frame. Also gives the number of windows that vary enough.
std::int64_t time_host(GrayView frame, const BackendTable& table, const ObjectTracker& tracker, int threads,
                       Parts& parts) {
  const ObjectSteps& steps = *table.objects;
  const LearntObject& object = tracker.object();
  static GaussianPyramid pyramid;
  static ObjectFrame made;
  static std::vector<std::uint32_t> planes[2];
  const double level = parts.taken([&] { pyramid.make(frame, object.halvings + 1, steps.halve); });
  const GrayView from = pyramid.level(pyramid.levels() - 1);
  const int width = from.width + 1, height = from.height + 1;
  for (auto& plane : planes) plane.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto view = [&](std::vector<std::uint32_t>& plane) {
    return PlaneView{plane.data(), width, height, static_cast<std::ptrdiff_t>(width) * 4};
  };
  const double sums = parts.taken([&] { steps.integral(from, {view(planes[0]), view(planes[1]), {}}); });
  const double all = parts.taken([&] { made.make(frame, object.halvings, steps); });
  parts.add("level", level);
  parts.add("sums", sums);
  parts.add("blur", all - level - sums);
  std::vector<LikelyWindow> likely;
  const ObjectGrid& grid = tracker.grid();
  const SiftStep sift = table.kind == BackendKind::kReference ? sift_windows_ref : sift_windows_cpu;
  parts.time("sift", [&] { sift(made, grid, object, threads, likely); });
  bench::Team alone(1);
  std::vector<std::uint32_t> varied;
  bench::find_varied({made, grid, object}, alone, varied);
  return static_cast<std::int64_t>(varied.size());
}

// The parts of a frame for the first object, each alone.
void time_parts(const std::vector<GrayImage>& frames, const Settings& settings, Parts& parts) {
  const BackendTable& table = find_backend(parse_backend(settings.backend));
  if (table.objects == nullptr) throw std::runtime_error("this backend follows no objects");
  const ObjectSteps& steps = *table.objects;
  const std::unique_ptr<SieveFrames> kept = steps.make_frames(table.threads(settings.threads), 0);
  const std::unique_ptr<WindowSieve> sieve = kept->make_sieve(), timed = kept->make_sieve();
  ObjectTracker tracker(steps, settings.seed);
  if (!tracker.mark(frames.front().view(), settings.boxes.front()))
    throw std::runtime_error("no window is like the first box");
  const FlowRules rules = ObjectTracker::flow_rules(tracker.object().halvings);
  kept->keep(frames.front().view(), rules);
  for (std::size_t i = 1; i < frames.size(); ++i) {
    const GrayView frame = frames[i].view();
    Parts warm(false), &to = i <= static_cast<std::size_t>(settings.warm) ? warm : parts;
    const std::int64_t varied = time_host(frame, table, tracker, std::max(1, settings.threads), to);
    std::vector<FlowPlace> points;
    tracker.points(points);
    to.time("keep", [&] { kept->keep(frame, rules); });
    if (table.start != nullptr) {
      ObjectFrame shown;
      to.time("begin", [&] { timed->begin(tracker.grid(), tracker.object()); });
      to.time("finish", [&] { timed->finish(tracker.grid(), tracker.object(), 1, shown); });
    }
    tracker.begin(frame.size(), *sieve);
    std::vector<FlowResult> results(points.size());
    to.time("flow", [&] {
      if (!points.empty() && kept->has_before()) kept->carry(points, rules, results.data());
      tracker.carry_again(frame.size(), *kept, points, results);
    });
    LearntObject before = tracker.object();
    tracker.next(frame.size(), *sieve, points, results);
    ObjectFrame made;
    made.make(frame, before.halvings, steps);
    ObjectFinds finds;
    finds.likely = tracker.finds().likely;
    to.time("candidates", [&] { judge_likely(made, tracker.grid(), before, 0, 1, finds); });
    const RealBox place = made.to_level(tracker.last().box);
    to.time("learn", [&] { learn_more(made, tracker.grid(), place, finds, i, before); });
    to.count("windows", tracker.grid().windows.window_count);
    to.count("varied", varied);
    to.count("likely", static_cast<std::int64_t>(finds.likely.size()));
    to.count("above the least sum", finds.above);
    to.count("candidates", static_cast<std::int64_t>(finds.candidates.size()));
    to.count("found", std::count_if(finds.candidates.begin(), finds.candidates.end(),
                                    [](const ObjectCandidate& candidate) { return candidate.found; }));
    to.count("templates", static_cast<std::int64_t>(tracker.object().templates.objects() +
                                                    tracker.object().templates.others()));
  }
}

void run(const Settings& settings) {
  const std::vector<GrayImage> frames = read_frames(settings);
  const std::size_t objects = settings.boxes.size() * static_cast<std::size_t>(settings.copies);
  bench::ResultList list{
      .name = "track_frames_" + settings.backend + "_" + bench::size_in_words(frames.front().size()) + "_" +
              std::to_string(objects),
      .title = std::to_string(objects) + " marked objects in frames of " +
               bench::size_in_words(frames.front().size()) + ", " + settings.backend,
      .unit = "windows a frame; milliseconds",
      .command = "winnow_track_frames VIDEO --backend " + settings.backend + " --threads " +
                 std::to_string(settings.threads),
      .about = "From a grey frame in host memory to boxes, " +
               std::to_string(frames.size() - 1 - static_cast<std::size_t>(settings.warm)) +
               " frames, learning in each; " + std::to_string(settings.threads) + " threads (0: all cores).",
      .columns = {"what", "mean", "median", "95", "greatest"},
      .by = {{"what", "part of a frame"}},
      .values = bench::time_values("a frame", 3)};
  const bool processor = settings.backend != "cuda" && settings.threads == 1;
  Parts whole(processor), parts(processor);
  time_frames(frames, settings, whole);
  time_parts(frames, settings, parts);
  parts.write(list.rows);
  whole.write(list.rows);
  bench::print_results(list);
  if (settings.out.file.empty()) return;
  bench::write_results(
      settings.out.file,
      {"Marked objects", "Objects that were marked in the first frame are followed through a video.",
       settings.out.device, settings.out.commit},
      {list});
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times marked objects followed through a video.");
  Settings settings;
  std::vector<std::string> boxes;
  bench::add_frame_options(app, settings.source, settings.seed, settings.out);
  app.add_option("--box", boxes, "X,Y,WIDTH,HEIGHT in the first frame")->required();
  app.add_option("--copies", settings.copies, "objects of each box")->check(CLI::PositiveNumber);
  app.add_option("--backend", settings.backend);
  app.add_option("--threads", settings.threads)->check(CLI::NonNegativeNumber);
  app.add_option("--frames", settings.frames, "timed frames")->check(CLI::PositiveNumber);
  app.add_option("--warm", settings.warm, "frames before them")->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    for (const std::string& box : boxes) settings.boxes.push_back(bench::parse_box(box));
    run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_track_frames: %s\n", error.what());
    return 1;
  }
}
