// Binds the lists of backends and SIMD targets.
#include <winnow/backend.h>

#include "values.h"
#include "words.h"

namespace winnow::python {

void bind_backend(nb::module_& module) {
  nb::class_<BackendInfo>(module, "BackendInfo", "One backend of this build. See `backends`.")
      .def_prop_ro("name", [](const BackendInfo& info) { return BackendWord{backend_name(info.kind)}; })
      .def_ro("available", &BackendInfo::available)
      .def_ro("detail", &BackendInfo::detail,
              "The hardware that the backend runs on, or the reason why the backend is not available.")
      .def("__repr__", [](const BackendInfo& info) {
        return std::string("BackendInfo(") + backend_name(info.kind) + ", " +
               (info.available ? "available: " : "not available: ") + info.detail + ")";
      });
  module.def("backends", &list_backends, nb::call_guard<nb::gil_scoped_release>(),
             "The backends in the order in which 'auto' takes them, including those that this machine cannot "
             "run.\n\n"
             ">>> [backend.name for backend in winnow.backends()]\n"
             "['cuda', 'cpu', 'reference']");
  module.def("simd_targets", &list_simd_targets,
             "SIMD targets of the backend `cpu` that this machine can run, the best first.\n\n"
             ">>> isinstance(winnow.simd_targets()[0], str)\n"
             "True");
  module.def("force_simd_target", &force_simd_target, nb::arg("name"),
             "Forces a SIMD target for the whole process, for tests. \"\" ends the forcing.\n\n"
             ">>> winnow.force_simd_target(winnow.simd_targets()[-1])\n"
             ">>> winnow.force_simd_target('')");
}

}  // namespace winnow::python
