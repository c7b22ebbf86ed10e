// Lists for each kind of model the functions that describe and draw its models.
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

// Texts of whole lines. A line of facts has the fact's name in the first ten columns.
struct ModelText {
  std::string facts;  // the kind and its elements
  std::string more;   // the lines after those of the card: rules, tables
};

struct ModelPages {
  std::string kind;
  ModelText (*text)(const ModelBody& body) = nullptr;
  nlohmann::ordered_json (*fields)(const ModelBody& body) = nullptr;  // an object
  ModelPicture (*draw)(const ModelBody& body) = nullptr;              // null: kUnsupported
};

// Adds the pages of a kind. Pages that are added later replace earlier pages of the same kind.
void add_model_pages(const ModelPages& pages);

ModelPages cascade_pages();
ModelPages hog_svm_pages();
ModelPages hog_cascade_pages();
ModelPages landmark_pages();

}  // namespace winnow
