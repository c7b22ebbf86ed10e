// Takes arrays of uint8 from Python, in host memory or on a device, and gives arrays to Python.
//
// In:     objects with the buffer protocol (NumPy, memoryview), DLPack (PyTorch, CuPy, JAX),
//         `__cuda_array_interface__` (Numba) or NumPy's `__array__` (Pillow).
// Out:    an `Array`. Its constructor throws `Error` with one sentence for another type.
// Memory: an array is not copied. The `Array` keeps the array alive.
// Thread: an `Array` is made and destroyed under Python's lock; `view` needs no lock.
#pragma once

#include <cstddef>
#include <utility>

#include <winnow/image.h>

#include "bind.h"

namespace winnow::python {

inline constexpr const char* kPictureForms =
    "a picture is an array (height, width) of grey, or (height, width, 3) of colour";

// The protocols to try, in this order, for arrays that do not give a buffer.
inline constexpr const char* kArrayProtocols[] = {"__dlpack__", "__cuda_array_interface__",
                                                  "__array_interface__", "__array__"};

// Converts a picture's side to int. kLimit for more than 65,536 pixels.
int picture_side(std::ptrdiff_t side);

// An array of up to four dimensions, in host memory or on a device. Strides are in bytes.
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
  // Returns false, with Python's error set, if the object gives no buffer.
  bool take_buffer(nb::handle object, bool writable);
  void take_dlpack(nb::handle object);
  void take_cuda_interface(nb::handle object);

  ArrayView view_;
  Py_buffer buffer_{};
  bool held_ = false;  // whether `buffer_` must be released
  nb::ndarray<nb::ro> dlpack_;
  nb::object owner_;
};

// An array (height, width, 3) of uint8 to draw into. The pixels of a row lie side by side.
struct ColorArgument {
  explicit ColorArgument(nb::handle object);
  Array array;
  ImageView<Rgb> view;
};

// Converts a sequence of three whole numbers to a colour: red, green, blue. kUsage for a number that is not
// from 0 to 255.
Rgb parse_color(nb::handle from);

// The pixels as a NumPy array that keeps `owner` alive; read-only.
nb::object gray_array(GrayView view, nb::handle owner);
nb::object color_array(RgbView view, nb::handle owner);

// Moves an image into Python: a NumPy array that owns the pixels and may be written to.
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
