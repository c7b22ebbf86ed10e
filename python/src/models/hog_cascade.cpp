// Binds `HogCascade` and `list_hog_blocks`.
#include <winnow/hog_cascade.h>

#include <winnow/error.h>
#include <winnow/train_hog.h>

#include <cstddef>
#include <span>

#include "arrays/records.h"
#include "models/model_methods.h"
#include "values.h"

namespace winnow::python {
namespace {

// The model's stages as records that point into the model.
nb::object stages_of(nb::handle self) {
  const std::vector<HogBlockStage>& stages = nb::cast<const HogCascade&>(self).model().stages;
  const auto in_block = [](std::size_t offset) { return offsetof(HogBlockStage, block) + offset; };
  const nb::object type =
      record_type({{"x", "u1", in_block(offsetof(HogBlock, x))},
                   {"y", "u1", in_block(offsetof(HogBlock, y))},
                   {"cell_width", "u1", in_block(offsetof(HogBlock, cell_width))},
                   {"cell_height", "u1", in_block(offsetof(HogBlock, cell_height))},
                   {"weights", "(36,)i2", offsetof(HogBlockStage, weights)},
                   {"first", "f4", offsetof(HogBlockStage, first)},
                   {"bins_per_response", "f4", offsetof(HogBlockStage, bins_per_response)},
                   {"table", "(32,)i2", offsetof(HogBlockStage, table)},
                   {"least", "i4", offsetof(HogBlockStage, min_sum)}},
                  sizeof(HogBlockStage));
  return records(std::span<const HogBlockStage>(stages), type, self);
}

}  // namespace

void bind_hog_cascade(nb::module_& module) {
  nb::class_<HogCascade> shown(
      module, "HogCascade",
      "A cascade of HOG blocks: each stage is a linear SVM of one block, with scores in a "
      "table.\n\n"
      ">>> people = winnow.HogCascade.load('people')\n"
      ">>> people.window, len(people.stages), people.grid\n"
      "((64, 128), 512, 4)");
  shown
      .def_static(
          "load", [](const Path& name) { return HogCascade::load(resolve_model(name.text)); },
          nb::arg("name_or_path"), nb::call_guard<nb::gil_scoped_release>(),
          "As `load`, for cascades of HOG blocks only.\n\n"
          ">>> winnow.HogCascade.load('people')\n"
          "HogCascade(people, 64x128, 512 stages)")
      .def_static(
          "parse",
          [](const nb::bytes& bytes, const std::string& name) {
            return HogCascade::parse(span_of(bytes), name);
          },
          nb::arg("bytes"), nb::arg("name") = "",
          "Reads a cascade from the bytes of its file.\n\n"
          ">>> winnow.HogCascade.parse(winnow.HogCascade.load('people').to_bytes()).name\n"
          "'people'")
      .def(
          "to_bytes", [](const HogCascade& self) { return python_bytes(self.to_bytes()); },
          "The bytes of a file in Winnow's own format.\n\n"
          ">>> winnow.HogCascade.load('people').to_bytes()[4:8]\n"
          "b'WNCS'")
      .def(
          "save", [](const HogCascade& self, const Path& path) { self.save(path.text); }, nb::arg("path"),
          "Writes a file in Winnow's own format, in place of a file of this name.\n\n"
          ">>> winnow.HogCascade.load('people').save('copy.winnow')")
      .def_prop_ro("name", [](const HogCascade& self) { return text_of(self.name()); })
      .def_prop_ro("card", [](const HogCascade& self) { return self.model().card; })
      .def_prop_ro("window", &HogCascade::window, "(width, height)")
      .def_prop_ro(
          "grid", [](const HogCascade& self) { return self.model().grid; },
          "Corners of cells lie on every `grid`-th pixel.")
      .def_prop_ro(
          "step", [](const HogCascade& self) { return self.model().step; },
          "Pixels from one window to the next.")
      .def_prop_ro(
          "zero", [](const HogCascade& self) { return self.model().zero; },
          "This is subtracted from a window's sum to give the score, so that a score of 0 is the usual\n"
          "least score. It counts units of 1 / 4096, like table and least of a stage.")
      .def_prop_ro(
          "stages", [](nb::handle self) { return stages_of(self); },
          nb::sig("def stages(self) -> numpy.typing.NDArray[numpy.void]"),
          "The stages. Each is a block. x, y, cell_width and cell_height count steps of the grid. weights\n"
          "has nine orientations for each of the two by two cells. table has the score of each bin of the\n"
          "response. A window whose sum is below least is rejected.")
      .def_prop_ro(
          "mean",
          [](nb::handle self) -> nb::object {
            const HogCascadeModel& model = nb::cast<const HogCascade&>(self).model();
            if (model.mean.empty()) return nb::none();
            return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(
                model.mean.data(),
                {static_cast<std::size_t>(model.window.height), static_cast<std::size_t>(model.window.width)},
                self));
          },
          nb::sig("def mean(self) -> numpy.typing.NDArray[numpy.uint8] | None"),
          "The mean of the positives that the model was trained on, in grey; None if it is not known.")
      .def_prop_ro(
          "notes", [](const HogCascade& self) { return self.model().notes; }, "Unusual facts about the file.")
      .def("__repr__", [](const HogCascade& self) {
        return text_of("HogCascade(" + self.name() + ", " + std::to_string(self.window().width) + "x" +
                       std::to_string(self.window().height) + ", " +
                       std::to_string(self.model().stages.size()) + " stages)");
      });
  def_model_state(shown);
  def_with_card(shown,
                ">>> winnow.HogCascade.load('people').with_card(name='mine').name\n"
                "'mine'",
                card_inside<HogCascade>, with_card_inside<HogCascade>);
  module.def(
      "list_hog_blocks",
      [](Size window, int grid) {
        std::vector<std::tuple<int, int, int, int>> blocks;
        for (const HogBlock& block : list_hog_blocks(window, grid))
          blocks.emplace_back(block.x, block.y, block.cell_width, block.cell_height);
        return blocks;
      },
      nb::arg("window"), nb::arg("grid") = HogCascadeModel().grid, nb::call_guard<nb::gil_scoped_release>(),
      "The blocks that a window of this size has on the grid: (x, y, cell_width, cell_height) in steps of "
      "the grid.\n\n"
      ">>> winnow.list_hog_blocks((16, 16), 8)\n"
      "[(0, 0, 1, 1)]");
}

}  // namespace winnow::python
