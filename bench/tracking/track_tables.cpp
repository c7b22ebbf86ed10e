// Makes the tables of a paper on heterogeneous TLD (Gurcan and Temizel 2015) anew: how long each part of a
// frame takes on a processor, in the paper's split between processor and device, and on a device.
//
//   winnow_track_tables VIDEO --box X,Y,W,H [--frames 40] [--halves 2] [--every 1] [--repeat 5] [--threads 0]
//                       [--json FILE --device NAME --commit HASH]
//   winnow_track_tables --raw FILE --size 1920x1080 --box X,Y,W,H ...
//
// `--halves 2` also measures the video at half and at a quarter of its sides, as the paper did. Frames are not
// halved before they are searched, unlike in a `Tracker`: the grid is the paper's. Each variant's answer is
// compared with the plain one before it is timed; a wrong one ends the program with status 1. Without a device
// the columns of devices stay empty.
#include <winnow/tracker.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>

#include "backend/backend.h"
#include "base/threads.h"
#include "frame_size.h"
#include "pairs.h"
#include "results_file.h"
#include "scale/gaussian/gaussian_pyramid.h"
#include "track/flow/flow_runner.h"
#include "track/tld/box_motion.h"
#include "track/tld/object_learner.h"
#include "track/tld/object_tracker.h"
#include "tracking/read_frames.h"
#include "tracking/recall_cpu.h"
#include "tracking/table_rows.h"

namespace {

using namespace winnow;
using namespace bench;

struct Settings {
  FrameSource source;
  std::string box;
  int frames = 40, halves = 2, every = 1, repeat = 5, threads = 0;
  double occupancy = 0.5;
  std::uint64_t seed = 1;
  ResultOptions out;
};

// What devices need, or nothing.
struct Devices {
  std::unique_ptr<FlowRunner> flow;
  std::unique_ptr<SieveFrames> frames;
  std::unique_ptr<WindowSieve> sieve;
#if WINNOW_HAVE_CUDA
  std::unique_ptr<DeviceRecall> recall;
#endif
};

Devices open_devices(const Settings& settings) {
  Devices devices;
#if WINNOW_HAVE_CUDA
  const std::string why = why_no_device();
#else
  const std::string why = "this build has no CUDA";
  static_cast<void>(settings);
#endif
  if (!why.empty()) {
    std::fprintf(stderr, "winnow_track_tables: no device (%s), so only columns of processors are measured.\n",
                 why.c_str());
    return devices;
  }
#if WINNOW_HAVE_CUDA
  const BackendTable& table = find_backend(parse_backend("cuda"));
  devices.flow = make_flow_runner(table, {1, {0}});
  devices.frames = table.objects->make_frames(0);
  devices.sieve = devices.frames->make_sieve();
  devices.recall = std::make_unique<DeviceRecall>(settings.repeat, settings.occupancy);
#endif
  return devices;
}

// Follows the object at one size of frames, and times the parts of each frame.
class SizeRun {
 public:
  SizeRun(const Settings& settings, Devices& devices, const std::vector<GrayImage>& frames,
          const RealBox& box)
      : settings_(settings),
        devices_(devices),
        frames_(frames),
        box_(box),
        object_(settings.seed),
        many_(threads_for(settings.threads)),
        tracker_({settings.seed}, {.backend = BackendKind::kCpu, .threads = 1}) {
    out_.size = frames.front().size();
    for (const int threads : {1, threads_for(settings.threads)})
      flows_.push_back(make_flow_runner(find_backend(BackendKind::kCpu), {threads, {0}}));
  }

  SizeMeasures run() {
    const GrayView first = frames_.front().view();
    tracker_.add(first, box_);
    frame_.make(first, 0, kObjectStepsCpu);
    object_.halvings = 0;
    object_.box = box_;
    grid_.plan(frame_.level().size(), object_);
    if (!learn_first(frame_, grid_, object_))
      throw std::runtime_error("the box is not like any window of frames of " + size_in_words(first.size()));
#if WINNOW_HAVE_CUDA
    if (devices_.recall != nullptr) {
      devices_.recall->plan(grid_);
      out_.forms = devices_.recall->forms();
    }
#endif
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      is_timed_ = (i - 1) % static_cast<std::size_t>(settings_.every) == 0;
      next(i);
    }
    return std::move(out_);
  }

 private:
  static constexpr int kLearnRuns = 3;

  void add(const std::string& name, double figure) {
    if (is_timed_) out_.measures.add(name, figure);
  }
  // The median of several runs. `check` sees the last result.
  template <class Work>
  void time(const std::string& name, Work&& work) {
    if (!is_timed_) return work();
    std::vector<double> times;
    for (int run = 0; run < settings_.repeat; ++run) times.push_back(milliseconds(work));
    add(name, median(times));
  }

