#include <winnow/describe.h>

#include <utility>

#include "array.h"
#include "values.h"

namespace winnow::python {

void bind_describe(nb::module_& module) {
  module.def(
      "describe_windows",
      [](nb::handle picture, const HogShape& shape, const std::optional<std::string>& channels, Size step,
         bool gray) {
        PictureArgument argument(picture, parse_channels(channels));
        WindowValues* values = nullptr;
        {
          const nb::gil_scoped_release free;
          const PictureView view = argument.host();
          values = new WindowValues(describe_windows(gray ? PictureView(view.gray) : view, shape, step));
        }
        const nb::capsule owner(values,
                                [](void* pointer) noexcept { delete static_cast<WindowValues*>(pointer); });
        return nb::cast(
            nb::ndarray<nb::numpy, float>(values->values.data(),
                                          {static_cast<std::size_t>(values->count.height),
                                           static_cast<std::size_t>(values->count.width), values->length},
                                          owner));
      },
      nb::arg("picture").none(), nb::arg("shape") = HogShape(), nb::kw_only(),
      nb::arg("channels") = nb::none(), nb::arg("step") = Size(), nb::arg("gray") = false,
      nb::sig("def describe_windows(picture: object | None, shape: HogShape = ..., *, channels: str | None = "
              "None, step: "
              "collections.abc.Sequence[int] = (0, 0), gray: bool = False) -> "
              "numpy.typing.NDArray[numpy.float32]"),
      "The values of each window of a picture, (rows, columns, values), for an SVM of your own. Values times "
      "weights, "
      "plus the bias, is the score. step: (x, y) from window to window; 0 is the stride of blocks.\n\n"
      ">>> picture = winnow.read_picture('photo.jpg').gray\n"
      ">>> winnow.describe_windows(picture[:128, :72]).shape\n"
      "(1, 2, 3780)");
}

}  // namespace winnow::python
