// Makes inputs of items that arrive, for a scan on another thread.
//
// In:     items in the order in which rank 0 dealt them.
// Out:    an input for each picture, and for each row of frames.
// Exact:  inputs and frames keep their order.
// Memory: items wait here until the scan takes them.
// Thread: one thread adds; the reader's threads take.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

#include <winnow/feed.h>

#include "cluster/messages.h"

namespace winnow {

class ArrivingInputs {
 public:
  ArrivingInputs();
  // kFormat for frames that no input begins.
  void add(Item item);
  // No more items come.
  void end();
  // The source for the scan. It may outlive this object.
  std::unique_ptr<InputSource> source() const;

 private:
  struct Shared;
  struct Row;
  class Source;
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Row> row_;  // the row of frames that is not ended yet
};

}  // namespace winnow
