// Lists the kinds of models that can be read and written: a line for each kind.
//
// In:     a file's bytes, or the body of a model (`model_body.h`).
// Out:    the body of the model, or a file's bytes.
// Memory: the list lives as long as the program. References to kinds are valid until the next
//         `add_model_kind`.
// Thread: call `add_model_kind` at the start of a program, before any model is loaded.
#pragma once

#include <winnow/model.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/model_body.h"

namespace winnow {

struct ModelWriter {
  ModelFormat format;
  std::vector<std::byte> (*write)(const ModelBody& body);
};

struct ModelKind {
  std::string name;   // "cascade"
  std::string words;  // "a cascade"
  std::string
      files;  // the files that can be read, for the error about other files: "OpenCV's XML of a cascade"
  bool (*recognizes)(std::span<const std::byte> bytes);
  // `name` goes on the card if the file has no name of its own. An `Error` of `parse` does not name the file;
  // the caller adds the name.
  std::shared_ptr<const ModelBody> (*parse)(std::span<const std::byte> bytes, const std::string& name);
  std::vector<ModelWriter> writers;  // the first writer keeps everything that a model has
  std::vector<std::string> endings;  // endings of the files that `find_models` looks for: ".xml"
};

// Adds a kind. The kind that was added last is asked first whether it recognises a file.
void add_model_kind(const ModelKind& kind);
const std::vector<ModelKind>& model_kinds();
const ModelKind& model_kind(const std::string& name);  // kUsage if no kind has the name
// The endings of all kinds' files, each once, in the order in which `resolve_model` appends them to a name.
std::vector<std::string> model_endings();

inline const std::string kCascadeKind = "cascade";

// The name of Winnow's own format, and the ending of its files. Both are the same for all kinds.
inline const std::string kWinnowFormat = "winnow", kWinnowEnding = ".winnow";

}  // namespace winnow
