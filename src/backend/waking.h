// Makes an object on a thread of its own, after a device has started, while the caller goes on.
//
// In:     two functions: one starts the device, the other makes the object.
// Out:    the object, once it is made; or why it was not made.
// Memory: owns the object. If a `Waking` ends while the device starts, nobody waits for the start: the thread
//         goes on alone, keeps the two functions until then, and makes nothing.
// Thread: one thread at a time, besides the thread of the functions.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include <winnow/error.h>

namespace winnow {

// The sentence about why a device does not help.
inline std::string words_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.sentence();
  } catch (const std::bad_alloc&) {
    return "there is not enough memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

template <class Object>
class Waking {
 public:
  using Make = std::function<std::unique_ptr<Object>()>;

  Waking(std::function<void()> wake, Make make) : shared_(std::make_shared<Shared>()) {
    thread_ = std::thread([shared = shared_, wake = std::move(wake), make = std::move(make)] {
      try {
        wake();
        const std::lock_guard lock(shared->mutex);
        if (shared->over) return;
        shared->made = make();
        shared->done = true;
      } catch (...) {
        const std::lock_guard lock(shared->mutex);
        shared->failure = std::current_exception();
        shared->done = true;
      }
    });
  }
  // Waits if the object is being made.
  ~Waking() {
    bool done = false;
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->over = true;
      done = shared_->done;
    }
    if (done) {
      thread_.join();
    } else {
      thread_.detach();
    }
  }
  Waking(const Waking&) = delete;
  Waking& operator=(const Waking&) = delete;

  // Whether the thread has made the object or has failed.
  bool is_done() const { return shared_->done; }
  // The object; null until it is made. Throws why it was not made.
  Object* get() const {
    if (!shared_->done) return nullptr;
    if (shared_->failure != nullptr) std::rethrow_exception(shared_->failure);
    return shared_->made.get();
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::atomic<bool> done = false;
    bool over = false;
    std::unique_ptr<Object> made;
    std::exception_ptr failure;
  };
  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace winnow
