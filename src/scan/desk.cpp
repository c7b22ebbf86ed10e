#include "scan/desk.h"

#include <algorithm>
#include <utility>

namespace winnow {

void Desk::set_frames(std::size_t frames) {
  const std::lock_guard lock(mutex_);
  limits_.frames = frames;
  room_.notify_one();
}

bool Desk::push(ScanEvent event, std::size_t most) {
  const bool frame = event.kind == FrameEvent::Kind::kFrame;
  const std::size_t bytes = event.bytes();
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] {
    if (over_ || entries_.empty()) return true;
    return entries_.size() < std::min(most, 2 * limits_.frames) && frames_ < limits_.frames &&
           bytes_ + bytes <= limits_.bytes;
  });
  if (over_) return false;
  entries_.push_back({std::move(event), frame ? Is::kWaiting : Is::kDone});
  if (!frame) {
    if (entries_.size() == 1) ready_.notify_all();
    return true;
  }
  ++frames_;
  bytes_ += bytes;
  ++waiting_;
  work_.notify_all();
  return true;
}

void Desk::end(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  failure_ = std::move(failure);
  work_.notify_all();
  ready_.notify_all();
}

void Desk::give(Entry& entry, std::vector<ScanEvent*>& frames) {
  --(entry.is == Is::kWaiting ? waiting_ : given_back_);
  ++taken_;
  entry.is = Is::kTaken;
  frames.push_back(&entry.event);
}

bool Desk::take_alike(std::size_t most, std::vector<ScanEvent*>& frames) {
  frames.clear();
  std::unique_lock lock(mutex_);
  work_.wait(lock, [&] { return over_ || waiting_ > 0 || ended_; });
  if (over_ || waiting_ == 0) return false;
  for (Entry& entry : entries_) {
    if (entry.is != Is::kWaiting) continue;
    if (!frames.empty()) {
      const Picture &a = entry.event.picture, &b = frames.front()->picture;
      if (a.gray.view().size() != b.gray.view().size() || a.color.empty() != b.color.empty()) continue;
    }
    give(entry, frames);
    if (frames.size() == most) break;
  }
  room_.notify_one();
  return true;
}

bool Desk::take(std::size_t most, bool newest, const Wanted& wanted, std::vector<ScanEvent*>& frames) {
  frames.clear();
  std::unique_lock lock(mutex_);
  work_.wait(lock, [&] { return !has_more() || given_back_ > 0 || (waiting_ > 0 && wanted(waiting_)); });
  if (!has_more()) return false;
  const Is kind = given_back_ > 0 ? Is::kGivenBack : Is::kWaiting;
  const auto from = [&](auto first, auto last) {
    for (; first != last && frames.size() < most; ++first)
      if (first->is == kind) give(*first, frames);
  };
  if (newest && kind == Is::kWaiting) {
    from(entries_.rbegin(), entries_.rend());
    std::reverse(frames.begin(), frames.end());
  } else {
    from(entries_.begin(), entries_.end());
  }
  room_.notify_one();
  return true;
}

Desk::Entry& Desk::entry_of(const ScanEvent* frame) {
  return *std::find_if(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return &entry.event == frame; });
}

void Desk::done(const std::vector<ScanEvent*>& frames) { done(frames, nullptr, nullptr); }

void Desk::done(const std::vector<ScanEvent*>& frames, const ScanEvent* frame, std::exception_ptr why) {
  const std::lock_guard lock(mutex_);
  for (ScanEvent* each : frames) {
    Entry& entry = entry_of(each);
    entry.is = Is::kDone;
    if (each == frame) entry.failure = why;
    --taken_;
  }
  if (is_decided()) ready_.notify_all();
  if (!has_more()) work_.notify_all();
}

void Desk::give_back(const std::vector<ScanEvent*>& frames, bool to_lanes) {
  const std::lock_guard lock(mutex_);
  for (ScanEvent* each : frames) {
    entry_of(each).is = to_lanes ? Is::kWaiting : Is::kGivenBack;
    --taken_;
    ++(to_lanes ? waiting_ : given_back_);
  }
  work_.notify_all();
}

void Desk::ask_again() {
  const std::lock_guard lock(mutex_);
  work_.notify_all();
}

bool Desk::pop(ScanEvent& event) {
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [&] { return is_decided(); });
  if (over_) return false;
  if (entries_.empty()) {
    if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
    return false;
  }
  Entry& first = entries_.front();
  if (first.failure != nullptr) {
    over_ = true;
    work_.notify_all();
    room_.notify_all();
    std::rethrow_exception(first.failure);
  }
  if (first.event.kind == FrameEvent::Kind::kFrame) {
    --frames_;
    bytes_ -= first.event.bytes();
  }
  event = std::move(first.event);
  entries_.pop_front();
  room_.notify_one();
  return true;
}

bool Desk::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return ready_.wait_for(lock, time, [&] { return is_decided(); });
}

void Desk::stop() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  room_.notify_all();
  work_.notify_all();
  ready_.notify_all();
}

void Desk::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

}  // namespace winnow
