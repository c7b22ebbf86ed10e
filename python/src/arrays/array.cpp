#include "arrays/array.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include <winnow/device_picture.h>
#include <winnow/error.h>

#include "values.h"

namespace winnow::python {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kUsage, sentence); }

void check_dimensions(int dimensions) {
  if (dimensions < 1 || dimensions > 4)
    refuse(std::string(kPictureForms) + ", and this array has " + std::to_string(dimensions) + " dimensions");
}

void refuse_type(const std::string& name) {
  if (name == "objects" || name == "text")
    refuse("a picture has elements of uint8, and this array has " + name +
           "; give list(array) if it holds pictures or paths");
  refuse("a picture has elements of uint8, and this array has " + name +
         "; scale it to 0...255 and convert it");
}

// The name of a type in the buffer protocol, for messages.
std::string format_name(const char* format, Py_ssize_t bytes) {
  switch (format[std::strlen(format) - 1]) {
    case '?':
      return "bool";
    case 'e':
    case 'f':
    case 'd':
    case 'g':
      return "float" + std::to_string(8 * bytes);
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
      return "int" + std::to_string(8 * bytes);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
      return "uint" + std::to_string(8 * bytes);
    case 'O':
      return "objects";
    case 's':
    case 'w':
      return "text";
    default:
      return std::string("elements of format '") + format + "'";
  }
}

std::string dtype_name(const nb::dlpack::dtype& type) {
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
    case nb::dlpack::dtype_code::Int:
      return "int" + std::to_string(type.bits);
    case nb::dlpack::dtype_code::UInt:
      return "uint" + std::to_string(type.bits);
    case nb::dlpack::dtype_code::Float:
      return "float" + std::to_string(type.bits);
    case nb::dlpack::dtype_code::Bool:
      return "bool";
    default:
      return "another type";
  }
}

}  // namespace

int picture_side(std::ptrdiff_t side) {
  constexpr std::ptrdiff_t kMost = 1 << 16;
  if (side > kMost) throw Error(ErrorCode::kLimit, "a picture's sides must not exceed 65536 pixels");
  return static_cast<int>(side);
}

Array::Array(nb::handle object, bool writable) {
  const bool buffer = PyObject_CheckBuffer(object.ptr()) != 0;
  if (buffer && take_buffer(object, writable)) return;
  // CuPy's arrays cannot give their buffer, but have DLPack.
  std::string why;
  if (buffer) why = nb::cast<std::string>(nb::str(nb::python_error().value()));
  if (nb::hasattr(object, "__dlpack__") && nb::hasattr(object, "__dlpack_device__") && !writable)
    take_dlpack(object);
  else if (nb::hasattr(object, "__cuda_array_interface__"))
    take_cuda_interface(object);
  else if (buffer)
    refuse("this array cannot be used: " + why);
  else if (!nb::hasattr(object, "__array_interface__") && !nb::hasattr(object, "__array__"))
    refuse(std::string(kPictureForms) + ", not of type " +
           nb::cast<std::string>(nb::str(object.type().attr("__name__"))));
  else if (!take_buffer(nb::module_::import_("numpy").attr("asarray")(object), writable))
    throw nb::python_error();
}

bool Array::take_buffer(nb::handle object, bool writable) {
  if (PyObject_GetBuffer(object.ptr(), &buffer_, writable ? PyBUF_RECORDS : PyBUF_RECORDS_RO) != 0)
    return false;
  held_ = true;
  try {
    check_dimensions(buffer_.ndim);
    const char* format = buffer_.format != nullptr ? buffer_.format : "B";
    if (buffer_.itemsize != 1 || std::strlen(format) != 1 || std::strchr("Bc", *format) == nullptr)
      refuse_type(format_name(format, buffer_.itemsize));
  } catch (...) {
    PyBuffer_Release(&buffer_);
    held_ = false;
    throw;
  }
  view_.data = static_cast<const std::byte*>(buffer_.buf);
  view_.dimensions = buffer_.ndim;
  for (int i = 0; i < buffer_.ndim; ++i) {
    view_.shape[i] = buffer_.shape[i];
    view_.stride[i] = buffer_.strides[i];
  }
  return true;
}

