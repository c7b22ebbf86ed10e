// Pins host memory, so that devices read pictures from it directly.
//
//   std::vector<std::byte> ring(8 * 1920 * 1080);  // frames of a camera
//   winnow::PinnedMemory pinned(ring);             // once: pinning takes longer than searching a picture
//   winnow::GrayView frame{reinterpret_cast<const std::uint8_t*>(ring.data()), 1920, 1080, 1920};
//   detector.detect(frame);
//
// In:     memory that the caller owns.
// Out:    faster searches on a device. Pixels that are not pinned are first copied to pinned memory. The copy
//         takes a tenth to a fifth of the time of a single picture's search.
// Exact:  answers are the same with and without pinning.
// Memory: the memory stays the caller's, and must live longer than the `PinnedMemory`.
// Thread: any thread may pin memory; one object belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <winnow/export.h>

namespace winnow {

struct DeviceMemory;  // defined by a backend

// Pins memory for the life of the object. Throws kDevice if the system refuses.
// - Several objects may hold the same memory. The object that pinned the memory first must live longest. If
//   other code pinned the memory before, that code must keep it pinned while the objects live. If only a
//   piece of the memory is pinned already, the memory is refused.
// - A picture counts as pinned if one object holds all of its rows. Memory that other code pinned needs a
//   `PinnedMemory`, too. If one picture of a batch is not pinned, all pictures of the batch are copied.
// - If there is no device, the object does nothing.
// - `detect` reads pictures, pinned or not, only while it runs. After `enqueue`, pinned pictures and the
//   object must stay until `collect`.
class WINNOW_API PinnedMemory {
 public:
  PinnedMemory() = default;
  explicit PinnedMemory(std::span<const std::byte> memory);
  ~PinnedMemory();
  PinnedMemory(PinnedMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, {})),
        registered_(std::exchange(other.registered_, false)),
        device_(std::exchange(other.device_, nullptr)) {}
  PinnedMemory& operator=(PinnedMemory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(registered_, other.registered_);
    std::swap(device_, other.device_);
    return *this;
  }

  // False if nothing was pinned, because there is no device or the memory is empty.
  bool held() const { return !memory_.empty(); }

 private:
  std::span<const std::byte> memory_;
  bool registered_ = false;               // whether this object pinned the memory (it was not pinned before)
  const DeviceMemory* device_ = nullptr;  // the backend's functions, which unpin the memory
};

}  // namespace winnow