  void next(std::size_t number) {
    const GrayView frame = frames_[number].view();
    if (is_timed_) ++out_.frames;
    make_frame(frame);
    const SearchedFrame in{frame_, grid_, object_};
    ObjectFinds finds;
    time("cpu_1 sift", [&] { sift_windows(frame_, grid_, object_, finds.likely); });
    if (is_timed_) {
      time_recall(in, finds.likely);
      time_flow(number, finds.likely);
    }
    time("cpu_1 others", [&] { judge_likely(frame_, grid_, object_, 0, finds); });
    add("windows", static_cast<double>(grid_.windows.window_count));
    add("likely", static_cast<double>(finds.likely.size()));
    add("candidates", static_cast<double>(finds.candidates.size()));
    const Track track = tracker_.next(frame).front();
    box_ = track.box;
    if (track.state == TrackState::kLost) return;
    std::vector<double> times;
    for (int run = 0; is_timed_ && run < kLearnRuns; ++run) {
      LearntObject copy = object_;
      times.push_back(milliseconds([&] { learn_more(frame_, grid_, box_, finds, number, copy); }));
    }
    if (is_timed_) add("cpu_1 learn", median(times));
    learn_more(frame_, grid_, box_, finds, number, object_);
  }

  void make_frame(GrayView frame) {
    GaussianPyramid pyramid;
    pyramid.make(frame, 1, kObjectStepsCpu.halve);
    const int width = frame.width + 1, height = frame.height + 1;
    for (std::vector<std::uint32_t>& plane : planes_)
      plane.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const auto view = [&](std::vector<std::uint32_t>& plane) {
      return PlaneView{plane.data(), width, height, static_cast<std::ptrdiff_t>(width) * 4};
    };
    std::vector<double> copy, sums, all;
    for (int run = 0; run < settings_.repeat; ++run) {
      copy.push_back(milliseconds([&] { pyramid.make(frame, 1, kObjectStepsCpu.halve); }));
      sums.push_back(milliseconds([&] {
        kObjectStepsCpu.integral(pyramid.level(0), {view(planes_[0]), view(planes_[1]), {}});
      }));
      all.push_back(milliseconds([&] { frame_.make(frame, 0, kObjectStepsCpu); }));
    }
    add("cpu_1 integral", median(sums));
    add("cpu_1 blur", std::max(0.0, median(all) - median(sums) - median(copy)));
  }

  // The parts on the processor, then on the device.
  void time_recall(const SearchedFrame& in, const std::vector<LikelyWindow>& likely) {
    Recall recall, other;
    recall.confidences.assign(static_cast<std::size_t>(grid_.windows.window_count), 0);
    other.confidences = recall.confidences;
    const std::span<const std::int32_t> values = object_.ferns.values();
    const auto parts = [&](const std::string& name, Team& team, Recall& to) {
      time(name + " variance", [&] { find_varied(in, team, to.varied); });
      time(name + " indices", [&] { find_patterns(in, team, to.varied, to.patterns); });
      const FernIndices indices{to.patterns.empty() ? nullptr : to.patterns.front().data(), 1, kFerns};
      time(name + " confidence",
           [&] { sums_.find(to.varied, indices, values, false, team, to.confidences); });
      check_recall(to, likely);
    };
    parts("cpu_1", one_, recall);
    parts("cpu_n", many_, other);
    if (recall.varied != other.varied || recall.patterns != other.patterns ||
        recall.confidences != other.confidences)
      throw std::runtime_error("several threads found other windows than one");
    time_arrays(recall, values);
    add("varied", static_cast<double>(recall.varied.size()));
#if WINNOW_HAVE_CUDA
    if (devices_.recall != nullptr)
      devices_.recall->time(in, recall, likely, many_,
                            [&](const std::string& name, double ms) { add(name, ms); });
#endif
  }

