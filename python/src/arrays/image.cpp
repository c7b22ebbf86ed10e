// Binds `Picture`, and the functions that read, write, draw and blur.
#include <winnow/image.h>

#include <cstring>

#include "arrays/picture_argument.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

constexpr std::int64_t kMostPixels = ReadOptions().max_pixels;

nb::bytes bytes_of(PictureArgument& argument, const std::string& format) {
  argument.refuse_device();
  std::vector<std::byte> bytes;
  {
    const nb::gil_scoped_release free;
    const PictureView& view = argument.host();
    bytes =
        view.color.data != nullptr ? encode_picture(view.color, format) : encode_picture(view.gray, format);
  }
  return nb::bytes(bytes.data(), bytes.size());
}

Picture read(const Path& path, const ReadOptions& options) {
  const nb::gil_scoped_release free;
  return read_picture(path.text, options);
}
Picture read(const nb::bytes& bytes, const ReadOptions& options) {
  const std::span<const std::byte> span(reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size());
  const nb::gil_scoped_release free;
  return decode_picture(span, options);
}

// Binds a function that reads pictures. Type checkers see three forms: with color=False the picture has no
// colours, with color=True it has colours, and with a variable it may have colours.
template <class Source>
void def_reader(nb::module_& module, const char* name, const nb::arg& source, const char* doc) {
  const auto in_gray = [](const Source& from, NoWord, std::int64_t max_pixels) {
    return GrayPicture{nb::cast(read(from, {false, max_pixels}))};
  };
  const auto in_color = [](const Source& from, YesWord, std::int64_t max_pixels) {
    return ColorPicture{nb::cast(read(from, {true, max_pixels}))};
  };
  const auto in_either = [](const Source& from, bool color, std::int64_t max_pixels) {
    return SomePicture{nb::cast(read(from, {color, max_pixels}))};
  };
  module.def(name, in_gray, source, nb::kw_only(), nb::arg("color") = false,
             nb::arg("max_pixels") = kMostPixels);
  module.def(name, in_color, source, nb::kw_only(), nb::arg("color"), nb::arg("max_pixels") = kMostPixels);
  module.def(name, in_either, source, nb::kw_only(), nb::arg("color") = false,
             nb::arg("max_pixels") = kMostPixels, doc);
}

// The picture's colours as an array, or its grey pixels if it has no colours. The arguments are those of
// NumPy's `__array__`.
nb::object array_of(nb::handle self, nb::handle type, nb::handle copy) {
  const PictureView view = nb::cast<const Picture&>(self).view();
  const nb::object array =
      view.color.data == nullptr ? gray_array(view.gray, self) : color_array(view.color, self);
  const bool other = !type.is_none() && !array.attr("dtype").attr("__eq__")(type).is(nb::handle(Py_True));
  if (other && copy.is(nb::handle(Py_False)))
    throw nb::value_error("a picture as another type is a copy, and copy=False forbids it");
  if (other) return array.attr("astype")(type);
  return copy.is(nb::handle(Py_True)) ? array.attr("copy")() : array;
}

void bind_picture(nb::module_& module) {
  nb::class_<Picture>(
      module, "Picture", nb::is_generic(), nb::sig("class Picture(typing.Generic[Color])"),
      "An upright picture: its grey pixels, and its colours if they were asked for. `Detector.detect`\n"
      "takes a `Picture`, notebooks show it, and np.asarray gives its pixels.\n\n"
      ">>> picture = winnow.read_picture('photo.jpg', color=True)\n"
      ">>> picture.width, picture.height, picture.gray.shape, picture.color.shape\n"
      "(512, 512, (512, 512), (512, 512, 3))\n"
      ">>> np.asarray(picture).shape\n"
      "(512, 512, 3)")
      .def_prop_ro(
          "gray",
          [](nb::handle self) {
            return ByteArray{gray_array(nb::cast<const Picture&>(self).view().gray, self)};
          },
          "Grey, (height, width); read-only.")
      .def_prop_ro(
          "color",
          [](nb::handle self) -> nb::object {
            const PictureView view = nb::cast<const Picture&>(self).view();
            return view.color.data == nullptr ? nb::none() : color_array(view.color, self);
          },
          nb::sig("def color(self) -> Color"),
          "Colours in the order rgb, (height, width, 3), read-only; None if they were not asked for.")
      .def_prop_ro(
          "size", [](const Picture& picture) { return picture.gray.size(); }, "(width, height)")
      .def_prop_ro("width", [](const Picture& picture) { return picture.gray.width(); })
      .def_prop_ro("height", [](const Picture& picture) { return picture.gray.height(); })
      .def(
          "save",
          [](const Picture& picture, const Path& path) {
            const nb::gil_scoped_release free;
            const PictureView view = picture.view();
            view.color.data != nullptr ? write_picture(path.text, view.color)
                                       : write_picture(path.text, view.gray);
          },
          nb::arg("path"),
          "Writes the picture to a file, in colour if the picture has colours. The ending of the name gives\n"
          "the format: .jpg .png .pgm .ppm.\n\n"
          ">>> winnow.read_picture('photo.jpg').save('gray.png')")
      .def(
          "_repr_png_",
          [](nb::handle self) {
            PictureArgument argument(self, {});
            return bytes_of(argument, "png");
          },
          nb::sig("def _repr_png_(self) -> bytes"))
      .def(
          "__array__", &array_of, nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
          nb::sig(
              "def __array__(self, dtype: numpy.typing.DTypeLike | None = None, copy: bool | None = None) -> "
              "numpy.typing.NDArray[typing.Any]"))
      .def("__repr__", [](const Picture& picture) {
        return "Picture(" + std::to_string(picture.gray.width()) + "x" +
               std::to_string(picture.gray.height()) + (picture.color.empty() ? ", grey)" : ", colour)");
      });
}

}  // namespace

