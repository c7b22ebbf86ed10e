// Binds the functions that draw cascades, HOG models and landmarks.
#include <winnow/draw_model.h>

#include <winnow/cascade.h>

#include <utility>

#include "arrays/array.h"
#include "typed.h"

namespace winnow::python {

void bind_draw_model(nb::module_& module) {
  module.def(
      "draw_weights",
      [](const HogSvm& svm, std::optional<std::string> title) {
        RgbImage image;
        {
          const nb::gil_scoped_release free;
          image = draw_weights(svm.model(), title ? *title : svm.name());
        }
        return ByteArray{owned_array(std::move(image))};
      },
      nb::arg("svm"), nb::arg("title") = nb::none(),
      "Draws the edges that raise a window's score and those that lower it, as a picture in the order "
      "rgb.\n\n"
      ">>> sheet = winnow.draw_weights(winnow.HogSvm(np.ones(3780, np.float32)))\n"
      ">>> winnow.write_picture('weights.png', sheet, channels='rgb')");
  module.def(
      "draw_blocks",
      [](const HogCascade& cascade, std::optional<std::string> title) {
        RgbImage image;
        {
          const nb::gil_scoped_release free;
          image = draw_blocks(cascade.model(), title ? *title : cascade.name());
        }
        return ByteArray{owned_array(std::move(image))};
      },
      nb::arg("cascade"), nb::arg("title") = nb::none(),
      "Draws the first blocks and the place of all blocks on the mean positive, as a picture in the order "
      "rgb.\n\n"
      ">>> sheet = winnow.draw_blocks(winnow.HogCascade.load('people'))\n"
      ">>> winnow.write_picture('blocks.png', sheet, channels='rgb')");
  module.def(
      "draw_landmarks",
      [](const Landmarks& landmarks, std::optional<std::string> title) {
        RgbImage image;
        {
          const nb::gil_scoped_release free;
          image = draw_landmarks(landmarks.model(), title ? *title : landmarks.name());
        }
        return ByteArray{owned_array(std::move(image))};
      },
      nb::arg("landmarks"), nb::arg("title") = nb::none(),
      "Draws the mean shape and the pixels that the stages read, as a picture in the order rgb.\n\n"
      ">>> sheet = winnow.draw_landmarks(winnow.Landmarks.load('points.winnow'))\n"
      ">>> winnow.write_picture('points.png', sheet, channels='rgb')");
  module.def(
      "draw_features",
      [](const Cascade& cascade, std::optional<std::string> title) {
        FeatureSheet sheet;
        {
          const nb::gil_scoped_release free;
          sheet = draw_features(cascade.model(), title ? *title : cascade.name());
        }
        return ByteArray{owned_array(std::move(sheet.image))};
      },
      nb::arg("cascade"), nb::arg("title") = nb::none(),
      "Draws the first features of each stage, as a picture in the order rgb.\n\n"
      ">>> sheet = winnow.draw_features(winnow.Cascade.load('haarcascade_eye'))\n"
      ">>> winnow.write_picture('features.png', sheet, channels='rgb')");
}

}  // namespace winnow::python
