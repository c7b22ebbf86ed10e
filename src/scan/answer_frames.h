// Answers the frames of a batch with a `ScanWork`, and finds the frames that fail.
//
// In:     a work and frames.
// Out:    each frame has its answer or a `problem` without the input's name, and its seconds. If frames end
//         the scan, the first of them and its exception.
// Exact:  if the work fails for the whole batch, each frame is answered alone.
// Memory: frames belong to the caller.
// Thread: one thread at a time for a work.
#pragma once

#include <exception>
#include <span>
#include <string>

#include <winnow/error.h>
#include <winnow/scan.h>

namespace winnow {

// Returns an empty answer that keeps the memory of `used`.
Detections emptied(Detections used);
// Takes back what a work that failed has written, so that the frame can be answered anew.
void take_back(ScanEvent& frame);

// Runs `work`. Returns the reason if a frame cannot be answered, else "". Exceptions that end a scan pass
// through.
template <class Work>
std::string problem_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kUsage || error.code() == ErrorCode::kBackend) throw;
    return error.what();
  } catch (const std::bad_alloc&) {
    return "there is not enough memory to search it";
  }
  return {};
}

struct EndedBy {
  ScanEvent* frame = nullptr;  // null if no frame ends the scan
  std::exception_ptr why;
};

EndedBy answer_frames(ScanWork& work, std::span<ScanEvent* const> frames);

}  // namespace winnow
