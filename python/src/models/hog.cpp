// Binds `HogShape` and `HogSvm`.
#include <winnow/hog.h>

#include <winnow/error.h>

#include <filesystem>

#include "constructor.h"
#include "models/model_methods.h"
#include "typed.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
namespace {

HogFormat parse_format(const HogFormatWord& word) {
  return enumerator(word.text, "format of HOG SVMs", HogFormat::kOpenCvXml, HogFormat::kWinnow,
                    hog_format_name);
}

HogFormat format_for(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".winnow") return HogFormat::kWinnow;
  if (ending == ".xml") return HogFormat::kOpenCvXml;
  throw Error(ErrorCode::kUsage, "the file must end in .winnow or .xml, or the format must be named", path);
}

using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void bind_shape(nb::module_& module) {
  nb::class_<HogShape> shown(
      module, "HogShape",
      "How a HOG SVM describes a window. The defaults are those of OpenCV's people model.\n\n"
      ">>> winnow.HogShape(window=(48, 96), gamma=False).values\n"
      "1980");
  def_constructor(
      shown,
      +[](HogShape* self, Size window, Size block, Size block_stride, Size cell, int bins, bool directed,
          bool gamma, double sigma, double clip) {
        const HogShape shape{window, block, block_stride, cell, bins, directed, gamma, sigma, clip};
        check_hog_shape(shape);
        new (self) HogShape(shape);
      },
      nb::kw_only(), nb::arg("window") = HogShape().window, nb::arg("block") = HogShape().block,
      nb::arg("block_stride") = HogShape().block_stride, nb::arg("cell") = HogShape().cell,
      nb::arg("bins") = HogShape().bins, nb::arg("directed") = HogShape().directed,
      nb::arg("gamma") = HogShape().gamma, nb::arg("sigma") = HogShape().sigma,
      nb::arg("clip") = HogShape().clip);
  shown.def_ro("window", &HogShape::window, "(width, height)")
      .def_ro("block", &HogShape::block, "(width, height) of a block, whose cells are normalised together.")
      .def_ro("block_stride", &HogShape::block_stride,
              "(x, y) pixels from one block of a window to the next.")
      .def_ro("cell", &HogShape::cell, "(width, height)")
      .def_ro("bins", &HogShape::bins, "The number of bins of orientation.")
      .def_ro("directed", &HogShape::directed,
              "Whether opposite gradients differ: bins cover 360 degrees, not 180.")
      .def_ro("gamma", &HogShape::gamma, "Whether pixels are replaced by their square roots first.")
      .def_ro("sigma", &HogShape::sigma,
              "The sigma of the Gaussian over a block; 0 stands for an eighth of the block's width + height.")
      .def_ro("clip", &HogShape::clip, "Larger values of a normalised block are cut to this value.")
      .def_prop_ro("values", &HogShape::values,
                   "The number of values of a window, and so the number of weights.")
      .def(
          "__eq__",
          [](const HogShape& a, nb::handle b) {
            const HogShape* other = nullptr;
            return nb::try_cast(b, other) && other != nullptr && a == *other;
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const HogShape& shape) {
        return "HogShape(" + std::to_string(shape.window.width) + "x" + std::to_string(shape.window.height) +
               ", " + std::to_string(shape.values()) + " values)";
      });
}

}  // namespace