  // The list is in the order of clusters by load, so that neighbouring windows lie apart in it.
  void time_arrays(const Recall& recall, std::span<const std::int32_t> values) {
    constexpr std::int64_t kPairs = 8;
    std::vector<bool> is_varied(recall.confidences.size());
    std::vector<std::uint32_t> at(recall.confidences.size()), list;
    for (std::size_t i = 0; i < recall.varied.size(); ++i) {
      is_varied[recall.varied[i]] = true;
      at[recall.varied[i]] = static_cast<std::uint32_t>(i);
    }
    const Clusters clusters = clusters_by_load(scan_line_pairs(grid_.windows), kPairs);
    for (const ScanLinePair& pair : clusters.pairs)
      for (std::uint32_t window = pair.first_window; window < pair.first_window + pair.windows; ++window)
        if (is_varied[window]) list.push_back(window);
    std::vector<std::uint16_t> indices(list.size() * kFerns);  // as [fern][window]
    for (std::size_t k = 0; k < list.size(); ++k)
      for (std::size_t fern = 0; fern < kFerns; ++fern)
        indices[fern * list.size() + k] = recall.patterns[at[list[k]]][fern];
    for (const auto& [name, team] : {std::pair("cpu_1", &one_), {"cpu_n", &many_}}) {
      for (const bool own : {true, false}) {
        std::vector<std::int32_t> got(recall.confidences.size(), 0);
        const auto work = [&] {
          sums_.find(list, {indices.data(), list.size(), 1}, values, own, *team, got);
        };
        work();
        if (got != recall.confidences)
          throw std::runtime_error("confidences with arrays of their own differ from the others");
        time(std::string(name) + (own ? " confidence own" : " confidence shared"), work);
      }
    }
  }

  void time_flow(std::size_t number, const std::vector<LikelyWindow>& likely) {
    const FlowRules rules = ObjectTracker::flow_rules();
    const GrayView before = frames_[number - 1].view(), frame = frames_[number].view();
    std::vector<FlowPlace> points;
    grid_points(box_, points);
    std::vector<FlowResult> wanted;
    std::vector<FlowRunner*> runners = {flows_[0].get(), flows_[1].get()};
    if (devices_.flow != nullptr) runners.push_back(devices_.flow.get());
    const char* const names[] = {"cpu_1 flow", "cpu_n flow", "device flow"};
    for (std::size_t i = 0; i < runners.size(); ++i) {
      std::vector<FlowResult> results(points.size());
      std::vector<double> times;
      for (int run = 0; run <= settings_.repeat; ++run) {
        runners[i]->keep(before, rules);
        wait();
        times.push_back(milliseconds([&] {
          runners[i]->keep(frame, rules);
          runners[i]->carry(points, rules, results.data());
        }));
      }
      times.erase(times.begin());
      add(names[i], median(times));
      if (i == 0) wanted = results;
      require_same(wanted, results);
    }
    time_overlap(before, frame, points, wanted, likely);
  }

  void wait() const {
#if WINNOW_HAVE_CUDA
    if (devices_.recall != nullptr) wait_for_device();
#endif
  }

  static void require_same(const std::vector<FlowResult>& a, const std::vector<FlowResult>& b) {
    const bool same =
        std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const FlowResult& x, const FlowResult& y) {
          return x.found == y.found && x.place.x == y.place.x && x.place.y == y.place.y &&
                 x.back_distance == y.back_distance && x.ncc == y.ncc;
        });
    if (!same) throw std::runtime_error("flow is not that of one thread");
  }

  // Detector and flow, one after the other and at the same time.
  void time_overlap(GrayView before, GrayView frame, const std::vector<FlowPlace>& points,
                    const std::vector<FlowResult>& wanted, const std::vector<LikelyWindow>& likely) {
    const FlowRules rules = ObjectTracker::flow_rules();
    std::vector<FlowResult> results(points.size());
    std::vector<LikelyWindow> found;
    const auto carry = [&](FlowRunner& flow) {
      flow.keep(frame, rules);
      flow.carry(points, rules, results.data());
    };
    const auto compare = [&](const char* what, FlowRunner& flow, const auto& after, const auto& beside) {
      std::vector<double> times[2];
      for (int run = -1; run < settings_.repeat; ++run) {  // the first run is not counted
        flow.keep(before, rules);
        wait();
        const double first = milliseconds(after);
        check_detector(found, likely);
        require_same(wanted, results);
        flow.keep(before, rules);
        wait();
        const double second = milliseconds(beside);
        check_detector(found, likely);
        require_same(wanted, results);
        if (run < 0) continue;
        times[0].push_back(first);
        times[1].push_back(second);
      }
      add(std::string(what) + " detector then flow", median(times[0]));
      add(std::string(what) + " detector beside flow", median(times[1]));
    };
    FlowRunner& own = *flows_[0];
    const auto sift = [&] { sift_windows(frame_, grid_, object_, found); };
    compare(
        "cpu", own,
        [&] {
          sift();
          carry(own);
        },
        [&] {
          const std::jthread detector(sift);
          carry(own);
        });
    if (devices_.sieve == nullptr) return;
    FlowRunner& flow = *devices_.flow;
    ObjectFrame shown;
    const auto begin = [&] {
      devices_.frames->keep(frame);
      devices_.sieve->begin(grid_, object_);
    };
    const auto finish = [&] { devices_.sieve->finish(shown, found); };
    compare(
        "device", flow,
        [&] {
          begin();
          finish();
          carry(flow);
        },
        [&] {
          begin();
          carry(flow);
          finish();
        });
  }

  static void check_detector(const std::vector<LikelyWindow>& found,
                             const std::vector<LikelyWindow>& likely) {
    const bool same = std::equal(found.begin(), found.end(), likely.begin(), likely.end(),
                                 [](const LikelyWindow& a, const LikelyWindow& b) {
                                   return a.window == b.window && a.sum == b.sum && a.pattern == b.pattern;
                                 });
    if (!same) throw std::runtime_error("the detector beside flow found other windows");
  }

  const Settings& settings_;
  Devices& devices_;
  const std::vector<GrayImage>& frames_;
  RealBox box_;
  ObjectFrame frame_;
  ObjectGrid grid_;
  LearntObject object_;
  Team one_{1}, many_;
  Tracker tracker_;
  std::vector<std::unique_ptr<FlowRunner>> flows_;
  ConfidenceSums sums_;
  std::vector<std::uint32_t> planes_[2];
  bool is_timed_ = true;
  SizeMeasures out_;
};

