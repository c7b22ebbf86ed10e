// Takes pictures from Python: any array of uint8 in host memory, or one that lies on a device.
//
// In:     objects with the buffer protocol (NumPy, memoryview), DLPack (PyTorch, CuPy, JAX),
//         `__cuda_array_interface__` (Numba) or NumPy's `__array__` (Pillow); or a `Picture`.
// Out:    a `PictureArgument`. It throws `Error` with one sentence for another type or shape, for no pixels,
//         and for colour without the name of its order.
// Exact:  colour becomes grey by the formula of `Picture::gray`, whatever the order of its channels.
// Memory: grey rows are not copied if their pixels lie side by side. Everything else is copied once.
// Thread: made and destroyed under Python's lock; `host` needs no lock.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <winnow/device_picture.h>
#include <winnow/image.h>

#include "bind.h"

namespace winnow::python {

enum class Channels { kNone, kRgb, kBgr };
// "rgb" or "bgr", or none.
Channels parse_channels(const std::optional<std::string>& word);

// An array of up to four dimensions, wherever it lies. Strides are in bytes.
struct ArrayView {
  const std::byte* data = nullptr;
  int dimensions = 0;
  std::ptrdiff_t shape[4]{}, stride[4]{};
  bool on_device = false;
  int device = 0;
  void* stream = nullptr;
};

// Keeps an array of uint8 alive. Throws `Error` if the object is no such array.
class Array {
 public:
  explicit Array(nb::handle object, bool writable = false);
  ~Array();
  Array(Array&& other) noexcept;
  Array& operator=(Array&&) = delete;
  const ArrayView& view() const { return view_; }

 private:
  // False, with Python's error set, if the object gives no buffer.
  bool take_buffer(nb::handle object, bool writable);
  void take_dlpack(nb::handle object);
  void take_cuda_interface(nb::handle object);

  ArrayView view_;
  Py_buffer buffer_{};
  bool held_ = false;  // whether `buffer_` must be given back
  nb::ndarray<nb::ro> dlpack_;
  nb::object owner_;
};

class PictureArgument {
 public:
  PictureArgument(nb::handle object, Channels channels);

  bool on_device() const { return array_ && array_->view().on_device; }
  // For a picture on a device. Its `stream` is the one that the array's owner named.
  DevicePicture device() const;
  // For a picture in host memory. The first call copies what must be copied.
  const PictureView& host();

 private:
  PictureView view_;
  std::optional<Array> array_;
  Channels channels_ = Channels::kNone;
  nb::object picture_;  // the `Picture` that `view_` looks into
  GrayImage gray_;
  RgbImage color_;
};

// A colour picture that may be drawn into: (height, width, 3), its rows packed.
struct ColorArgument {
  explicit ColorArgument(nb::handle object);
  Array array;
  ImageView<Rgb> view;
};

// The pixels as a NumPy array that keeps `owner` alive; read-only.
nb::object gray_array(GrayView view, nb::handle owner);
nb::object color_array(RgbView view, nb::handle owner);

// An image moved into Python: a NumPy array that owns it and may be written to.
template <class Pixel>
nb::object owned_array(Image<Pixel> image) {
  auto* const kept = new Image<Pixel>(std::move(image));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<Image<Pixel>*>(pointer); });
  auto* const pixels = reinterpret_cast<std::uint8_t*>(kept->row(0));
  const auto height = static_cast<std::size_t>(kept->height()),
             width = static_cast<std::size_t>(kept->width());
  if constexpr (sizeof(Pixel) == 1)
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(pixels, {height, width}, owner));
  else
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(pixels, {height, width, sizeof(Pixel)}, owner));
}

}  // namespace winnow::python