void Array::take_dlpack(nb::handle object) try {
  const auto place = nb::cast<std::pair<int, int>>(nb::tuple(object.attr("__dlpack_device__")()));
  view_.on_device = place.first == nb::device::cuda::value;
  view_.device = view_.on_device ? place.second : 0;
  if (!view_.on_device && place.first != nb::device::cpu::value &&
      place.first != nb::device::cuda_host::value)
    refuse("a picture lies in host memory or on a CUDA device, not on a device of DLPack's kind " +
           std::to_string(place.first));
  // Stream 1 of DLPack is CUDA's old default stream, in which Winnow's work begins. The array's owner makes
  // this stream wait for the work that writes the pixels.
  const nb::object capsule =
      view_.on_device ? object.attr("__dlpack__")(nb::arg("stream") = 1) : object.attr("__dlpack__")();
  nb::ndarray<nb::ro>& array = dlpack_;
  if (!nb::try_cast(capsule, array)) refuse("this array's DLPack capsule cannot be read");
  check_dimensions(static_cast<int>(array.ndim()));
  if (array.dtype() != nb::dtype<std::uint8_t>()) refuse_type(dtype_name(array.dtype()));
  view_.data = static_cast<const std::byte*>(array.data());
  view_.dimensions = static_cast<int>(array.ndim());
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    view_.shape[i] = static_cast<std::ptrdiff_t>(array.shape(i));
    view_.stride[i] = static_cast<std::ptrdiff_t>(array.stride(i));
  }
  owner_ = nb::borrow(object);
} catch (const nb::python_error& error) {
  refuse("this array cannot be used: " + nb::cast<std::string>(nb::str(error.value())));
}

void Array::take_cuda_interface(nb::handle object) {
  const nb::dict given = nb::cast<nb::dict>(object.attr("__cuda_array_interface__"));
  const auto get = [&](const char* key) { return given.contains(key) ? nb::object(given[key]) : nb::none(); };
  const auto type = nb::cast<std::string>(get("typestr"));
  if (type != "|u1") refuse_type("elements of type '" + type + "'");
  const nb::tuple shape = nb::cast<nb::tuple>(get("shape"));
  const int dimensions = static_cast<int>(nb::len(shape));
  check_dimensions(dimensions);
  view_.dimensions = dimensions;
  view_.on_device = true;
  std::ptrdiff_t packed = 1;
  const nb::object strides = get("strides");
  for (int i = dimensions - 1; i >= 0; --i) {
    view_.shape[i] = nb::cast<std::ptrdiff_t>(shape[i]);
    view_.stride[i] = strides.is_none() ? packed : nb::cast<std::ptrdiff_t>(nb::cast<nb::tuple>(strides)[i]);
    packed *= view_.shape[i];
  }
  const auto address = nb::cast<std::uintptr_t>(nb::cast<nb::tuple>(get("data"))[0]);
  view_.data = reinterpret_cast<const std::byte*>(address);
  // Stream 1 is CUDA's old default stream. Winnow's name for this stream is a null pointer.
  const nb::object stream = get("stream");
  const auto number = stream.is_none() ? 1 : nb::cast<std::uintptr_t>(stream);
  view_.stream = number == 1 ? nullptr : reinterpret_cast<void*>(number);
  if (packed > 0) view_.device = device_of(view_.data);
  owner_ = nb::borrow(object);
}

Array::Array(Array&& other) noexcept
    : view_(other.view_),
      buffer_(other.buffer_),
      held_(std::exchange(other.held_, false)),
      dlpack_(std::move(other.dlpack_)),
      owner_(std::move(other.owner_)) {
  // `shape` and `strides` of a small `Py_buffer` may point into that struct itself, so `view_` has copies of
  // both.
}

Array::~Array() {
  if (held_) PyBuffer_Release(&buffer_);
}

ColorArgument::ColorArgument(nb::handle object) : array(object, true) {
  const ArrayView& from = array.view();
  if (from.dimensions != 3 || from.shape[2] != 3 || from.on_device || from.stride[2] != 1 ||
      from.stride[1] != 3 || from.stride[0] < 3 * from.shape[1])
    refuse("drawing needs an array (height, width, 3) of uint8 in host memory whose pixels lie side by side");
  view = {reinterpret_cast<Rgb*>(const_cast<std::byte*>(from.data)), picture_side(from.shape[1]),
          picture_side(from.shape[0]), from.stride[0]};
}

Rgb parse_color(nb::handle from) {
  int channels[3];
  if (!whole_numbers(from, channels, 3)) throw nb::type_error("a colour is three whole numbers: (r, g, b)");
  for (const int channel : channels)
    if (channel < 0 || channel > 255) throw Error(ErrorCode::kUsage, "a colour's numbers are 0 to 255");
  return {static_cast<std::uint8_t>(channels[0]), static_cast<std::uint8_t>(channels[1]),
          static_cast<std::uint8_t>(channels[2])};
}

nb::object gray_array(GrayView view, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(
      view.data, {static_cast<std::size_t>(view.height), static_cast<std::size_t>(view.width)}, owner,
      {view.stride, 1}));
}

nb::object color_array(RgbView view, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(
      reinterpret_cast<const std::uint8_t*>(view.data),
      {static_cast<std::size_t>(view.height), static_cast<std::size_t>(view.width), 3}, owner,
      {view.stride, 3, 1}));
}

}  // namespace winnow::python
