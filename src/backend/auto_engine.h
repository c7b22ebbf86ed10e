// Lets a session with `auto` begin on one backend, and use a device once it is awake.
//
// An engine is what a session has for one backend. The first engine does all calls until the calls have taken
// so long that a device pays for its start. The device then starts on a thread of its own. Once its engine is
// made, each call goes to the engine that was faster for calls of its size.
//
// In:     the first engine, and how a device starts and its engine is made; calls with their number of items.
// Out:    each call is done by one engine. `note` says why a device does not help.
// Exact:  the engines give the same answers, so the choice changes none.
// Memory: owns the engines.
// Thread: one thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "backend/auto_backends.h"
#include "backend/waking.h"

namespace winnow {

template <class Engine>
class AutoEngine {
 public:
  using Make = std::function<std::unique_ptr<Engine>()>;

  // `start`: how the device starts; null if there is none, and the first engine does all calls.
  AutoEngine(std::unique_ptr<Engine> first, const DeviceStart* start = nullptr, std::vector<int> devices = {},
             Make make_later = {})
      : first_(std::move(first)),
        start_(start),
        devices_(std::move(devices)),
        make_later_(std::move(make_later)) {}

  Engine& first() { return *first_; }
  const Engine& first() const { return *first_; }
  void replace_first(std::unique_ptr<Engine> first) { first_ = std::move(first); }
  // Whether a device helps, or may help later.
  bool may_have_device() const { return start_ != nullptr; }
  const std::string& note() const { return note_; }

  // Does a call. `items`: how many pictures or boxes it has. `left`: how many more items like these are known
  // to follow. If the device fails, the first engine does the call anew. Other errors pass through.
  template <class Call>
  void run(std::size_t items, std::size_t left, Call call) {
    if (Engine* device = awake(); device != nullptr && prefers_device(items)) {
      try {
        timed(kDevice, items, [&] { call(*device); });
        return;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kDevice && error.code() != ErrorCode::kBackend) throw;
        leave(error.sentence());
      }
    }
    const double spent = timed(kFirst, items, [&] { call(*first_); });
    worked_ += spent;
    if (start_ == nullptr || waking_ != nullptr) return;
    const double expected = items > 0 ? spent / static_cast<double>(items) * static_cast<double>(left) : 0;
    if (std::max(worked_, expected) > kWorthStarts * start_->seconds) wake();
  }

  // Does a further part of a call, with the engine that did the call. If the device fails, the first engine
  // does the part.
  template <class Part>
  void with(const Engine* engine, Part part) {
    if (Engine* device = awake(); device != nullptr && device == engine) {
      try {
        return part(*device);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kDevice && error.code() != ErrorCode::kBackend) throw;
        leave(error.sentence());
      }
    }
    part(*first_);
  }

  // The device's engine; null while it is not awake.
  Engine* awake() {
    if (waking_ == nullptr) return nullptr;
    try {
      return waking_->get();
    } catch (...) {
      leave(words_of(std::current_exception()));
      return nullptr;
    }
  }
  // Ends the use of the device. `why` becomes the note.
  void leave(const std::string& why) {
    note_ = why;
    start_ = nullptr;
    waking_.reset();
  }
  // Whether a device is starting.
  bool is_waking() const { return waking_ != nullptr && !waking_->is_done(); }
  // Starts the device, and waits until its engine is made. Throws if there is no device, or if it fails.
  Engine& wake_now() {
    if (start_ == nullptr) throw Error(ErrorCode::kBackend, note_.empty() ? "there is no device" : note_);
    if (waking_ == nullptr) wake();
    while (is_waking()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (Engine* engine = awake()) return *engine;
    throw Error(ErrorCode::kBackend, note_);
  }

 private:
  static constexpr std::size_t kFirst = 0, kDevice = 1, kSizes = 16;
  // The first calls of a device plan and allocate, so they do not count.
  static constexpr int kTries = 3;
  struct Speed {
    int calls = 0;
    double least = 0;  // the least seconds for an item of the calls that count
  };
  static std::size_t size_class(std::size_t items) {
    return std::min(static_cast<std::size_t>(std::bit_width(items)), kSizes - 1);
  }

  template <class Call>
  double timed(std::size_t engine, std::size_t items, Call call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    Speed& speed = speeds_[engine][size_class(items)];
    const double each = spent / static_cast<double>(std::max<std::size_t>(items, 1));
    speed.least = speed.calls == 0 ? each : std::min(speed.least, each);
    ++speed.calls;
    return spent;
  }
  // The least seconds for an item of the first engine, in calls of this size, or else of any size.
  double first_speed(std::size_t at) const {
    if (speeds_[kFirst][at].calls > 0) return speeds_[kFirst][at].least;
    double least = 0;
    for (const Speed& speed : speeds_[kFirst])
      if (speed.calls > 0) least = least > 0 ? std::min(least, speed.least) : speed.least;
    return least;
  }
  bool prefers_device(std::size_t items) const {
    const std::size_t at = size_class(items);
    const Speed& device = speeds_[kDevice][at];
    return device.calls < kTries || device.least <= first_speed(at);
  }
  void wake() {
    try {
      waking_ = std::make_unique<Waking<Engine>>(
          [start = start_, devices = devices_] {
            for (const int device : devices) start->wake(device);
          },
          make_later_);
    } catch (const std::system_error&) {
      leave("the system has no thread for a device's start");
    }
  }
  std::unique_ptr<Engine> first_;
  const DeviceStart* start_;  // null: there is no device, or it failed
  std::vector<int> devices_;
  Make make_later_;
  std::unique_ptr<Waking<Engine>> waking_;
  std::string note_;
  double worked_ = 0;  // seconds of the first engine
  std::array<std::array<Speed, kSizes>, 2> speeds_{};
};

}  // namespace winnow
