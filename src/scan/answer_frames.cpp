#include "scan/answer_frames.h"

#include <chrono>
#include <utility>

namespace winnow {
namespace {

EndedBy answer_alone(ScanWork& work, ScanEvent& event) {
  ScanEvent* const one = &event;
  try {
    const std::string problem = problem_of([&] { work.answer({&one, 1}); });
    if (!problem.empty()) event.problem = problem;
  } catch (...) {
    return {&event, std::current_exception()};
  }
  return {};
}

EndedBy answer_each(ScanWork& work, std::span<ScanEvent* const> frames) {
  for (ScanEvent* event : frames) {
    take_back(*event);
    if (const EndedBy ended = answer_alone(work, *event); ended.frame != nullptr) return ended;
  }
  return {};
}

EndedBy answer_all(ScanWork& work, std::span<ScanEvent* const> frames) {
  if (frames.size() == 1) return answer_alone(work, *frames.front());
  try {
    work.answer(frames);
  } catch (...) {
    return answer_each(work, frames);
  }
  return {};
}

}  // namespace

Detections emptied(Detections used) {
  used.objects.clear();
  used.counters.reached.clear();
  Detections empty;
  empty.objects = std::move(used.objects);
  empty.counters.reached = std::move(used.counters.reached);
  return empty;
}

void take_back(ScanEvent& frame) {
  frame.found = emptied(std::move(frame.found));
  frame.answer.reset();
  frame.problem.clear();
}

EndedBy answer_frames(ScanWork& work, std::span<ScanEvent* const> frames) {
  const auto start = std::chrono::steady_clock::now();
  const EndedBy ended = answer_all(work, frames);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  for (ScanEvent* event : frames) event->seconds = spent.count() / static_cast<double>(frames.size());
  return ended;
}

}  // namespace winnow
