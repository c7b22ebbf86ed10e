#include "arrays/picture_argument.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <winnow/error.h>

#include "values.h"

namespace winnow::python {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kUsage, sentence); }

std::string shape_text(const ArrayView& view) {
  std::string text = "(";
  for (int i = 0; i < view.dimensions; ++i) text += (i > 0 ? ", " : "") + std::to_string(view.shape[i]);
  return text + (view.dimensions == 1 ? ",)" : ")");
}

bool is_pillow(nb::handle object) { return nb::hasattr(object, "getbands") && nb::hasattr(object, "mode"); }

bool is_array(nb::handle object) {
  return std::any_of(std::begin(kArrayProtocols), std::end(kArrayProtocols),
                     [&](const char* name) { return nb::hasattr(object, name); });
}

// Whether an array holds pictures along its first axis.
bool is_stack(const ArrayView& view) {
  const auto last = view.shape[view.dimensions - 1];
  return view.dimensions == 4 || (view.dimensions == 3 && last != 1 && last != 3 && last != 4);
}

}  // namespace

Channels parse_channels(const std::optional<ChannelsWord>& word) {
  if (!word) return Channels::kNone;
  if (word->text == "rgb") return Channels::kRgb;
  if (word->text == "bgr") return Channels::kBgr;
  refuse("channels are 'rgb' or 'bgr', not '" + word->text + "'");
}

PictureArgument::PictureArgument(nb::handle object, const PictureRules& rules, bool or_many) : rules_(rules) {
  const Picture* picture = nullptr;
  Path path;
  if (object.is_none()) {
    refuse("there is no picture, but None; cv2.imread gives None for a file that it cannot read");
  } else if (nb::try_cast(object, picture) && picture != nullptr) {
    owner_ = nb::borrow(object);
    view_ = picture->view();
    if (view_.empty()) refuse("the picture has no pixels");
  } else if (PyUnicode_Check(object.ptr()) ||
             (PyObject_CheckBuffer(object.ptr()) == 0 && nb::hasattr(object, "__fspath__"))) {
    if (!nb::try_cast(object, path)) refuse("this path cannot be used: it has a zero character");
    path_ = std::move(path.text);
    if (path_.empty()) refuse("the path of the picture is empty");
  } else if (PyBytes_Check(object.ptr()) || PyByteArray_Check(object.ptr())) {
    take_file(object);
  } else if (PyObject_CheckBuffer(object.ptr()) != 0) {
    take_array(object, or_many);
  } else if (is_pillow(object)) {
    take_pillow(object);
  } else if (is_array(object)) {
    take_array(object, or_many);
  } else if (nb::hasattr(object, "read") && nb::hasattr(object, "readable")) {
    const nb::object bytes = object.attr("read")();
    if (!PyBytes_Check(bytes.ptr())) refuse("a file of a picture must be open for bytes: open(path, 'rb')");
    take_file(bytes);
  } else if (or_many && nb::hasattr(object, "__iter__")) {
    many_ = nb::borrow(object);
  } else {
    take_array(object, or_many);  // throws an error that says what a picture is
  }
}

