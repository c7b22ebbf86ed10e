// Binds the class that pins the memory of an array.
#include <winnow/pinned.h>

#include <memory>

#include <winnow/error.h>

#include "arrays/array.h"
#include "constructor.h"
#include "typed.h"

namespace winnow::python {
namespace {

// Pins the memory of an array, and keeps the array alive.
struct PinnedArray {
  Array array;
  PinnedMemory memory;

  explicit PinnedArray(nb::handle object) : array(object), memory(whole(array.view())) {}

  static std::span<const std::byte> whole(const ArrayView& view) {
    std::ptrdiff_t packed = 1;
    for (int i = view.dimensions - 1; i >= 0; --i) {
      if (view.on_device || (view.shape[i] > 1 && view.stride[i] != packed))
        throw Error(ErrorCode::kUsage, "only an array in host memory without gaps can be pinned");
      packed *= view.shape[i];
    }
    return {view.data, static_cast<std::size_t>(packed)};
  }
};

}  // namespace

void bind_pinned(nb::module_& module) {
  nb::class_<PinnedArray> shown(
      module, "PinnedMemory",
      "Pins the memory of an array of uint8 as long as this object lives. Devices then read pictures\n"
      "from the array without a copy on the host. Slices of the array count as pinned, too. Without a\n"
      "device nothing is pinned.\n\n"
      ">>> frames = np.zeros((8, 480, 640), np.uint8)\n"
      ">>> pinned = winnow.PinnedMemory(frames)");
  def_constructor(
      shown, +[](PinnedArray* self, const ByteArray& array) { new (self) PinnedArray(array.object); },
      nb::arg("array"));
  shown.def_prop_ro(
      "held", [](const PinnedArray& pinned) { return pinned.memory.held(); },
      "Whether memory is pinned: False without a device, and for an empty array.");
}

}  // namespace winnow::python
