#include "array.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include <winnow/error.h>

namespace winnow::python {
namespace {

constexpr const char* kForms =
    "a picture is an array (height, width) of grey, or (height, width, 3) of colour";

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kUsage, sentence); }

std::string name_of_type(nb::handle object) {
  return nb::cast<std::string>(nb::str(object.type().attr("__name__")));
}

std::string shape_text(const ArrayView& view) {
  std::string text = "(";
  for (int i = 0; i < view.dimensions; ++i) text += (i > 0 ? ", " : "") + std::to_string(view.shape[i]);
  return text + (view.dimensions == 1 ? ",)" : ")");
}

void check_dimensions(int dimensions) {
  if (dimensions < 1 || dimensions > 4)
    refuse(std::string(kForms) + ", and this array has " + std::to_string(dimensions) + " dimensions");
}

void refuse_type(const std::string& name) {
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

int number(std::ptrdiff_t side) {
  constexpr std::ptrdiff_t kMost = 1 << 16;
  if (side > kMost) throw Error(ErrorCode::kLimit, "a picture's sides must not exceed 65536 pixels");
  return static_cast<int>(side);
}

}  // namespace

Channels parse_channels(const std::optional<std::string>& word) {
  if (!word) return Channels::kNone;
  if (*word == "rgb") return Channels::kRgb;
  if (*word == "bgr") return Channels::kBgr;
  refuse("channels are 'rgb' or 'bgr', not '" + *word + "'");
}

Array::Array(nb::handle object, bool writable) {
  const bool buffer = PyObject_CheckBuffer(object.ptr()) != 0;
  if (buffer && take_buffer(object, writable)) return;
  // CuPy's arrays have a buffer that cannot be had, and DLPack.
  std::string why;
  if (buffer) why = nb::cast<std::string>(nb::str(nb::python_error().value()));
  if (nb::hasattr(object, "__dlpack__") && nb::hasattr(object, "__dlpack_device__") && !writable)
    take_dlpack(object);
  else if (nb::hasattr(object, "__cuda_array_interface__"))
    take_cuda_interface(object);
  else if (buffer)
    refuse("this array cannot be used: " + why);
  else if (!nb::hasattr(object, "__array_interface__") && !nb::hasattr(object, "__array__"))
    refuse(std::string(kForms) + ", not of type " + name_of_type(object));
  else {
    // Pillow's other modes are numbers of a palette, or colours of another kind.
    if (nb::hasattr(object, "mode") && nb::hasattr(object, "getbands")) {
      const auto mode = nb::cast<std::string>(nb::str(object.attr("mode")));
      if (mode != "L" && mode != "RGB")
        refuse("an image of mode " + mode +
               " is no picture yet: give image.convert('L') or image.convert('RGB')");
    }
    if (!take_buffer(nb::module_::import_("numpy").attr("asarray")(object), writable))
      throw nb::python_error();
  }
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
  // 1 is the old default stream, in which Winnow takes over: what wrote the pixels comes before it.
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
  // 1 is the old default stream, as a null stream is.
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
  // `shape` and `strides` of a small buffer may point into the struct itself; `view_` has copies of both.
}

Array::~Array() {
  if (held_) PyBuffer_Release(&buffer_);
}