void PictureArgument::take_file(nb::handle object) {
  // A copy, because the bytes of a bytearray may move while Python's lock is free.
  const nb::object bytes = nb::steal(PyBytes_FromObject(object.ptr()));
  if (!bytes.is_valid()) throw nb::python_error();
  owner_ = bytes;
  file_ = {reinterpret_cast<const std::byte*>(PyBytes_AsString(bytes.ptr())),
           static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
  if (file_.empty()) refuse("the bytes of the picture's file are empty");
}

void PictureArgument::take_array(nb::handle object, bool or_many) {
  array_.emplace(object);
  const ArrayView& view = array_->view();
  const bool stack = is_stack(view);
  if (stack && or_many && (view.dimensions == 4 || rules_.channels == Channels::kNone)) {
    // Python can iterate over NumPy's arrays, but not over a memoryview of several dimensions.
    const bool plain = PyMemoryView_Check(object.ptr()) != 0;
    many_ = plain ? nb::module_::import_("numpy").attr("asarray")(object) : nb::borrow(object);
    array_.reset();
    return;
  }
  const bool color = view.dimensions == 3 && view.shape[2] == 3;
  const bool gray = view.dimensions == 2 || (view.dimensions == 3 && view.shape[2] == 1);
  if (std::any_of(view.shape, view.shape + view.dimensions, [](auto n) { return n == 0; }))
    refuse("the picture has no pixels: its shape is " + shape_text(view));
  if (view.dimensions == 3 && view.shape[2] == 4)
    refuse("the picture has 4 channels; give picture[..., :3] and say channels='rgb' or channels='bgr'");
  if (!gray && !color) {
    const bool planes = view.dimensions == 3 && (view.shape[0] == 3 || view.shape[0] == 1);
    refuse(std::string(kPictureForms) + ", and this one is " + shape_text(view) +
           (planes ? "; move its first axis to the end" : "; a batch is a list of pictures"));
  }
  if (color && view.on_device)
    refuse("a picture on a device must be grey; make it grey there, or bring it to the host");
  if (color && rules_.channels == Channels::kNone)
    refuse("the picture has 3 channels; say channels='rgb' or channels='bgr'");
  picture_side(view.shape[0]), picture_side(view.shape[1]);
  if (view.on_device && (view.stride[1] != 1 || view.stride[0] < view.shape[1]))
    refuse("the pixels of a row on a device must lie side by side");
}

// Takes a Pillow image: grey stays grey, and all other modes become RGB, as for files of the same modes.
void PictureArgument::take_pillow(nb::handle object) {
  const auto mode = nb::cast<std::string>(nb::str(object.attr("mode")));
  const auto is_any = [&](std::initializer_list<std::string_view> modes) {
    return std::find(modes.begin(), modes.end(), mode) != modes.end();
  };
  nb::object image = nb::borrow(object);
  if (is_any({"1", "LA"}))
    image = image.attr("convert")("L");
  else if (is_any({"P", "PA", "RGBA", "RGBX", "CMYK", "YCbCr", "HSV"}))
    image = image.attr("convert")("RGB");
  else if (mode == "La")
    image = image.attr("convert")("LA").attr("convert")("L");
  else if (mode == "RGBa")
    image = image.attr("convert")("RGBA").attr("convert")("RGB");
  else if (mode.rfind("I;16", 0) == 0)  // the high byte, as the reader of files gives it
    image =
        nb::module_::import_("numpy").attr("asarray")(image).attr("__rshift__")(8).attr("astype")("uint8");
  else if (!is_any({"L", "RGB"}))
    refuse("an image of mode " + mode +
           " has no known range; scale it to 0...255, and give image.convert('L') or image.convert('RGB')");
  rules_.channels = Channels::kRgb;
  take_array(image, false);
}

Size PictureArgument::size() const {
  if (!array_) return view_.gray.size();
  return {picture_side(array_->view().shape[1]), picture_side(array_->view().shape[0])};
}

void PictureArgument::refuse_device() const {
  if (on_device()) refuse("the picture lies on a device; bring it to the host first");
}

DevicePicture PictureArgument::device() const {
  const ArrayView& view = array_->view();
  return {reinterpret_cast<const std::uint8_t*>(view.data),
          picture_side(view.shape[1]),
          picture_side(view.shape[0]),
          view.stride[0],
          view.device,
          view.stream};
}

void PictureArgument::read_file() {
  const ReadOptions options{.color = rules_.color};
  read_ = std::make_unique<Picture>(path_.empty() ? decode_picture(file_, options)
                                                  : read_picture(path_, options));
  view_ = read_->view();
}

const PictureView& PictureArgument::host() {
  if (!view_.empty()) return view_;
  if (!array_) {
    read_file();
    return view_;
  }
  const ArrayView& from = array_->view();
  const int height = picture_side(from.shape[0]), width = picture_side(from.shape[1]);
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
  if (rules_.channels == Channels::kRgb && deep == 1 && right == 3 && down >= 3 * width) {
    view_.color = {reinterpret_cast<const Rgb*>(pixels), width, height, down};
  } else {
    if (rules_.channels == Channels::kBgr && deep == 1 && right == 3) {
      color_ = from_bgr(pixels, {width, height}, down);
    } else {
      color_ = RgbImage(width, height);
      const std::ptrdiff_t red = rules_.channels == Channels::kRgb ? 0 : 2 * deep, blue = 2 * deep - red;
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

}  // namespace winnow::python