// The frames at half of their sides.
std::vector<GrayImage> halved_frames(const std::vector<GrayImage>& frames) {
  std::vector<GrayImage> halves;
  GaussianPyramid pyramid;
  for (const GrayImage& frame : frames) {
    pyramid.make(frame.view(), 2, kObjectStepsCpu.halve);
    const GrayView half = pyramid.level(pyramid.levels() - 1);
    halves.emplace_back(half.width, half.height);
    for (int y = 0; y < half.height; ++y) std::copy_n(half.row(y), half.width, halves.back().row(y));
  }
  return halves;
}

void run(const Settings& settings) {
  std::vector<GrayImage> frames = read_frames(settings.source, static_cast<std::size_t>(settings.frames) + 1);
  RealBox box = parse_box(settings.box);
  Devices devices = open_devices(settings);
  const int threads = threads_for(settings.threads);
  const std::string size = size_in_words(frames.front().size());
  std::vector<SizeMeasures> sizes;
  for (int half = 0; half <= settings.halves; ++half) {
    if (half > 0) {
      frames = halved_frames(frames);
      box = {box.x / 2, box.y / 2, box.width / 2, box.height / 2};
    }
    sizes.push_back(SizeRun(settings, devices, frames, box).run());
  }
  std::reverse(sizes.begin(), sizes.end());
  const std::vector<ResultList> tables =
      track_tables(sizes, threads,
                   "winnow_track_tables VIDEO --box " + settings.box + " --frames " +
                       std::to_string(settings.frames) + " --halves " + std::to_string(settings.halves),
                   std::to_string(frames.size() - 1) + " frames of " + size +
                       ", halved for the smaller sizes; all threads: " + std::to_string(threads) +
                       ". Each figure is the median over the frames.");
  for (const ResultList& table : tables) print_results(table);
  if (settings.out.file.empty()) return;
  write_results(
      settings.out.file,
      {"A paper on heterogeneous TLD, made anew",
       "Gurcan and Temizel (2015) part TLD between a processor and a device. Their own kernels stand "
       "beside Winnow's here. The paper had an Intel i7-4770K and a Tesla K40.",
       settings.out.device.empty() ? host_in_words() : settings.out.device, settings.out.commit},
      tables);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Makes the tables of a paper on heterogeneous TLD anew.");
  Settings settings;
  app.add_option("VIDEO", settings.source.video);
  app.add_option("--raw", settings.source.raw, "a file of grey frames instead of a video");
  app.add_option("--size", settings.source.size, "the size of raw frames, such as 1920x1080");
  app.add_option("--box", settings.box, "X,Y,WIDTH,HEIGHT in the first frame")->required();
  app.add_option("--frames", settings.frames, "frames behind the first")->check(CLI::PositiveNumber);
  app.add_option("--halves", settings.halves, "how often frames are halved and measured again")
      ->check(CLI::Range(0, 6));
  app.add_option("--every", settings.every, "1 of so many frames is timed")->check(CLI::PositiveNumber);
  app.add_option("--repeat", settings.repeat, "runs of each part in a frame")->check(CLI::PositiveNumber);
  app.add_option("--threads", settings.threads, "0: all cores")->check(CLI::NonNegativeNumber);
  app.add_option("--occupancy", settings.occupancy, "the least occupancy of algorithm 2")
      ->check(CLI::Range(0., 1.));
  app.add_option("--seed", settings.seed);
  app.add_option("--json", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_track_tables: %s\n", error.what());
    return 1;
  }
}
