// Runs `winnow convert A B`: writes a model in another format. The ending of B gives the format.
#include <winnow/cascade.h>
#include <winnow/error.h>

#include <filesystem>
#include <system_error>

#include "arguments.h"
#include "commands.h"
#include "outputs.h"
#include "standard_output.h"
#include "text.h"

namespace winnow::cli {
namespace {

CascadeFormat format_for(const std::string& path, bool old) {
  const std::string ending = std::filesystem::path(path).extension().string();
  require(ending == ".winnow" || ending == ".xml", "the new file must end in .winnow or .xml: " + path);
  require(ending == ".xml" || !old, "--old is a way to write .xml files: " + path);
  if (ending == ".winnow") return CascadeFormat::kWinnow;
  return old ? CascadeFormat::kOpenCvOldXml : CascadeFormat::kOpenCvXml;
}

}  // namespace

int convert_command(const Arguments& arguments) {
  CLI::App app("Writes a model in another format; it decides the same, with the same numbers.",
               "winnow convert");
  app.footer(
      "Example:\n"
      "  winnow convert haarcascade_frontalface_alt face.winnow\n\n"
      "B ends in .winnow (Winnow's own format) or .xml (OpenCV's). The old OpenCV format holds Haar cascades "
      "only.");
  std::string from, to;
  bool old = false, force = false;
  app.add_option("A", from, "name or file of the model")->required()->type_name("");
  app.add_option("B", to, "file to write")->required()->type_name("");
  app.add_flag("--old", old, "write the old XML format of opencv_haartraining");
  app.add_flag("--force", force, "write over an existing file");
  if (!parse_arguments(app, arguments)) return kExitDone;

  const CascadeFormat format = format_for(to, old);
  if (!force) check_new(to);
  const std::string file = find_model_file(from);
  const Cascade cascade = Cascade::load(file);
  cascade.save(to, format);
  std::error_code error;
  const auto bytes = std::filesystem::file_size(to, error);
  print(printable(to) + ": " + printable(model_name(cascade.model().card, file)) + " as " +
        cascade_format_name(format) + ", " +
        counted(static_cast<long long>(cascade.model().stages.size()), "stage") + ", " +
        (error ? std::string("?") : std::to_string(bytes)) + " bytes\n");
  return kExitDone;
}

}  // namespace winnow::cli