void bind_image(nb::module_& module) {
  bind_picture(module);
  def_reader<Path>(module, "read_picture", nb::arg("path"),
                   "Reads a picture of any format, upright; `color` fills `Picture.color`, too.\n\n"
                   ">>> winnow.read_picture('photo.jpg')\n"
                   "Picture(512x512, grey)");
  def_reader<nb::bytes>(module, "decode_picture", nb::arg("bytes"),
                        "Reads a picture from the bytes of its file.\n\n"
                        ">>> with open('photo.jpg', 'rb') as file:\n"
                        "...     winnow.decode_picture(file.read(), color=True)\n"
                        "Picture(512x512, colour)");
  module.def(
      "encode_picture",
      [](const AnyPicture& picture, const PictureFormatWord& format,
         const std::optional<ChannelsWord>& channels) {
        PictureArgument argument(picture.object, {parse_channels(channels)});
        return bytes_of(argument, format.text);
      },
      nb::arg("picture"), nb::arg("format") = "png", nb::kw_only(), nb::arg("channels") = nb::none(),
      "Encodes a picture. Gives the bytes of a file in this format.\n\n"
      ">>> winnow.encode_picture('photo.jpg', 'png')[1:4]\n"
      "b'PNG'");
  module.def(
      "write_picture",
      [](const Path& path, const AnyPicture& picture, const std::optional<ChannelsWord>& channels) {
        PictureArgument argument(picture.object, {parse_channels(channels)});
        argument.refuse_device();
        const nb::gil_scoped_release free;
        const PictureView& view = argument.host();
        view.color.data != nullptr ? write_picture(path.text, view.color)
                                   : write_picture(path.text, view.gray);
      },
      nb::arg("path"), nb::arg("picture"), nb::kw_only(), nb::arg("channels") = nb::none(),
      "Writes a picture; the ending of the name gives the format: .jpg .png .pgm .ppm.\n\n"
      ">>> picture = winnow.read_picture('photo.jpg')\n"
      ">>> winnow.write_picture('left.png', picture.gray[:, :256])");
  module.def(
      "to_gray",
      [](const AnyPicture& picture, const std::optional<ChannelsWord>& channels) {
        PictureArgument argument(picture.object, {parse_channels(channels)});
        argument.refuse_device();
        GrayImage gray;
        {
          const nb::gil_scoped_release free;
          const GrayView view = argument.host().gray;
          gray = GrayImage(view.width, view.height);
          for (int y = 0; y < view.height; ++y)
            std::memcpy(gray.row(y), view.row(y), static_cast<std::size_t>(view.width));
        }
        return ByteArray{owned_array(std::move(gray))};
      },
      nb::arg("picture"), nb::kw_only(), nb::arg("channels") = nb::none(),
      "Converts a picture to grey by OpenCV's formula. Gives a new array (height, width).\n\n"
      ">>> winnow.to_gray(np.zeros((2, 3, 3), np.uint8), channels='rgb')\n"
      "array([[0, 0, 0],\n"
      "       [0, 0, 0]], dtype=uint8)");
  module.def(
      "draw_box",
      [](const ByteArray& picture, const Box& box, const Color& color, int thickness) {
        draw_box(ColorArgument(picture.object).view, box, parse_color(color.object), thickness);
      },
      nb::arg("picture"), nb::arg("box"), nb::arg("color") = nb::make_tuple(0, 255, 0), nb::kw_only(),
      nb::arg("thickness") = 2,
      "Draws a frame into a colour array, along the inner side of the box's edge.\n\n"
      ">>> canvas = np.zeros((20, 20, 3), np.uint8)\n"
      ">>> winnow.draw_box(canvas, (5, 5, 10, 10), thickness=1)\n"
      ">>> canvas[5, 5].tolist()\n"
      "[0, 255, 0]");
  module.def(
      "draw_text",
      [](const ByteArray& picture, int x, int y, const std::string& text, const Color& color, int scale) {
        draw_text(ColorArgument(picture.object).view, x, y, text, parse_color(color.object), scale);
      },
      nb::arg("picture"), nb::arg("x"), nb::arg("y"), nb::arg("text"),
      nb::arg("color") = nb::make_tuple(0, 255, 0), nb::kw_only(), nb::arg("scale") = 2,
      "Draws short text with its left top corner at (x, y).\n\n"
      ">>> canvas = np.zeros((20, 80, 3), np.uint8)\n"
      ">>> winnow.draw_text(canvas, 2, 2, '0.93', scale=1)\n"
      ">>> bool(canvas.any())\n"
      "True");
  module.def(
      "blur_box",
      [](const ByteArray& picture, const Box& box) { blur_box(ColorArgument(picture.object).view, box); },
      nb::arg("picture"), nb::arg("box"),
      "Makes the inside of the box unrecognisable, in place.\n\n"
      ">>> canvas = winnow.read_picture('photo.jpg', color=True).color.copy()\n"
      ">>> winnow.blur_box(canvas, (164, 101, 204, 204))");
}

}  // namespace winnow::python
