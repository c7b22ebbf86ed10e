// Prints an event of a run on many hosts.
//
// In:     an event of a `Scan` or of a `ClusterScan`, and what prints its frame.
// Out:    the lines of a frame, a problem, or the end of an input.
// Memory: counts alone.
// Thread: the main thread.
#pragma once

#include <winnow/feed.h>

#include "detecting/record_output.h"

namespace winnow::mpi {

template <class Event, class PrintFrame>
void print_event(cli::RecordOutput& output, const Event& event, PrintFrame print_frame) {
  switch (event.kind) {
    case FrameEvent::Kind::kFrame:
      print_frame();
      break;
    case FrameEvent::Kind::kProblem:
      output.report(event.problem);
      break;
    case FrameEvent::Kind::kEnd:
      output.input_done();
      break;
  }
}

}  // namespace winnow::mpi
