// Binds `Describer` and `describe_windows`.
#include <winnow/describe.h>

#include <winnow/error.h>

#include <memory>
#include <mutex>
#include <utility>

#include "arrays/picture_argument.h"
#include "constructor.h"
#include "typed.h"
#include "values.h"

namespace winnow::python {
namespace {

// A describer that several threads may use, one at a time: the others wait.
class SharedDescriber {
 public:
  explicit SharedDescriber(const HogShape& shape) : describer_(shape) {}

  FloatArray describe(const AnyPicture& picture, const std::optional<ChannelsWord>& channels, Sides step,
                      Sides padding, std::vector<PixelPoint> locations, bool gray) {
    PictureArgument argument(picture.object, {parse_channels(channels), !gray});
    argument.refuse_device();
    const bool listed = !locations.empty();
    auto values = values_of(argument, {step.size, padding.size, std::move(locations)}, gray);
    const auto rows = static_cast<std::size_t>(values->count.height),
               columns = static_cast<std::size_t>(values->count.width), length = values->length;
    if (listed) return {array_of(std::move(values), {columns, length})};
    return {array_of(std::move(values), {rows, columns, length})};
  }

  // The values of all windows of an array, one after the other. None if the array is no picture, or has no
  // windows. `winnow.cv2` calls this function, because it is faster than `describe` for many small pictures.
  nb::object flat(nb::handle picture, Size step, Size padding) {
    std::optional<PictureArgument> argument;
    try {
      argument.emplace(picture, PictureRules{Channels::kBgr});
    } catch (const Error&) {
      return nb::none();
    }
    if (argument->on_device()) return nb::none();
    auto values = values_of(*argument, {step, padding}, false);
    const std::size_t count = values->values.size();
    return count == 0 ? nb::none() : array_of(std::move(values), {count});
  }

  const HogShape& shape() const { return describer_.shape(); }

 private:
  std::unique_ptr<WindowValues> values_of(PictureArgument& picture, const DescribeOptions& options,
                                          bool gray) {
    auto values = std::make_unique<WindowValues>();
    const nb::gil_scoped_release free;
    const std::lock_guard lock(busy_);
    const PictureView view = picture.host();
    describer_.describe(gray ? PictureView(view.gray) : view, options, *values);
    return values;
  }

  // Moves the values into an array that owns them.
  static nb::object array_of(std::unique_ptr<WindowValues> values, std::initializer_list<std::size_t> shape) {
    WindowValues* const kept = values.release();
    const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<WindowValues*>(pointer); });
    return nb::cast(nb::ndarray<nb::numpy, float>(kept->values.data(), shape, owner));
  }

  Describer describer_;
  std::mutex busy_;
};

}  // namespace

void bind_describe(nb::module_& module) {
  nb::class_<SharedDescriber> describer(
      module, "Describer",
      "Gives the values of windows, for an SVM of your own: what the weights of a "
      "`HogSvm` are multiplied by.\n\n"
      ">>> describer = winnow.Describer(winnow.HogShape(window=(32, 32)))\n"
      ">>> describer.describe(np.zeros((32, 48), np.uint8)).shape\n"
      "(1, 3, 324)");
  def_constructor(
      describer, +[](SharedDescriber* self, const HogShape& shape) { new (self) SharedDescriber(shape); },
      nb::arg("shape") = HogShape());
  describer
      .def("describe", &SharedDescriber::describe, nb::arg("picture"), nb::kw_only(),
           nb::arg("channels") = nb::none(), nb::arg("step") = Sides(), nb::arg("padding") = Sides(),
           nb::arg("locations") = std::vector<PixelPoint>(), nb::arg("gray") = false,
           "The values of each window of a picture, (rows, columns, values), or of the windows whose top\n"
           "left corners are `locations`, (n, values).\n\n"
           "step: pixels from window to window; 0 takes the stride of blocks. padding: windows may begin up\n"
           "to this many pixels outside of the picture, which is mirrored there.\n\n"
           ">>> describer = winnow.Describer()\n"
           ">>> picture = winnow.read_picture('photo.jpg')\n"
           ">>> describer.describe(picture, locations=[(10, 20), (-8, 3)]).shape\n"
           "(2, 3780)")
      .def("_flat", &SharedDescriber::flat, nb::arg("picture"), nb::arg("step"), nb::arg("padding"))
      .def_prop_ro("shape", [](const SharedDescriber& self) { return self.shape(); });
  module.def(
      "describe_windows",
      [](const AnyPicture& picture, const HogShape& shape, const std::optional<ChannelsWord>& channels,
         Sides step,
         bool gray) { return SharedDescriber(shape).describe(picture, channels, step, {}, {}, gray); },
      nb::arg("picture").none(), nb::arg("shape") = HogShape(), nb::kw_only(),
      nb::arg("channels") = nb::none(), nb::arg("step") = Sides(), nb::arg("gray") = false,
      "The values of each window of a picture, (rows, columns, values), for an SVM of your own. The\n"
      "score of a window is the sum of its values times the SVM's weights, plus the bias. step: (x, y)\n"
      "pixels from window to window; 0 takes the stride of blocks.\n\n"
      ">>> picture = winnow.read_picture('photo.jpg').gray\n"
      ">>> winnow.describe_windows(picture[:128, :72]).shape\n"
      "(1, 2, 3780)");
}

}  // namespace winnow::python
