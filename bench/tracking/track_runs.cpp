// winnow_track_runs: follows the object of a marked sequence, and writes one line of CSV for each frame behind
// the first. The lines hold what `winnow track` does not tell: the signs of the box where the object is seen,
// also while it counts as lost. track_figures.py makes figures of them.
#include <winnow/box_track.h>
#include <winnow/feed.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/real_box.h"
#include "track/tld/object_steps.h"
#include "track/tld/object_tracker.h"
#include "tracking/changed_frames.h"

namespace {

using namespace winnow;
using bench::MarkedFrames;

struct Options {
  std::string input, truth, format, name, change = "none", start = "first", write;
  std::vector<double> box;
  std::uint64_t seeds = 1;
};

MarkedFrames read_sequence(const Options& options) {
  MarkedFrames sequence;
  InputRequest request;
  request.names = {options.input};
  FrameReader reader(expand_inputs(request));
  for (FrameEvent event; reader.next(event);) {
    if (event.kind == FrameEvent::Kind::kProblem) throw std::runtime_error(event.problem);
    if (event.kind == FrameEvent::Kind::kFrame) sequence.frames.push_back(std::move(event.picture.gray));
  }
  for (const FrameBox& frame : read_box_track(options.truth, {.format = options.format}).frames)
    sequence.boxes.push_back(frame.box);
  // Some sequences of benchmarks have a few frames without marks at their end.
  const std::size_t count = std::min(sequence.frames.size(), sequence.boxes.size());
  sequence.frames.resize(count);
  sequence.boxes.resize(count);
  return sequence;
}

// Frames from a later one on, or all frames backwards, from the first frame that has the object.
void begin_at(MarkedFrames& sequence, const std::string& start) {
  const auto cut = [&](std::size_t first) {
    sequence.frames.erase(sequence.frames.begin(),
                          sequence.frames.begin() + static_cast<std::ptrdiff_t>(first));
    sequence.boxes.erase(sequence.boxes.begin(), sequence.boxes.begin() + static_cast<std::ptrdiff_t>(first));
  };
  if (start == "third") cut(sequence.frames.size() / 3);
  if (start == "half") cut(sequence.frames.size() / 2);
  if (start == "end") {
    std::reverse(sequence.frames.begin(), sequence.frames.end());
    std::reverse(sequence.boxes.begin(), sequence.boxes.end());
  }
  const auto marked = [](const std::optional<RealBox>& box) { return box.has_value(); };
  const auto first = std::find_if(sequence.boxes.begin(), sequence.boxes.end(), marked);
  cut(static_cast<std::size_t>(first - sequence.boxes.begin()));
  if (sequence.frames.size() < 2) throw std::runtime_error("fewer than two frames are left");
}

// Pictures and marks, in the format of TLP.
void write_sequence(const MarkedFrames& sequence, const std::string& folder) {
  std::filesystem::create_directories(folder + "/img");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> truth(
      std::fopen((folder + "/truth.txt").c_str(), "w"), &std::fclose);
  if (!truth) throw std::runtime_error(folder + "/truth.txt cannot be written");
  for (std::size_t i = 0; i < sequence.frames.size(); ++i) {
    char name[32];
    std::snprintf(name, sizeof name, "/img/%06zu.png", i);
    write_picture(folder + name, sequence.frames[i].view());
    const RealBox box = sequence.boxes[i].value_or(RealBox{});
    std::fprintf(truth.get(), "%zu,%.17g,%.17g,%.17g,%.17g,%d\n", i, box.x, box.y, box.width, box.height,
                 sequence.boxes[i] ? 0 : 1);
  }
}

// Signs of the box. A box that the search alone gave has none of flow.
void print_seen(const ObjectTracker::Seen& seen, const std::optional<RealBox>& marked) {
  std::printf("%.6f,%d,%.6f,", seen.signs.likeness, seen.signs.found,
              marked ? overlap_of(*marked, seen.box) : 0);
  if (const auto& flow = seen.signs.flow)
    std::printf("%.6f,%.6f\n", flow->kept, flow->back);
  else
    std::printf(",\n");
}

void follow(const Options& options, const MarkedFrames& sequence, const std::vector<std::size_t>& changes,
            std::uint64_t seed) {
  ObjectTracker tracker(kObjectStepsCpu, seed);
  const std::unique_ptr<SieveFrames> frames = make_sieve_frames_cpu(1, 0);
  const std::unique_ptr<WindowSieve> sieve = frames->make_sieve();
  RealBox box = sequence.boxes.front().value();
  if (options.box.size() == 4) box = {options.box[0], options.box[1], options.box[2], options.box[3]};
  if (!tracker.mark(sequence.frames.front().view(), box)) throw std::runtime_error("the box has no window");
  const FlowRules rules = ObjectTracker::flow_rules(tracker.object().halvings);
  frames->keep(sequence.frames.front().view(), rules);
  std::vector<FlowPlace> points;
  std::vector<FlowResult> results;
  for (std::size_t i = 1; i < sequence.frames.size(); ++i) {
    const GrayView frame = sequence.frames[i].view();
    tracker.points(points);
    frames->keep(frame, rules);
    tracker.begin(frame.size(), *sieve);
    results.resize(points.size());
    if (!points.empty()) frames->carry(points, rules, results.data());
    tracker.carry_again(frame.size(), *frames, points, results);
    const TrackedObject& object = tracker.next(frame.size(), *sieve, points, results);
    const std::optional<RealBox>& marked = sequence.boxes[i];
    const bool lost = object.state == ObjectState::kLost;
    const double overlap = marked && !lost ? overlap_of(*marked, object.box) : 0;
    std::printf("%s,%s,%s,%llu,%zu,%d,%d,%d,%.6f,%.6f,", options.name.c_str(), options.change.c_str(),
                options.start.c_str(), static_cast<unsigned long long>(seed), i, marked.has_value(),
                static_cast<int>(std::find(changes.begin(), changes.end(), i) != changes.end()), lost,
                object.confidence, overlap);
    if (const auto& seen = tracker.seen())
      print_seen(*seen, marked);
    else
      std::printf(",,,,\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Follows the object of a marked sequence, and tells how alike it was in each frame.");
  app.add_option("--name", options.name, "of the sequence")->required();
  app.add_option("--truth", options.truth, "marks of people")->required();
  app.add_option("--truth-format", options.format, "otb, tld, vot or tlp; recognised if that is possible");
  app.add_option("--box", options.box, "X,Y,W,H in the first frame, instead of the mark there")
      ->delimiter(',')
      ->expected(4);
  app.add_option("--change", options.change, "none; gaps: the object is painted over; turns: of the camera")
      ->check(CLI::IsMember({"none", "gaps", "turns"}));
  app.add_option("--start", options.start, "first, third or half of the frames; end: backwards")
      ->check(CLI::IsMember({"first", "third", "half", "end"}));
  app.add_option("--seeds", options.seeds, "follow with the seeds 1 to this one (1); 0: follow nothing");
  app.add_option("--write", options.write, "a folder for the sequence as it was changed");
  app.add_option("INPUT", options.input, "a video, or a folder of pictures")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    MarkedFrames sequence = read_sequence(options);
    begin_at(sequence, options.start);
    std::vector<std::size_t> changes;
    if (options.change == "gaps") changes = bench::add_gaps(sequence);
    if (options.change == "turns") changes = bench::add_turns(sequence);
    if (!options.write.empty()) write_sequence(sequence, options.write);
    std::printf(
        "sequence,change,start,seed,frame,present,changed,lost,confidence,overlap,likeness,found,seen,kept,"
        "back\n");
    for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) follow(options, sequence, changes, seed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_track_runs: %s\n", error.what());
    return 1;
  }
}
