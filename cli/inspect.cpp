// Runs `winnow inspect MODEL`: shows the contents of a model file, as text, JSON or a picture of its
// features. The opening comment of cli/commands.h, which declares this, holds here.
#include <winnow/image.h>
#include <winnow/inspect.h>
#include <winnow/model.h>

#include <utility>

#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/outputs.h"
#include "terminal/standard_output.h"
#include "terminal/terminal.h"

namespace winnow::cli {

int inspect_command(const Arguments& arguments) {
  CLI::App app("Shows what a model file holds and what is unusual about it.", "winnow inspect");
  app.footer(
      "Example:\n"
      "  winnow inspect haarcascade_frontalface_alt --out features.png\n\n"
      "The picture of a cascade has a row for each stage with its first features: white is added, black is\n"
      "taken away. That of a HOG SVM shows the window twice, as edges that raise and that lower the score. "
      "That\n"
      "of a cascade of HOG blocks shows the first blocks and the place of all, on the mean positive.\n"
      "That of landmarks shows the mean shape and the pixels that stages read.");
  std::string name, out;
  bool json = false;
  app.add_option("MODEL", name, "name or file of the model (`winnow models` lists the names)")
      ->required()
      ->type_name("");
  app.add_flag("--json", json, "print JSON");
  app.add_option("--out", out, "also draw what the model looks at into this picture")->type_name("FILE.png");
  if (!parse_arguments(app, arguments)) return kExitDone;

  const std::string path = find_model_file(name);
  require(out.empty() || !same_place(out, path), "--out would write over the model: " + out);
  const Model model = Model::load(path);
  std::string note;
  if (!out.empty()) {
    ModelPicture picture = draw_model(model);
    write_picture(out, std::as_const(picture.image).view());
    note = std::move(picture.note);
  }
  print(json ? inspect_json(model, path) : inspect_text(model, path));
  if (!note.empty()) say(note);
  return kExitDone;
}

}  // namespace winnow::cli
