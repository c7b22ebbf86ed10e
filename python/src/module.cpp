// Makes the module `winnow._core`.
#include "bind.h"

NB_MODULE(_core, module) {
  using namespace winnow::python;
  module.doc() = "Winnow's C++ library for Python; use it as `winnow`.";
  bind_error(module);
  bind_backend(module);
  bind_image(module);
  bind_cascade(module);
  bind_detector_model(module);
  bind_detection(module);
  bind_detector(module);
  bind_pinned(module);
  bind_truth(module);
  bind_pack(module);
  bind_train(module);
  bind_eval(module);
  bind_draw_model(module);
}
