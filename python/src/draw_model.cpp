#include <winnow/draw_model.h>

#include <winnow/cascade.h>

#include <memory>

#include "bind.h"

namespace winnow::python {

void bind_draw_model(nb::module_& module) {
  module.def(
      "draw_features",
      [](const Cascade& cascade, std::optional<std::string> title) {
        auto sheet = std::make_unique<FeatureSheet>();
        {
          const nb::gil_scoped_release free;
          *sheet = draw_features(cascade.model(), title ? *title : cascade.name());
        }
        RgbImage& image = sheet->image;
        auto* const pixels = reinterpret_cast<std::uint8_t*>(image.row(0));
        const auto height = static_cast<std::size_t>(image.height()),
                   width = static_cast<std::size_t>(image.width());
        const nb::capsule owner(sheet.release(),
                                [](void* at) noexcept { delete static_cast<FeatureSheet*>(at); });
        return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(pixels, {height, width, 3}, owner));
      },
      nb::arg("cascade"), nb::arg("title") = nb::none(),
      nb::sig("def draw_features(cascade: Cascade, title: str | None = None) -> "
              "numpy.typing.NDArray[numpy.uint8]"),
      "Draws the first features of each stage, as a picture in the order rgb.\n\n"
      ">>> sheet = winnow.draw_features(winnow.Cascade.load('haarcascade_eye'))\n"
      ">>> winnow.write_picture('features.png', sheet, channels='rgb')");
}

}  // namespace winnow::python
