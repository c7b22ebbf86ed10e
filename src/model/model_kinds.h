// Lists the kinds of detector models that can be read, each with its reader.
//
// In:     a file's bytes.
// Out:    the body of the model (`model_body.h`).
// Memory: the list lives as long as the program.
// Thread: call `add_model_kind` at the start of a program, before any model is loaded.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "model/model_body.h"

namespace winnow {

struct ModelKind {
  std::string name;  // "cascade"
  bool (*recognizes)(std::span<const std::byte> bytes);
  // `name` goes on the card if the file has no name of its own. Throws `Error` without a file name.
  std::shared_ptr<const ModelBody> (*parse)(std::span<const std::byte> bytes, const std::string& name);
};

// The kind added last is asked first whether it recognizes a file.
void add_model_kind(const ModelKind& kind);

inline const std::string kCascadeKind = "cascade";

}  // namespace winnow
