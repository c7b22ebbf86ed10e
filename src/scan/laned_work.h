// Work of a scan that several lanes do at once: each lane is a thread with a session of its own.
//
// In:     work that knows how more work like it is made.
// Out:    the lanes that a scan may open beside the work.
// Exact:  a lane gives the same answers as the work.
// Memory: a lane's work belongs to the lane.
// Thread: `lanes` is called on the thread of the scan. The functions of a `Lane` run on the lane's thread,
//         and may outlive the work.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <winnow/scan.h>

namespace winnow {

struct Lane {
  std::function<void()> wake;  // makes the device ready; may take long
  std::function<std::unique_ptr<ScanWork>()> make;
};

struct Lanes {
  std::vector<Lane> lanes;
  bool at_once = false;        // the lanes run on the backend that the user asked for, so they open at once
  double start_seconds = 0;    // how long lanes take until they work, if not `at_once`
  bool pictures_only = false;  // the work leaves frames of videos, cameras and streams to states
};

class LanedWork : public ScanWork {
 public:
  virtual Lanes lanes() const = 0;
  // Frees what the work can make again: other lanes do the work.
  virtual void rest() {}
};

}  // namespace winnow
