// Binds `Pack`, and the functions that make, write and read packs.
#include <winnow/pack.h>

#include <memory>

#include "constructor.h"
#include "paths.h"
#include "typed.h"
#include "values.h"
#include "words.h"

namespace winnow::python {
void bind_pack(nb::module_& module) {
  nb::class_<Jitter> jitter(module, "Jitter",
                            "The random changes in copies of each positive. The positive itself stays\n"
                            "beside its copies.\n\n"
                            ">>> winnow.Jitter(copies=4, roll=8).copies\n"
                            "4");
  def_constructor(
      jitter,
      +[](Jitter* self, int copies, double roll, double scale, double shift, double blur, double gamma,
          double gradient, double shade, double noise) {
        new (self) Jitter{copies, roll, scale, shift, blur, gamma, gradient, shade, noise};
      },
      nb::kw_only(), nb::arg("copies") = 0, nb::arg("roll") = Jitter().roll,
      nb::arg("scale") = Jitter().scale, nb::arg("shift") = Jitter().shift, nb::arg("blur") = 0.0,
      nb::arg("gamma") = 0.0, nb::arg("gradient") = 0.0, nb::arg("shade") = 0.0, nb::arg("noise") = 0.0);
  jitter.def_ro("copies", &Jitter::copies)
      .def_ro("roll", &Jitter::roll, "The largest rotation in degrees, in both directions.")
      .def_ro("scale", &Jitter::scale, "The largest change of size, as a fraction of the size.")
      .def_ro("shift", &Jitter::shift, "The largest move along x and y, as a fraction of the side.")
      .def_ro("blur", &Jitter::blur, "The largest blur, in pixels of the window.")
      .def_ro("gamma", &Jitter::gamma, "Exponents of the grey levels lie from 1 / (1 + gamma) to 1 + gamma.")
      .def_ro("gradient", &Jitter::gradient,
              "The largest difference of light across the window, as a fraction of 255.")
      .def_ro("shade", &Jitter::shade, "The largest fraction of the light that is lost towards one side.")
      .def_ro("noise", &Jitter::noise, "The noise's standard deviation in every copy, as a fraction of 255.")
      .def("__repr__", [](const Jitter& shown) { return nb::str("Jitter(copies={})").format(shown.copies); });

  nb::class_<Pack::Negative>(module, "PackNegative",
                             "A picture without the object, as the bytes of its file.")
      .def_prop_ro("name", [](const Pack::Negative& negative) { return text_of(negative.name); })
      .def_ro("size", &Pack::Negative::size, "(width, height)")
      .def_prop_ro("file", [](const Pack::Negative& negative) {
        return nb::bytes(negative.file.data(), negative.file.size());
      });

  nb::class_<Pack>(
      module, "Pack",
      "The samples of a training: aligned positives of one size, and pictures without the object.\n\n"
      ">>> pack = winnow.make_pack('crops', 'backgrounds', window=(24, 24))\n"
      ">>> pack.positives.shape, len(pack.negatives)\n"
      "((40, 24, 24), 3)")
      .def_ro("window", &Pack::window, "(width, height)")
      .def_prop_ro(
          "positives",
          [](nb::handle self) {
            const Pack& pack = nb::cast<const Pack&>(self);
            static const std::uint8_t none = 0;
            return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(
                pack.positives.empty() ? &none : pack.positives.data(),
                {pack.positive_count(), static_cast<std::size_t>(pack.window.height),
                 static_cast<std::size_t>(pack.window.width)},
                self));
          },
          nb::sig("def positives(self) -> numpy.typing.NDArray[numpy.uint8]"),
          "(n, height, width); read-only.")
      .def_ro("color", &Pack::color, "Whether the pack has colours beside the grey of its samples.")
      .def_prop_ro(
          "colors",
          [](nb::handle self) -> nb::object {
            const Pack& pack = nb::cast<const Pack&>(self);
            if (!pack.color) return nb::none();
            static const std::uint8_t none = 0;
            return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(
                pack.colors.empty() ? &none : pack.colors.data(),
                {pack.positive_count(), static_cast<std::size_t>(pack.window.height),
                 static_cast<std::size_t>(pack.window.width), std::size_t{3}},
                self));
          },
          nb::sig("def colors(self) -> numpy.typing.NDArray[numpy.uint8] | None"),
          "(n, height, width, 3), red first; read-only. None for a pack of grey.")
      .def_prop_ro(
          "names",
          [](const Pack& pack) {
            nb::list names;
            for (const std::string& name : pack.names) names.append(text_of(name));
            return names;
          },
          nb::sig("def names(self) -> list[str]"), "The origin of each positive.")
      .def_prop_ro(
          "negatives", [](const Pack& pack) -> const std::vector<Pack::Negative>& { return pack.negatives; },
          nb::rv_policy::copy)
      .def_prop_ro(
          "recipe", [](const Pack& pack) { return text_of(pack.recipe); }, "How the pack was made, as JSON.")
      .def("__repr__", [](const Pack& pack) {
        return "Pack(" + std::to_string(pack.positive_count()) + " positives of " +
               std::to_string(pack.window.width) + "x" + std::to_string(pack.window.height) + ", " +
               std::to_string(pack.negatives.size()) + " negatives)";
      });

  const PackOptions usual;
  module.def(
      "make_pack",
      [](const Paths& positives, const Paths& negatives, Size window, bool mirror, const Jitter& variety,
         std::uint64_t seed, int samples, std::tuple<double, double, double, double> crop, Box negative_crop,
         double margin, std::string category, Path pictures, TruthFormatWord truth_format, std::string eyes,
         double eye_span, double eye_line, int warps, double warp_x, double warp_y, double warp_z,
         int warp_intensity, int background, int background_tolerance, bool color, int encode,
         std::optional<nb::callable> note) {
        PackOptions options;
        options.window = window;
        options.mirror = mirror;
        options.jitter = variety;
        options.seed = seed;
        options.samples = samples;
        options.crop = {std::get<0>(crop), std::get<1>(crop), std::get<2>(crop), std::get<3>(crop)};
        options.negative_crop = negative_crop;
        options.margin = margin;
        options.category = std::move(category);
        options.pictures = std::move(pictures.text);
        options.truth_format = std::move(truth_format.text);
        options.eyes = std::move(eyes);
        options.eye_span = eye_span, options.eye_line = eye_line;
        options.warps = warps;
        options.warp_x = warp_x, options.warp_y = warp_y, options.warp_z = warp_z;
        options.warp_intensity = warp_intensity;
        options.background = background, options.background_tolerance = background_tolerance;
        options.color = color, options.encode = encode;
        const std::vector<std::string> with = paths_of(positives.object),
                                       without = paths_of(negatives.object);
        PackNote to_python;
        if (note) {
          to_python = [&note](const std::string& sentence) {
            const nb::gil_scoped_acquire python;
            (*note)(text_of(sentence));
          };
        }
        auto pack = std::make_unique<Pack>();
        {
          const nb::gil_scoped_release free;
          *pack = make_pack(with, without, options, to_python);
        }
        return pack;
      },
      nb::arg("positives"), nb::arg("negatives") = nb::make_tuple(), nb::kw_only(),
      nb::arg("window") = usual.window, nb::arg("mirror") = false, nb::arg("jitter") = Jitter(),
      nb::arg("seed") = usual.seed, nb::arg("samples") = 0,
      nb::arg("crop") = nb::make_tuple(0.0, 0.0, 0.0, 0.0), nb::arg("negative_crop") = Box(),
      nb::arg("margin") = 1.0, nb::arg("category") = "", nb::arg("pictures") = Path{},
      nb::arg("truth_format") = "", nb::arg("eyes") = "", nb::arg("eye_span") = usual.eye_span,
      nb::arg("eye_line") = usual.eye_line, nb::arg("warps") = 0, nb::arg("warp_x") = usual.warp_x,
      nb::arg("warp_y") = usual.warp_y, nb::arg("warp_z") = usual.warp_z,
      nb::arg("warp_intensity") = usual.warp_intensity, nb::arg("background") = usual.background,
      nb::arg("background_tolerance") = usual.background_tolerance, nb::arg("color") = false,
      nb::arg("encode") = 0, nb::arg("note") = nb::none(),
      "Makes a pack. A source is a folder of crops, a picture (with `warps`), a .vec file or labels; a "
      "source of\n"
      "negatives is a folder, a list of names (bg.txt), a data.yaml or a picture. `note` is called with a "
      "sentence about\n"
      "each thing that is left out. The options are those of `winnow train pack`.\n\n"
      ">>> winnow.make_pack('crops', 'backgrounds', window=(24, 24), mirror=True)\n"
      "Pack(80 positives of 24x24, 3 negatives)");
  module.def(
      "read_pack",
      [](const Paths& paths) {
        const std::vector<std::string> names = paths_of(paths.object);
        const nb::gil_scoped_release free;
        return std::make_unique<Pack>(read_pack(names));
      },
      nb::arg("paths"),
      "Reads a pack, or joins several packs with windows of one size.\n\n"
      ">>> names = winnow.write_pack(winnow.make_pack('crops', 'backgrounds'), 'mugs.pack')\n"
      ">>> winnow.read_pack('mugs.pack')\n"
      "Pack(40 positives of 24x24, 3 negatives)");
  module.def(
      "write_pack",
      [](const Pack& pack, const Path& path, std::int64_t shard_bytes) {
        std::vector<Path> names;
        for (std::string& name : write_pack(pack, path.text, shard_bytes)) names.push_back({std::move(name)});
        return names;
      },
      nb::arg("pack"), nb::arg("path"), nb::kw_only(), nb::arg("part_bytes") = 0,
      nb::call_guard<nb::gil_scoped_release>(),
      "Writes a pack into one file, or, with part_bytes, into parts of at most so many bytes. Gives the\n"
      "names of the files.\n\n"
      ">>> winnow.write_pack(winnow.make_pack('crops', 'backgrounds'), 'mugs.pack')\n"
      "['mugs.pack']");
}

}  // namespace winnow::python
