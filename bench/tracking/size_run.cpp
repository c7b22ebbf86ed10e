#include "tracking/size_run.h"

#include <stdexcept>
#include <thread>

#include "backend/backend.h"
#include "base/threads.h"
#include "frame_size.h"
#include "scale/gaussian/gaussian_pyramid.h"
#include "track/tld/box_motion.h"
#include "track/tld/object_learner.h"

namespace bench {
using namespace winnow;

namespace {

constexpr int kLearnRuns = 3;

void require_same(const std::vector<FlowResult>& a, const std::vector<FlowResult>& b) {
  const bool same =
      std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const FlowResult& x, const FlowResult& y) {
        return x.found == y.found && x.place.x == y.place.x && x.place.y == y.place.y &&
               x.back_distance == y.back_distance && x.ncc == y.ncc;
      });
  if (!same) throw std::runtime_error("flow is not that of one thread");
}

void check_detector(std::span<const LikelyWindow> found, std::span<const LikelyWindow> likely) {
  const bool same = std::equal(found.begin(), found.end(), likely.begin(), likely.end(),
                               [](const LikelyWindow& a, const LikelyWindow& b) {
                                 return a.window == b.window && a.sum == b.sum && a.pattern == b.pattern;
                               });
  if (!same) throw std::runtime_error("the detector beside flow found other windows");
}

}  // namespace

RunDevices open_devices(const SizeRunOptions& options, std::string& why) {
  RunDevices devices;
#if WINNOW_HAVE_CUDA
  why = why_no_device();
  if (!why.empty()) return devices;
  const BackendTable& table = find_backend(parse_backend("cuda"));
  devices.flow = make_flow_runner(table, {1, {0}});
  devices.frames = table.objects->make_frames(1, 0);
  devices.sieve = devices.frames->make_sieve();
  devices.recall = std::make_unique<DeviceRecall>(options.repeat, options.occupancy);
#else
  why = "this build has no CUDA";
  static_cast<void>(options);
#endif
  return devices;
}

SizeRun::SizeRun(const SizeRunOptions& options, RunDevices& devices, const std::vector<GrayImage>& frames,
                 const RealBox& box)
    : options_(options),
      devices_(devices),
      frames_(frames),
      box_(box),
      object_(options.seed),
      many_(threads_for(options.threads)),
      tracker_({options.seed}, {.backend = BackendKind::kCpu, .threads = 1}) {
  out_.size = frames.front().size();
  for (const int threads : {1, threads_for(options.threads)})
    flows_.push_back(make_flow_runner(find_backend(BackendKind::kCpu), {threads, {0}}));
}

SizeMeasures SizeRun::run() {
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
    is_timed_ = (i - 1) % static_cast<std::size_t>(options_.every) == 0;
    next(i);
  }
  return std::move(out_);
}

void SizeRun::next(std::size_t number) {
  const GrayView frame = frames_[number].view();
  if (is_timed_) ++out_.frames;
  make_frame(frame);
  const SearchedFrame in{frame_, grid_, object_};
  ObjectFinds finds;
  time("cpu_1 sift", [&] { sift_windows_cpu(frame_, grid_, object_, 1, finds.sifted); });
  finds.likely = finds.sifted;
  if (is_timed_) {
    time_recall(in, finds.sifted);
    time_flow(number, finds.sifted);
  }
  time("cpu_1 others", [&] { judge_likely(frame_, grid_, object_, 0, 1, finds); });
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

void SizeRun::make_frame(GrayView frame) {
  GaussianPyramid pyramid;
  pyramid.make(frame, 1, kObjectStepsCpu.halve);
  const int width = frame.width + 1, height = frame.height + 1;
  for (std::vector<std::uint32_t>& plane : planes_)
    plane.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto view = [&](std::vector<std::uint32_t>& plane) {
    return PlaneView{plane.data(), width, height, static_cast<std::ptrdiff_t>(width) * 4};
  };
  std::vector<double> copy, sums, all;
  for (int run = 0; run < options_.repeat; ++run) {
    copy.push_back(milliseconds([&] { pyramid.make(frame, 1, kObjectStepsCpu.halve); }));
    sums.push_back(milliseconds([&] {
      kObjectStepsCpu.integral(pyramid.level(0), {view(planes_[0]), view(planes_[1]), {}});
    }));
    all.push_back(milliseconds([&] { frame_.make(frame, 0, kObjectStepsCpu); }));
  }
  add("cpu_1 integral", median(sums));
  add("cpu_1 blur", std::max(0.0, median(all) - median(sums) - median(copy)));
}

void SizeRun::time_recall(const SearchedFrame& in, const std::vector<LikelyWindow>& likely) {
  Recall recall, other;
  recall.confidences.assign(static_cast<std::size_t>(grid_.windows.window_count), 0);
  other.confidences = recall.confidences;
  const std::span<const std::uint16_t> values = object_.ferns.values();
  const auto parts = [&](const std::string& name, Team& team, Recall& to) {
    time(name + " variance", [&] { find_varied(in, team, to.varied); });
    time(name + " indices", [&] { find_patterns(in, team, to.varied, to.patterns); });
    const FernIndices indices{to.patterns.empty() ? nullptr : to.patterns.front().data(), 1, kFerns};
    time(name + " confidence", [&] { sums_.find(to.varied, indices, values, false, team, to.confidences); });
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
void SizeRun::time_arrays(const Recall& recall, std::span<const std::uint16_t> values) {
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
      const auto work = [&] { sums_.find(list, {indices.data(), list.size(), 1}, values, own, *team, got); };
      work();
      if (got != recall.confidences)
        throw std::runtime_error("confidences with arrays of their own differ from the others");
      time(std::string(name) + (own ? " confidence own" : " confidence shared"), work);
    }
  }
}

void SizeRun::time_flow(std::size_t number, const std::vector<LikelyWindow>& likely) {
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
    for (int run = 0; run <= options_.repeat; ++run) {
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

void SizeRun::wait() const {
#if WINNOW_HAVE_CUDA
  if (devices_.recall != nullptr) wait_for_device();
#endif
}

void SizeRun::time_overlap(GrayView before, GrayView frame, const std::vector<FlowPlace>& points,
                           const std::vector<FlowResult>& wanted, const std::vector<LikelyWindow>& likely) {
  const FlowRules rules = ObjectTracker::flow_rules();
  std::vector<FlowResult> results(points.size());
  std::vector<LikelyWindow> sifted;
  std::span<const LikelyWindow> found;
  const auto carry = [&](FlowRunner& flow) {
    flow.keep(frame, rules);
    flow.carry(points, rules, results.data());
  };
  const auto compare = [&](const char* what, FlowRunner& flow, const auto& after, const auto& beside) {
    std::vector<double> times[2];
    for (int run = -1; run < options_.repeat; ++run) {  // the first run is not counted
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
  const auto sift = [&] {
    sift_windows_cpu(frame_, grid_, object_, 1, sifted);
    found = sifted;
  };
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
  // The frame travels once for both.
  SieveFrames& flow = *devices_.frames;
  const auto carry_kept = [&] { flow.carry(points, rules, results.data()); };
  ObjectFrame shown;
  const auto begin = [&] {
    flow.keep(frame, rules);
    devices_.sieve->begin(grid_, object_);
  };
  const auto finish = [&] { found = devices_.sieve->finish(grid_, object_, 1, shown); };
  compare(
      "device", flow,
      [&] {
        begin();
        finish();
        carry_kept();
      },
      [&] {
        begin();
        carry_kept();
        finish();
      });
}

}  // namespace bench
