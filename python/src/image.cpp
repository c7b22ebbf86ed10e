#include <winnow/image.h>

#include <cstring>

#include <winnow/error.h>

#include "array.h"
#include "values.h"

namespace winnow::python {
namespace {

Rgb parse_color(nb::handle from) {
  int channels[3];
  if (!whole_numbers(from, channels, 3)) throw nb::type_error("a colour is three whole numbers: (r, g, b)");
  for (const int channel : channels)
    if (channel < 0 || channel > 255) throw Error(ErrorCode::kUsage, "a colour's numbers are 0 to 255");
  return {static_cast<std::uint8_t>(channels[0]), static_cast<std::uint8_t>(channels[1]),
          static_cast<std::uint8_t>(channels[2])};
}

}  // namespace

void bind_image(nb::module_& module) {
  nb::class_<Picture>(module, "Picture",
                      "A picture from a file, upright. `Detector.detect` takes it as it is.")
      .def_prop_ro(
          "gray",
          [](nb::handle self) { return gray_array(nb::cast<const Picture&>(self).view().gray, self); },
          nb::sig("def gray(self) -> numpy.typing.NDArray[numpy.uint8]"), "Grey, (height, width); read-only.")
      .def_prop_ro(
          "color",
          [](nb::handle self) -> nb::object {
            const PictureView view = nb::cast<const Picture&>(self).view();
            return view.color.data == nullptr ? nb::none() : color_array(view.color, self);
          },
          nb::sig("def color(self) -> numpy.typing.NDArray[numpy.uint8] | None"),
          "Colour in the order rgb, (height, width, 3), if it was asked for; read-only.")
      .def_prop_ro(
          "size", [](const Picture& picture) { return picture.gray.size(); }, "(width, height)")
      .def("__repr__", [](const Picture& picture) {
        return "Picture(" + std::to_string(picture.gray.width()) + "x" +
               std::to_string(picture.gray.height()) + (picture.color.empty() ? ", grey)" : ", colour)");
      });
  constexpr std::int64_t kMostPixels = ReadOptions().max_pixels;
  module.def(
      "read_picture",
      [](const Path& path, bool color, std::int64_t max_pixels) {
        return read_picture(path.text, {color, max_pixels});
      },
      nb::arg("path"), nb::kw_only(), nb::arg("color") = false, nb::arg("max_pixels") = kMostPixels,
      nb::call_guard<nb::gil_scoped_release>(),
      "Reads a JPEG, PNG or PNM file, upright; `color` fills `Picture.color`, too.\n\n"
      ">>> winnow.read_picture('photo.jpg')\n"
      "Picture(512x512, grey)");
  module.def(
      "decode_picture",
      [](const nb::bytes& bytes, bool color, std::int64_t max_pixels) {
        const std::span<const std::byte> span(reinterpret_cast<const std::byte*>(bytes.c_str()),
                                              bytes.size());
        const nb::gil_scoped_release free;
        return decode_picture(span, {color, max_pixels});
      },
      nb::arg("bytes"), nb::kw_only(), nb::arg("color") = false, nb::arg("max_pixels") = kMostPixels,
      "Reads a picture from the bytes of its file.\n\n"
      ">>> with open('photo.jpg', 'rb') as file:\n"
      "...     winnow.decode_picture(file.read(), color=True)\n"
      "Picture(512x512, colour)");
  module.def(
      "write_picture",
      [](const Path& path, nb::handle picture, const std::optional<std::string>& channels) {
        PictureArgument argument(picture, parse_channels(channels));
        if (argument.on_device()) throw Error(ErrorCode::kUsage, "a picture on a device cannot be written");
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
      [](nb::handle picture, const std::string& channels) {
        PictureArgument argument(picture, parse_channels(channels));
        if (argument.on_device()) throw Error(ErrorCode::kUsage, "a picture on a device cannot be converted");
        GrayImage gray;
        {
          const nb::gil_scoped_release free;
          const GrayView view = argument.host().gray;
          gray = GrayImage(view.width, view.height);
          for (int y = 0; y < view.height; ++y)
            std::memcpy(gray.row(y), view.row(y), static_cast<std::size_t>(view.width));
        }
        return owned_array(std::move(gray));
      },
      nb::arg("picture"), nb::kw_only(), nb::arg("channels"),
      nb::sig("def to_gray(picture: object, *, channels: str) -> numpy.typing.NDArray[numpy.uint8]"),
      "Grey by Winnow's formula, which is OpenCV's.\n\n"
      ">>> winnow.to_gray(np.zeros((2, 3, 3), np.uint8), channels='rgb')\n"
      "array([[0, 0, 0],\n"
      "       [0, 0, 0]], dtype=uint8)");
  module.def(
      "draw_box",
      [](nb::handle picture, const Box& box, nb::handle color, int thickness) {
        draw_box(ColorArgument(picture).view, box, parse_color(color), thickness);
      },
      nb::arg("picture"), nb::arg("box"), nb::arg("color") = nb::make_tuple(0, 255, 0), nb::kw_only(),
      nb::arg("thickness") = 2,
      "Draws a frame inside the edge of the box into a colour array.\n\n"
      ">>> canvas = np.zeros((20, 20, 3), np.uint8)\n"
      ">>> winnow.draw_box(canvas, (5, 5, 10, 10), thickness=1)\n"
      ">>> canvas[5, 5].tolist()\n"
      "[0, 255, 0]");
  module.def(
      "draw_text",
      [](nb::handle picture, int x, int y, const std::string& text, nb::handle color, int scale) {
        draw_text(ColorArgument(picture).view, x, y, text, parse_color(color), scale);
      },
      nb::arg("picture"), nb::arg("x"), nb::arg("y"), nb::arg("text"),
      nb::arg("color") = nb::make_tuple(0, 255, 0), nb::kw_only(), nb::arg("scale") = 2,
      "Draws short text with its left top corner at (x, y).\n\n"
      ">>> canvas = np.zeros((20, 80, 3), np.uint8)\n"
      ">>> winnow.draw_text(canvas, 2, 2, '0.93', scale=1)\n"
      ">>> bool(canvas.any())\n"
      "True");
  module.def(
      "blur_box", [](nb::handle picture, const Box& box) { blur_box(ColorArgument(picture).view, box); },
      nb::arg("picture"), nb::arg("box"),
      "Makes the inside of the box unrecognisable, in place.\n\n"
      ">>> canvas = winnow.read_picture('photo.jpg', color=True).color.copy()\n"
      ">>> winnow.blur_box(canvas, (164, 101, 204, 204))");
}

}  // namespace winnow::python
