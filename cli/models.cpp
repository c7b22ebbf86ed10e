// Runs `winnow models`: lists the models that -m finds by name.
#include <winnow/answer.h>
#include <winnow/cascade.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "commands.h"
#include "standard_output.h"
#include "terminal.h"
#include "text.h"

namespace winnow::cli {

int models_command(const Arguments& arguments) {
  CLI::App app("Lists the models that are found by name, and where.", "winnow models");
  app.footer(
      "Example:\n"
      "  WINNOW_MODELS=$HOME/cascades winnow models\n\n"
      "Models are searched for in this order: the folders of WINNOW_MODELS (separated by ':'), Winnow's\n"
      "folder, OpenCV's folders, and the models inside Winnow itself.");
  bool json = false;
  app.add_flag("--json", json, "print JSON");
  if (!parse_arguments(app, arguments)) return kExitDone;

  const std::vector<ModelEntry> models = find_models();
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ModelEntry& model : models) {
      nlohmann::ordered_json entry;
      entry["name"] = clean_utf8(model.name);
      entry["path"] = clean_utf8(model.path);
      list.push_back(entry);
    }
    print(list.dump(2) + "\n");
    return kExitDone;
  }
  std::size_t width = 0;
  for (const ModelEntry& model : models) width = std::max(width, model.name.size());
  std::string text;
  for (const ModelEntry& model : models) {
    std::string name = model.name;
    name.resize(width + 2, ' ');
    text += printable(name + model.path) + "\n";
  }
  print(text);
  if (models.empty()) {
    std::string sentence = "no models were found in:\n";
    for (const std::string& folder : model_folders()) sentence += "  " + folder + "\n";
    say(sentence);
  }
  return kExitDone;
}

}  // namespace winnow::cli
