// Runs `winnow convert A B`: writes a model in another format. The ending of B gives the format. The opening
// comment of cli/commands.h, which declares this, holds here.
#include <winnow/answer.h>
#include <winnow/cascade.h>
#include <winnow/error.h>
#include <winnow/landmarks.h>
#include <winnow/model.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/outputs.h"
#include "terminal/standard_output.h"
#include "terminal/suggestion.h"
#include "training/card_arguments.h"

namespace winnow::cli {
namespace {

ModelFormat format_for(const Model& model, const std::string& to, bool old) {
  if (!old) return model.format_of(to);
  const std::string name = cascade_format_name(CascadeFormat::kOpenCvOldXml);
  for (const ModelFormat& format : model.formats()) {
    if (format.name != name) continue;
    require(std::filesystem::path(to).extension() == format.ending,
            "--old is a way to write .xml files: " + to);
    return format;
  }
  throw Error(ErrorCode::kUsage, "--old is a format of cascades, and this is " + model.kind_words());
}

// Returns the model with leaves of `bits` bits, or the model as it is if `bits` is 0.
Model with_bits(const Model& model, int bits) {
  if (bits == 0) return model;
  require(bits == 16, "--bits is 16, not " + std::to_string(bits));
  const std::optional<Landmarks> landmarks = Landmarks::from(model);
  require(landmarks.has_value(), "--bits is for landmarks, and this is " + model.kind_words());
  return landmarks->with_16_bits();
}

// Throws kUsage if the user gave B before A: the model to read does not exist, and the file to write is a
// model.
void check_order(const std::string& from, const std::string& to, Arguments arguments) {
  std::error_code error;
  if (std::filesystem::exists(from, error) || !std::filesystem::is_regular_file(to, error)) return;
  try {
    resolve_model(from);
    return;  // `from` is the name of a model
  } catch (const Error&) {
  }
  try {
    Model::load(to);
  } catch (const Error&) {
    return;
  }
  for (std::string& argument : arguments)
    if (argument == from || argument == to) argument = argument == from ? to : from;
  throw Error(ErrorCode::kUsage, "the model to read comes first: there is no model '" + from + "', and '" +
                                     to + "' is a model" + did_you_mean("convert", arguments));
}

}  // namespace

int convert_command(const Arguments& arguments) {
  CLI::App app("Writes a model in another format; without --bits it decides the same, with the same numbers.",
               "winnow convert");
  app.footer(
      "Examples:\n"
      "  winnow convert /usr/share/dlib/shape_predictor_68_face_landmarks.dat points.winnow --bits 16\n"
      "  winnow convert haarcascade_frontalface_alt face.winnow\n"
      "  winnow convert people.yml people.winnow --finds person\n\n"
      "B ends in .winnow (Winnow's own format), .xml (OpenCV's) or .dat (dlib's landmarks). The old OpenCV "
      "format holds Haar "
      "cascades\n"
      "only. OpenCV's formats keep --terms alone.");
  std::string from, to;
  bool old = false, force = false;
  int bits = 0;
  CardArguments words;
  app.add_option("A", from, "name or file of the model")->required()->type_name("");
  app.add_option("B", to, "file to write")->required()->type_name("");
  app.add_flag("--old", old, "write the old XML format of opencv_haartraining");
  app.add_option("--bits", bits, "landmarks: store leaves in so many bits: 16")->type_name("N");
  app.add_flag("--force", force, "write over an existing file");
  add_card_options(app, words, "as in A", "as in A", app.get_option("--force")->get_group());
  if (!parse_arguments(app, arguments)) return kExitDone;

  check_order(from, to, arguments);
  if (!force) check_new(to);
  const Model model = with_bits(Model::load(find_model_file(from)), bits);
  const ModelFormat format = format_for(model, to, old);
  require(format.whole || (words.name.empty() && words.finds.empty() && !words.margin && !words.aspect),
          "--name, --finds, --box-margin and --box-aspect are kept in .winnow files only: " + to);
  const Model named = model.with_card(with_words(model.card(), words));
  named.save(to, format.name);
  std::error_code error;
  const auto bytes = std::filesystem::file_size(to, error);
  print(printable(to) + ": " + printable(named.name()) + " as " + format.name + ", " + named.holds() + ", " +
        (error ? std::string("?") : std::to_string(bytes)) + " bytes\n");
  return kExitDone;
}

}  // namespace winnow::cli
