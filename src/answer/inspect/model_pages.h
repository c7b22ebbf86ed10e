// Lists the functions that describe and draw models, for each kind of model.
//
// In:     the body of a model.
// Out:    lines of text, fields of JSON, a picture.
// Memory: the list lives as long as the program; texts and pictures belong to the caller.
// Thread: call `add_model_pages` at the start of a program, before any model is inspected.
#pragma once

#include <winnow/inspect.h>

#include <nlohmann/json.hpp>
#include <string>

#include "model/model_body.h"

namespace winnow {

// Texts that consist of whole lines. In `facts`, the first ten columns of a line hold the fact's name.
struct ModelText {
  std::string facts;  // the model's kind, and the elements that it has
  std::string more;   // lines that follow the lines of the model's card: rules, tables
};

struct ModelPages {
  std::string kind;
  ModelText (*text)(const ModelBody& body) = nullptr;
  nlohmann::ordered_json (*fields)(const ModelBody& body) = nullptr;  // gives an object
  ModelPicture (*draw)(const ModelBody& body) = nullptr;  // null: `draw_model` throws kUnsupported
};

// Adds the functions for a kind. Functions that are added later replace earlier functions for the same kind.
void add_model_pages(const ModelPages& pages);

ModelPages cascade_pages();
ModelPages hog_svm_pages();
ModelPages hog_cascade_pages();
ModelPages landmark_pages();

}  // namespace winnow
