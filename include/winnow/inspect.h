// Describes and draws a model: text for people, JSON for programs, a picture of its features.
//
//   const winnow::Model model = winnow::Model::load("face.winnow");
//   std::fputs(winnow::inspect_text(model, "face.winnow").c_str(), stdout);
//   const winnow::ModelPicture drawn = winnow::draw_model(model);
//   winnow::write_picture("face.png", drawn.image.view());
//
// In:     a model of any kind, and the path that the text names.
// Out:    whole lines of clean UTF-8, or a picture. If a kind of model has no text of its own, the text gives
//         the kind, the size (`Model::holds`), the card and the notes.
// Exact:  the same bytes and pixels for the same model.
// Memory: all results belong to the caller. The model is read only during the call.
// Thread: any thread may call the functions.
//
// `draw_model.h` draws a model of one kind.
#pragma once

#include <string>

#include <winnow/export.h>
#include <winnow/image.h>
#include <winnow/model.h>

namespace winnow {

// Control characters are shown as '?'.
WINNOW_API std::string inspect_text(const Model& model, const std::string& path);
// One JSON object. A number that is not finite is null.
WINNOW_API std::string inspect_json(const Model& model, const std::string& path);

struct ModelPicture {
  RgbImage image;
  std::string note;  // what the picture leaves out, in a sentence without a full stop; mostly empty
};

// kUnsupported if models of this kind are not drawn.
WINNOW_API ModelPicture draw_model(const Model& model);

}  // namespace winnow
