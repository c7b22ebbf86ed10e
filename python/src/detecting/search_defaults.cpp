// Binds `SearchDefaults`.
#include <winnow/search_defaults.h>

#include <optional>

#include "bind.h"
#include "constructor.h"
#include "values.h"
#include "words.h"

namespace winnow::python {

void bind_search_defaults(nb::module_& module) {
  const SearchDefaults usual;
  nb::class_<SearchDefaults> shown(
      module, "SearchDefaults",
      "How a model is searched unless the keywords of a search say otherwise. Values that you leave out\n"
      "are OpenCV's values for cascades. min_score=None stands for minus infinity: no score is too low.\n\n"
      ">>> winnow.load('face').search_defaults\n"
      "SearchDefaults(scale_factor=1.1, enlarge=1.0, step=(0, 0), merge='groups', min_neighbors=3, "
      "min_score=-inf, min_support=0.0, border=0.0)");
  def_constructor(
      shown,
      +[](SearchDefaults* self, double scale_factor, double enlarge, const Sides& step,
          const MergeWord& merge, int min_neighbors, std::optional<double> min_score, double min_support,
          double border) {
        const SearchDefaults defaults{scale_factor,  enlarge,
                                      step.size,     parse_merge(merge.text),
                                      min_neighbors, min_score.value_or(SearchDefaults().min_score),
                                      min_support,   border};
        check_search_defaults(defaults);
        new (self) SearchDefaults(defaults);
      },
      nb::kw_only(), nb::arg("scale_factor") = usual.scale_factor, nb::arg("enlarge") = usual.enlarge,
      nb::arg("step") = usual.step, nb::arg("merge") = merge_name(usual.merge),
      nb::arg("min_neighbors") = usual.min_neighbors, nb::arg("min_score") = nb::none(),
      nb::arg("min_support") = usual.min_support, nb::arg("border") = usual.border);
  shown.def_ro("scale_factor", &SearchDefaults::scale_factor)
      .def_ro("enlarge", &SearchDefaults::enlarge)
      .def_ro("step", &SearchDefaults::step,
              "(width, height) in pixels; (0, 0) stands for the model's own step.")
      .def_prop_ro("merge", [](const SearchDefaults& self) { return MergeWord{merge_name(self.merge)}; })
      .def_ro("min_neighbors", &SearchDefaults::min_neighbors)
      .def_ro("min_score", &SearchDefaults::min_score)
      .def_ro("min_support", &SearchDefaults::min_support)
      .def_ro("border", &SearchDefaults::border)
      .def("__eq__", [](const SearchDefaults& a, const SearchDefaults& b) { return a == b; })
      .def("__repr__", [](const SearchDefaults& self) {
        return nb::str(
                   "SearchDefaults(scale_factor={}, enlarge={}, step={}, merge={!r}, min_neighbors={}, "
                   "min_score={}, min_support={}, border={})")
            .format(self.scale_factor, self.enlarge, self.step, merge_name(self.merge), self.min_neighbors,
                    self.min_score, self.min_support, self.border);
      });
}

}  // namespace winnow::python