PictureArgument::PictureArgument(nb::handle object, Channels channels) : channels_(channels) {
  const Picture* picture = nullptr;
  if (nb::try_cast(object, picture) && picture != nullptr) {
    picture_ = nb::borrow(object);
    view_ = picture->view();
    if (view_.empty()) refuse("the picture has no pixels");
    return;
  }
  array_.emplace(object);
  const ArrayView& view = array_->view();
  const bool color = view.dimensions == 3 && view.shape[2] == 3;
  const bool gray = view.dimensions == 2 || (view.dimensions == 3 && view.shape[2] == 1);
  const auto empty = [&] {
    return std::any_of(view.shape, view.shape + view.dimensions, [](auto n) { return n == 0; });
  };
  if (empty()) refuse("the picture has no pixels: its shape is " + shape_text(view));
  if (view.dimensions == 3 && view.shape[2] == 4)
    refuse("the picture has 4 channels; give picture[..., :3] and say channels='rgb' or channels='bgr'");
  if (!gray && !color) {
    const bool planes = view.dimensions == 3 && (view.shape[0] == 3 || view.shape[0] == 1);
    refuse(std::string(kForms) + ", and this one is " + shape_text(view) +
           (planes ? "; move its first axis to the end" : "; a batch is a list of pictures"));
  }
  if (color && view.on_device)
    refuse("a picture on a device must be grey; make it grey there, or bring it to the host");
  if (color && channels == Channels::kNone)
    refuse("the picture has 3 channels; say channels='rgb' or channels='bgr'");
  number(view.shape[0]), number(view.shape[1]);
  if (view.on_device && (view.stride[1] != 1 || view.stride[0] < view.shape[1]))
    refuse("the pixels of a row on a device must lie side by side");
}

DevicePicture PictureArgument::device() const {
  const ArrayView& view = array_->view();
  return {reinterpret_cast<const std::uint8_t*>(view.data),
          number(view.shape[1]),
          number(view.shape[0]),
          view.stride[0],
          view.device,
          view.stream};
}

const PictureView& PictureArgument::host() {
  if (!view_.empty()) return view_;
  const ArrayView& from = array_->view();
  const int height = number(from.shape[0]), width = number(from.shape[1]);
  const auto* pixels = reinterpret_cast<const std::uint8_t*>(from.data);
  const std::ptrdiff_t down = from.stride[0], right = from.stride[1];
  if (from.dimensions == 2 || from.shape[2] == 1) {
    if ((right == 1 || width == 1) && (down >= width || height == 1)) {
      view_.gray = {pixels, width, height, height == 1 ? width : down};
      return view_;
    }
    gray_ = GrayImage(width, height);
    for (int y = 0; y < height; ++y) {
      const std::uint8_t* at = pixels + y * down;
      std::uint8_t* to = gray_.row(y);
      for (int x = 0; x < width; ++x, at += right) to[x] = *at;
    }
    view_.gray = std::as_const(gray_).view();
    return view_;
  }
  const std::ptrdiff_t deep = from.stride[2];
  if (channels_ == Channels::kRgb && deep == 1 && right == 3 && down >= 3 * width) {
    view_.color = {reinterpret_cast<const Rgb*>(pixels), width, height, down};
  } else {
    if (channels_ == Channels::kBgr && deep == 1 && right == 3) {
      color_ = from_bgr(pixels, {width, height}, down);
    } else {
      color_ = RgbImage(width, height);
      const std::ptrdiff_t red = channels_ == Channels::kRgb ? 0 : 2 * deep, blue = 2 * deep - red;
      for (int y = 0; y < height; ++y) {
        const std::uint8_t* at = pixels + y * down;
        Rgb* to = color_.row(y);
        for (int x = 0; x < width; ++x, at += right) to[x] = {at[red], at[deep], at[blue]};
      }
    }
    view_.color = std::as_const(color_).view();
  }
  gray_ = to_gray(view_.color);
  view_.gray = std::as_const(gray_).view();
  return view_;
}

ColorArgument::ColorArgument(nb::handle object) : array(object, true) {
  const ArrayView& from = array.view();
  if (from.dimensions != 3 || from.shape[2] != 3 || from.on_device || from.stride[2] != 1 ||
      from.stride[1] != 3 || from.stride[0] < 3 * from.shape[1])
    refuse("drawing needs an array (height, width, 3) of uint8 in host memory whose pixels lie side by side");
  view = {reinterpret_cast<Rgb*>(const_cast<std::byte*>(from.data)), number(from.shape[1]),
          number(from.shape[0]), from.stride[0]};
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
