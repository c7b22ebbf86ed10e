// Answers the events of a scan in lanes, each with a thread and a session of its own.
//
// The scan's own work is one lane. With `auto` it answers alone until other lanes are awake. Then it takes
// frames that they give back, and further frames only if it is done with them before the other lanes need
// them. If the lanes run on the user's own backend (`Lanes::at_once`), it only takes what they give back.
//
// In:     the scan's reader and work, and the lanes to open.
// Out:    the scan's events in their order; `problem` of a frame that was not answered, without the input's
//         name.
// Exact:  the same answers whichever lane gives them.
// Memory: see desk.h for the frames that are held. A lane whose device is still starting when the run ends
//         goes on alone until the device has started, keeps what it needs until then, and does nothing more.
// Thread: one thread takes events. The reader and the work are used by threads of the run until it ends.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <winnow/feed.h>
#include <winnow/scan.h>

#include "scan/laned_work.h"

namespace winnow {

class LaneRun {
 public:
  struct Plan {
    Lanes lanes;
    std::optional<int> batch;       // `ScanOptions::batch`
    double work_seconds = 0;        // the work's least seconds for a frame so far; 0 before the first
    std::stop_source stop_reading;  // ends the reader's waiting
  };
  LaneRun(FrameReader& reader, ScanWork& work, Plan plan);
  ~LaneRun();

  bool next(ScanEvent& event);
  bool wait(std::chrono::milliseconds time);
  // Why lanes left or never woke; "" if all is well.
  std::string note() const;

 private:
  struct Shared;
  struct Thread;
  void open(Lane lane);
  void close();

  std::shared_ptr<Shared> shared_;
  std::stop_source stop_reading_;
  std::thread feeder_, main_;
  std::vector<Thread> lanes_;
};

}  // namespace winnow
