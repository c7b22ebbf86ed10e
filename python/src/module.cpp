// Makes the module `winnow._core`.
#include "bind.h"

NB_MODULE(_core, module) {
  using namespace winnow::python;
  module.doc() = "Winnow's C++ library for Python; use it as `winnow`.";
  // Other modules may keep Winnow's objects until the process ends. A warning would not help the user.
  nanobind::set_leak_warnings(false);
  bind_error(module);
  bind_backend(module);
  bind_image(module);
  bind_search_defaults(module);
  bind_cascade(module);
  bind_hog(module);
  bind_hog_cascade(module);
  bind_shape_trees(module);
  bind_landmarks(module);
  bind_describe(module);
  bind_cv2_merge(module);
  bind_model(module);
  bind_detector_model(module);
  bind_detection(module);
  bind_detections(module);
  bind_detector(module);
  bind_landmarker(module);
  bind_face_finder(module);
  bind_flow(module);
  bind_follower(module);
  bind_tracker(module);
  bind_face_covers(module);
  bind_scan(module);
  bind_pinned(module);
  bind_truth(module);
  bind_pack(module);
  bind_train(module);
  bind_train_landmarks(module);
  bind_train_hog(module);
  bind_eval(module);
  bind_eval_landmarks(module);
  bind_box_track(module);
  bind_eval_tracking(module);
  bind_draw_model(module);
}
