// Runs `winnow convert A B`: writes a model in another format. The ending of B gives the format.
#include <winnow/cascade.h>
#include <winnow/detector_model.h>
#include <winnow/error.h>
#include <winnow/hog.h>
#include <winnow/hog_cascade.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "arguments.h"
#include "card_arguments.h"
#include "commands.h"
#include "outputs.h"
#include "standard_output.h"
#include "text.h"

namespace winnow::cli {
namespace {

enum class Ending { kWinnow, kXml };

Ending ending_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  require(ending == ".winnow" || ending == ".xml", "the new file must end in .winnow or .xml: " + path);
  return ending == ".winnow" ? Ending::kWinnow : Ending::kXml;
}

// The card with the words of the command line.
ModelCard with_words(ModelCard card, const CardArguments& words) {
  if (!words.name.empty()) card.name = words.name;
  if (!words.finds.empty()) card.kind = words.finds;
  if (!words.terms.empty()) card.terms = words.terms;
  check_card(card);
  return card;
}

// Both give what the model is made of, for the last line.
std::string convert_cascade(const Cascade& cascade, const CardArguments& words, const std::string& to,
                            Ending ending, bool old) {
  CascadeModel model = cascade.model();
  model.card = with_words(model.card, words);
  const CascadeFormat format = ending == Ending::kWinnow ? CascadeFormat::kWinnow
                               : old                     ? CascadeFormat::kOpenCvOldXml
                                                         : CascadeFormat::kOpenCvXml;
  const std::size_t stages = model.stages.size();
  Cascade(std::move(model)).save(to, format);
  return std::string(cascade_format_name(format)) + ", " + counted(static_cast<long long>(stages), "stage");
}

std::string convert_hog(const HogSvm& svm, const CardArguments& words, const std::string& to, Ending ending,
                        bool old) {
  require(!old, "--old is a format of cascades, and this is a HOG SVM");
  HogSvmModel model = svm.model();
  model.card = with_words(model.card, words);
  const HogFormat format = ending == Ending::kWinnow ? HogFormat::kWinnow : HogFormat::kOpenCvXml;
  const std::size_t weights = model.weights.size();
  HogSvm(std::move(model)).save(to, format);
  return std::string(hog_format_name(format)) + ", " + counted(static_cast<long long>(weights), "weight");
}

}  // namespace

int convert_command(const Arguments& arguments) {
  CLI::App app("Writes a model in another format; it decides the same, with the same numbers.",
               "winnow convert");
  app.footer(
      "Examples:\n"
      "  winnow convert haarcascade_frontalface_alt face.winnow\n"
      "  winnow convert people.yml people.winnow --finds person\n\n"
      "B ends in .winnow (Winnow's own format) or .xml (OpenCV's). The old OpenCV format holds Haar "
      "cascades\n"
      "only. OpenCV's formats hold neither --name nor --finds.");
  std::string from, to;
  bool old = false, force = false;
  CardArguments words;
  app.add_option("A", from, "name or file of the model")->required()->type_name("");
  app.add_option("B", to, "file to write")->required()->type_name("");
  app.add_flag("--old", old, "write the old XML format of opencv_haartraining");
  app.add_flag("--force", force, "write over an existing file");
  add_card_options(app, words, "as in A", "as in A", app.get_option("--force")->get_group());
  if (!parse_arguments(app, arguments)) return kExitDone;

  const Ending ending = ending_of(to);
  require(ending == Ending::kXml || !old, "--old is a way to write .xml files: " + to);
  require(ending == Ending::kWinnow || (words.name.empty() && words.finds.empty()),
          "--name and --finds are kept in .winnow files only: " + to);
  if (!force) check_new(to);
  const std::string file = find_model_file(from);
  const DetectorModel model = DetectorModel::load(file);
  std::string made;
  if (const Cascade* cascade = model.cascade()) {
    made = convert_cascade(*cascade, words, to, ending, old);
  } else if (const std::optional<HogSvm> svm = HogSvm::from(model)) {
    made = convert_hog(*svm, words, to, ending, old);
  } else if (const std::optional<HogCascade> blocks = HogCascade::from(model)) {
    require(ending == Ending::kWinnow, "a cascade of HOG blocks can be written as .winnow alone: " + to);
    HogCascadeModel copy = blocks->model();
    copy.card = with_words(copy.card, words);
    made = "winnow, " + counted(static_cast<long long>(copy.stages.size()), "stage");
    HogCascade(std::move(copy)).save(to);
  } else {
    throw Error(ErrorCode::kUnsupported, "`winnow convert` does not know models of kind " + model.kind(),
                file);
  }
  std::error_code error;
  const auto bytes = std::filesystem::file_size(to, error);
  const std::string name = words.name.empty() ? model_name(model.card(), file) : words.name;
  print(printable(to) + ": " + printable(name) + " as " + made + ", " +
        (error ? std::string("?") : std::to_string(bytes)) + " bytes\n");
  return kExitDone;
}

}  // namespace winnow::cli
