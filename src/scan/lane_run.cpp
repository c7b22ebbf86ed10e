#include "scan/lane_run.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <winnow/error.h>

#include "backend/waking.h"
#include "scan/answer_frames.h"
#include "scan/desk.h"

namespace winnow {
namespace {

constexpr std::size_t kMostFrames = 64;  // of a lane's batch
constexpr std::size_t kDeskFrames = 1024, kDeskBytes = std::size_t{512} << 20;
// The most events that lie on the desk when the next frame of a camera, or of a video or stream, comes. So
// answers are close to the present, and a stop request waits for few frames.
constexpr std::size_t kCameraEvents = 2, kSequenceEvents = 128;
// How many seconds of the scan's own work may lie on the desk while lanes wake, and after they all left. Frames
// are read ahead, since reading is often the limit later. A stop request waits for these frames.
constexpr double kSecondsAlone = 1;
constexpr std::size_t kBatchesAlone = 3;  // that may always lie there
// The work takes single frames, which all threads search, if its batch takes longer than this many seconds.
// So lanes that are about to wake need not wait for it at the end.
constexpr double kMostSecondsAtOnce = .05;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

// What all threads of a run use. A lane that is still waking may outlive the run.
struct LaneRun::Shared {
  Desk desk{{kDeskFrames, kDeskBytes}};
  std::atomic<int> awake = 0;             // lanes that take frames
  std::atomic<int> opening = 0;           // lanes that neither woke nor failed yet
  std::atomic<double> lane_seconds = 0;   // a lane's least seconds for a frame; a lane's first batch is slow
  std::atomic<double> work_seconds = 0;   // the work's seconds for a frame, in its last batch
  std::size_t most = kMostFrames;         // of a lane's batch
  std::size_t least_alone = kMostFrames;  // frames that may always lie on the desk
  mutable std::mutex mutex;
  bool over = false;
  std::string note;

  void say(const std::string& words) {
    const std::lock_guard lock(mutex);
    if (note.empty()) note = words;
  }

  // Puts what the reader gives on the desk.
  void feed(FrameReader& reader) {
    try {
      for (ScanEvent event; reader.next(event); event = ScanEvent()) {
        const std::size_t room = event.from->kind == InputKind::kCamera ? kCameraEvents
                                 : event.sequence                       ? kSequenceEvents
                                                                        : 2 * kDeskFrames;
        if (!desk.push(std::move(event), room)) return;
      }
      desk.end();
    } catch (...) {
      desk.end(std::current_exception());
    }
  }

  // Answers with the scan's own work, up to `at_once` frames a time. `alone`: only what lanes give back, or all
  // if there is no lane.
  void answer_in_work(ScanWork& work, std::size_t at_once, bool alone) {
    const auto batch = [&] {
      const bool slow = work_seconds * static_cast<double>(at_once) > kMostSecondsAtOnce;
      return slow && opening > 0 ? std::size_t{1} : at_once;
    };
    const Desk::Wanted wanted = [&](std::size_t waiting) {
      if (alone && opening > 0) return false;
      const int lanes = awake;
      if (lanes == 0) return true;
      if (alone || waiting < 2 * most) return false;
      // The lanes must have frames until the work is done with its own.
      const double left = lane_seconds / lanes * static_cast<double>(waiting);
      const double own = work_seconds * static_cast<double>(at_once);
      return own > 0 && lane_seconds > 0 && own < .8 * left;
    };
    std::vector<ScanEvent*> frames;
    frames.reserve(at_once);
    while (desk.take(batch(), awake > 0, wanted, frames)) {
      const auto start = Clock::now();
      const EndedBy ended = answer_frames(work, frames);
      work_seconds = seconds_since(start) / static_cast<double>(frames.size());
      desk.done(frames, ended.frame, ended.why);
      if (awake == 0 && !(alone && opening > 0)) desk.set_frames(frames_alone());
    }
  }

  // Takes frames until there are no more, or the lane's device fails.
  void answer_in_lane(ScanWork& work) {
    std::vector<ScanEvent*> frames;
    frames.reserve(most);
    bool first = true;
    while (desk.take_alike(most, frames)) {
      const auto start = Clock::now();
      bool answered = false, leaves = false;
      try {
        work.answer(frames);
        answered = true;
      } catch (const Error& error) {
        leaves = error.code() == ErrorCode::kDevice || error.code() == ErrorCode::kBackend;
        if (leaves) say(error.sentence());
      } catch (...) {  // such as too little memory for a picture: the work's next session may have enough
      }
      if (answered) {
        const double each = seconds_since(start) / static_cast<double>(frames.size());
        for (ScanEvent* frame : frames) frame->seconds = each;
        if (!std::exchange(first, false)) note_seconds(each);
        desk.done(frames);
        desk.ask_again();
        continue;
      }
      for (ScanEvent* frame : frames) take_back(*frame);
      if (leaves) {
        leave();
        // Another lane may have memory for these frames.
        return desk.give_back(frames, awake > 0);
      }
      // The scan's own work answers these frames anew, and says which of them has a problem.
      desk.give_back(frames, false);
    }
    leave();
  }

