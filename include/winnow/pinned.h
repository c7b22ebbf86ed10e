// Memory of the host that devices fetch pictures from as they lie there. Of others a detector on a device
// makes a copy first, to where its device can fetch it: a tenth to a fifth of the time that a single picture
// takes. Answers are the same.
//
//   std::vector<std::byte> ring(8 * 1920 * 1080);  // frames of a camera
//   winnow::PinnedMemory pinned(ring);             // once: it takes longer than a picture does
//   winnow::GrayView frame{reinterpret_cast<const std::uint8_t*>(ring.data()), 1920, 1080, 1920};
//   detector.detect(frame);
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <winnow/export.h>

namespace winnow {

// Pins memory that somebody else owns, for as long as this lives; the memory must live longer, and so must
// another of these that holds the same memory, or whoever else had pinned it before. Where there is no device
// it does nothing. What the system will not pin: kDevice. `detect` reads pinned pictures while it
// runs and not after, as it does others.
class WINNOW_API PinnedMemory {
 public:
  PinnedMemory() = default;
  explicit PinnedMemory(std::span<const std::byte> memory);
  ~PinnedMemory();
  PinnedMemory(PinnedMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, {})), registered_(std::exchange(other.registered_, false)) {}
  PinnedMemory& operator=(PinnedMemory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(registered_, other.registered_);
    return *this;
  }

  // False where nothing was done: there is no device, or no memory.
  bool held() const { return !memory_.empty(); }

 private:
  std::span<const std::byte> memory_;
  bool registered_ = false;  // by this, not by somebody before
};

}  // namespace winnow
