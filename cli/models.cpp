// Runs `winnow models`: lists the models that are found by name, and the task of each. The opening comment of
// cli/commands.h, which declares this, holds here.
#include <winnow/answer.h>
#include <winnow/cascade.h>
#include <winnow/error.h>
#include <winnow/model.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

struct Row {
  std::string name, does, path;  // each without line breaks
};

// A table of the rows. A column is as wide as its longest text.
std::string text_of(const std::vector<Row>& rows) {
  std::size_t name = 0, does = 0;
  for (const Row& row : rows) {
    name = std::max(name, row.name.size());
    does = std::max(does, row.does.size());
  }
  std::string text;
  for (Row row : rows) {
    row.name.resize(name + 2, ' ');
    row.does.resize(does + 2, ' ');
    text += row.name + row.does + row.path + "\n";
  }
  return text;
}

}  // namespace

int models_command(const Arguments& arguments) {
  CLI::App app("Lists the models that are found by name: what each does, and where it is.", "winnow models");
  app.footer(
      "Example:\n"
      "  WINNOW_MODELS=$HOME/cascades winnow models\n\n"
      "Models are searched for in this order: the folders of WINNOW_MODELS (separated by ':'), Winnow's\n"
      "folder, OpenCV's folders, and the models inside Winnow itself.");
  bool json = false;
  app.add_flag("--json", json, "print JSON");
  if (!parse_arguments(app, arguments)) return kExitDone;

  const std::vector<ModelEntry> models = find_models();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<Row> rows;
  std::vector<Error> broken;
  for (const ModelEntry& entry : models) {
    nlohmann::ordered_json described;
    described["name"] = clean_utf8(entry.name);
    described["path"] = clean_utf8(entry.path);
    Row row{printable(entry.name), "cannot be read", printable(entry.path)};
    try {
      const Model model = Model::load(entry.path);
      described["kind"] = model.kind();
      described["does"] = clean_utf8(model.does());
      row.does = printable(model.does());
    } catch (const Error& error) {
      described["problem"] = clean_utf8(error.what());
      broken.push_back(error);
    }
    for (std::string* text : {&row.name, &row.does, &row.path})
      std::replace(text->begin(), text->end(), '\n', ' ');
    list.push_back(std::move(described));
    rows.push_back(std::move(row));
  }
  if (json) {
    print(list.dump(2) + "\n");
    return kExitDone;
  }
  print(text_of(rows));
  for (const Error& error : broken) say(error.what());
  if (models.empty()) {
    std::string sentence = "no models were found in:\n";
    for (const std::string& folder : model_folders()) sentence += "  " + folder + "\n";
    say(sentence);
  }
  return kExitDone;
}

}  // namespace winnow::cli