  void note_seconds(double each) {
    for (double least = lane_seconds; least <= 0 || each < least;) {
      if (lane_seconds.compare_exchange_weak(least, each)) return;
    }
  }

  // The number of frames on the desk that the work alone answers in `kSecondsAlone`.
  std::size_t frames_alone() const {
    const double seconds = work_seconds;
    if (seconds <= 0) return least_alone;
    return std::max(least_alone, static_cast<std::size_t>(
                                     std::min(kSecondsAlone / seconds, static_cast<double>(kDeskFrames))));
  }

  // One lane fewer takes frames. Without lanes, fewer frames lie on the desk again, and the work asks whether it
  // should take what waits.
  void leave() {
    if (--awake > 0) return;
    desk.set_frames(frames_alone());
    desk.ask_again();
  }

  // A lane did not come. Without any, the work answers all frames.
  void miss(const std::string& why) {
    say(why);
    if (--opening == 0 && awake == 0) desk.set_frames(frames_alone());
    desk.ask_again();
  }
};

struct LaneRun::Thread {
  std::thread thread;
  std::shared_ptr<std::atomic<bool>> waking;  // whether the lane's device is still starting
};

LaneRun::LaneRun(FrameReader& reader, ScanWork& work, Plan plan)
    : shared_(std::make_shared<Shared>()), stop_reading_(plan.stop_reading) {
  if (plan.batch) shared_->most = std::min(static_cast<std::size_t>(*plan.batch), kDeskFrames);
  shared_->work_seconds = plan.work_seconds;
  const std::size_t most =
      plan.lanes.at_once ? shared_->most
                         : std::min(shared_->most, static_cast<std::size_t>(std::max(work.threads(), 1)));
  shared_->least_alone = kBatchesAlone * most;
  shared_->desk.set_frames(plan.lanes.at_once ? kDeskFrames : shared_->frames_alone());
  lanes_.reserve(plan.lanes.lanes.size());
  try {
    feeder_ = std::thread([shared = shared_, &reader] { shared->feed(reader); });
    shared_->opening = static_cast<int>(plan.lanes.lanes.size());
    main_ = std::thread([shared = shared_, &work, most, alone = plan.lanes.at_once] {
      shared->answer_in_work(work, most, alone);
    });
    for (Lane& lane : plan.lanes.lanes) open(std::move(lane));
  } catch (...) {
    close();
    throw;
  }
}

void LaneRun::open(Lane lane) {
  const auto waking = std::make_shared<std::atomic<bool>>(true);
  try {
    std::thread thread([shared = shared_, lane = std::move(lane), waking] {
      std::unique_ptr<ScanWork> made;
      try {
        lane.wake();
        {
          const std::lock_guard lock(shared->mutex);
          if (shared->over) return;
          *waking = false;
        }
        made = lane.make();
      } catch (...) {
        return shared->miss(words_of(std::current_exception()));
      }
      ++shared->awake;
      --shared->opening;
      shared->desk.set_frames(kDeskFrames);
      shared->answer_in_lane(*made);
    });
    lanes_.push_back({std::move(thread), waking});
  } catch (const std::system_error&) {
    shared_->miss("the system has no thread for another session");
  }
}

void LaneRun::close() {
  stop_reading_.request_stop();
  shared_->desk.stop();
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->over = true;
  }
  if (feeder_.joinable()) feeder_.join();
  if (main_.joinable()) main_.join();
  for (Thread& lane : lanes_) {
    if (*lane.waking) {
      lane.thread.detach();
    } else {
      lane.thread.join();
    }
  }
  shared_->desk.clear();
}

LaneRun::~LaneRun() { close(); }

bool LaneRun::next(ScanEvent& event) { return shared_->desk.pop(event); }
bool LaneRun::wait(std::chrono::milliseconds time) { return shared_->desk.wait(time); }
std::string LaneRun::note() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->note;
}

}  // namespace winnow
