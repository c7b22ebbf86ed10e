// The kinds of detector models that can be read, each with its reader.
//
// In:     a file's bytes. Out: the body of the model (`model_body.h`).
// Thread: `add_model_kind` is for the start of a program, before any model is loaded.
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
  // `name`: for the card, if the file has none. Throws `Error` without a file name.
  std::shared_ptr<const ModelBody> (*parse)(std::span<const std::byte> bytes, const std::string& name);
};

// Later kinds are asked first whether they recognise a file; what none recognises is read as a cascade.
void add_model_kind(const ModelKind& kind);

inline const std::string kCascadeKind = "cascade";

}  // namespace winnow