void bind_hog(nb::module_& module) {
  bind_shape(module);
  nb::class_<HogSvm> shown(
      module, "HogSvm",
      "A linear SVM over histograms of oriented gradients: OpenCV's HOGDescriptor with its "
      "numbers.\n\n"
      ">>> svm = winnow.HogSvm(np.zeros(3780, np.float32), bias=-1)\n"
      ">>> svm.window, svm.bias, winnow.Detector(svm, backend='cpu').model.kind\n"
      "((64, 128), -1.0, 'hog-svm')");
  def_constructor(
      shown,
      +[](HogSvm* self, const FloatArray& weights, double bias, const HogShape& shape,
          const std::string& name) {
        Floats numbers;
        if (!nb::try_cast(weights.object, numbers))
          throw nb::type_error("weights are an array of numbers with one dimension");
        HogSvmModel model;
        model.shape = shape;
        model.weights.assign(numbers.data(), numbers.data() + numbers.size());
        model.bias = bias;
        model.card.name = name;
        new (self) HogSvm(std::move(model));
      },
      nb::arg("weights"), nb::arg("bias") = 0.0, nb::arg("shape") = HogShape(), nb::kw_only(),
      nb::arg("name") = "");
  shown
      .def_static(
          "load", [](const Path& name) { return HogSvm::load(resolve_model(name.text)); },
          nb::arg("name_or_path"), nb::call_guard<nb::gil_scoped_release>(),
          "As `load`, for HOG SVMs only. A file is OpenCV's XML, YAML or JSON, a text of numbers, or\n"
          "Winnow's own file.\n\n"
          ">>> winnow.HogSvm(np.ones(3780, np.float32)).save('people.xml')\n"
          ">>> winnow.HogSvm.load('people.xml')\n"
          "HogSvm(people, 64x128, 3780 weights)")
      .def_static(
          "parse",
          [](const nb::bytes& bytes, const std::string& name) { return HogSvm::parse(span_of(bytes), name); },
          nb::arg("bytes"), nb::arg("name") = "",
          "Reads an SVM from the bytes of its file.\n\n"
          ">>> numbers = ' '.join(['0.5'] * 3780 + ['-7'])\n"
          ">>> winnow.HogSvm.parse(numbers.encode(), 'pasted').bias\n"
          "-7.0")
      .def(
          "to_bytes",
          [](const HogSvm& self, const HogFormatWord& format) {
            return python_bytes(self.to_bytes(parse_format(format)));
          },
          nb::arg("format") = "winnow",
          "The bytes of a file: 'winnow' or 'opencv-xml'.\n\n"
          ">>> winnow.HogSvm(np.ones(3780, np.float32)).to_bytes('opencv-xml')[:5]\n"
          "b'<?xml'")
      .def(
          "save",
          [](const HogSvm& self, const Path& path, const std::optional<HogFormatWord>& format) {
            self.save(path.text, format ? parse_format(*format) : format_for(path.text));
          },
          nb::arg("path"), nb::arg("format") = nb::none(),
          "Writes a file, in place of a file of this name. The ending of the name gives the format if\n"
          "`format` is None.\n\n"
          ">>> winnow.HogSvm(np.ones(3780, np.float32)).save('people.winnow')")
      .def_prop_ro("name", [](const HogSvm& self) { return text_of(self.name()); })
      .def_prop_ro("card", [](const HogSvm& self) { return self.model().card; })
      .def_prop_ro("window", &HogSvm::window, "(width, height)")
      .def_prop_ro("shape", [](const HogSvm& self) { return self.model().shape; })
      .def_prop_ro(
          "weights",
          [](nb::handle self) {
            const std::vector<float>& weights = nb::cast<const HogSvm&>(self).model().weights;
            return nb::cast(nb::ndarray<nb::numpy, const float>(weights.data(), {weights.size()}, self));
          },
          nb::sig("def weights(self) -> numpy.typing.NDArray[numpy.float32]"),
          "A weight for each value of a window, in OpenCV's order: the blocks column by column, within a\n"
          "block its cells column by column, within a cell its bins.")
      .def_prop_ro(
          "bias", [](const HogSvm& self) { return self.model().bias; },
          "The bias, which is added to every score.")
      .def_prop_ro(
          "notes", [](const HogSvm& self) { return self.model().notes; }, "Unusual facts about the file.")
      .def("__repr__", [](const HogSvm& self) {
        return text_of("HogSvm(" + self.name() + ", " + std::to_string(self.window().width) + "x" +
                       std::to_string(self.window().height) + ", " +
                       std::to_string(self.model().weights.size()) + " weights)");
      });
  def_model_state(shown);
  def_with_card(shown,
                ">>> winnow.HogSvm(np.ones(3780, np.float32)).with_card(name='mine').name\n"
                "'mine'",
                card_inside<HogSvm>, with_card_inside<HogSvm>);
}

}  // namespace winnow::python
