// Declares the functions that fill the module `winnow._core`, one function for each public header.
//
// In:     the module that is being made.
// Out:    its functions and classes. Their names are those of the C++ headers, in Python's style.
// Memory: Python objects hold C++ objects. Arrays that they give point into the C++ objects and keep them
//         alive.
// Thread: Python's lock is free while Winnow works. An object that belongs to one thread at a time locks
//         itself.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace winnow::python {

namespace nb = nanobind;

void bind_error(nb::module_& module);
void bind_backend(nb::module_& module);
void bind_image(nb::module_& module);
void bind_search_defaults(nb::module_& module);
void bind_cascade(nb::module_& module);
void bind_hog(nb::module_& module);
void bind_hog_cascade(nb::module_& module);
void bind_shape_trees(nb::module_& module);
void bind_landmarks(nb::module_& module);
void bind_describe(nb::module_& module);
void bind_cv2_merge(nb::module_& module);
void bind_model(nb::module_& module);
void bind_detector_model(nb::module_& module);
void bind_detection(nb::module_& module);
void bind_detections(nb::module_& module);
void bind_detector(nb::module_& module);
void bind_landmarker(nb::module_& module);
void bind_face_finder(nb::module_& module);
void bind_flow(nb::module_& module);
void bind_follower(nb::module_& module);
void bind_tracker(nb::module_& module);
void bind_face_covers(nb::module_& module);
void bind_scan(nb::module_& module);
void bind_pinned(nb::module_& module);
void bind_truth(nb::module_& module);
void bind_pack(nb::module_& module);
void bind_train(nb::module_& module);
void bind_train_landmarks(nb::module_& module);
void bind_train_hog(nb::module_& module);
void bind_eval(nb::module_& module);
void bind_eval_landmarks(nb::module_& module);
void bind_box_track(nb::module_& module);
void bind_eval_tracking(nb::module_& module);
void bind_draw_model(nb::module_& module);

}  // namespace winnow::python
