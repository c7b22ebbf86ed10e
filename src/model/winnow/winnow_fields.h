// Reads and writes the fields that all kinds of .winnow files have: head, card and notes.
//
// In:     hostile bytes of a file; texts of a checked model.
// Out:    verified roots, texts and bytes. Errors are those of `winnow_file.h`.
// Exact:  texts and numbers are those of the file.
// Memory: verifiers, roots and `AlignedBytes` point into the bytes, which must outlive them. `view()` lives
//         as long as its `AlignedBytes`. Other results belong to the caller.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>

#include "winnow_model_generated.h"

namespace winnow {

// The first version whose root is a Model.
inline constexpr std::uint32_t kWinnowModelVersion = 4;

// The bytes of a file, aligned so that numbers can be read in place. Bytes that are not aligned are copied.
// kLimit for too many bytes.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::span<const std::byte> bytes);
  std::span<const std::byte> view() const { return view_; }

 private:
  std::vector<std::byte> copy_;
  std::span<const std::byte> view_;
};

flatbuffers::Verifier winnow_verifier(std::span<const std::byte> bytes);
// Throws unless the head of an aligned file is valid and its version is known.
const stored::Head& verified_head(std::span<const std::byte> bytes);
// The root of an aligned file of version 4 or later that holds a model of `kind`. Throws if the file holds
// another kind. `wanted` names the wanted kind in the error: "a cascade".
const stored::Model& verified_model(std::span<const std::byte> bytes, stored::Kind kind, const char* wanted);
// Throws kFormat with "this file holds a linear SVM over HOG, ... is needed", or kUnsupported for an unknown
// kind.
[[noreturn]] void refuse_kind(const stored::Head& head, const char* wanted);

std::string read_text(const flatbuffers::String* text);
ModelCard read_card(const stored::Card* card);
using StoredTexts = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;
std::vector<std::string> read_notes(const StoredTexts* notes);

flatbuffers::Offset<stored::Card> store_card(flatbuffers::FlatBufferBuilder& builder, const ModelCard& card);
// Finishes a file of version 4, whose root is a Model of this kind.
std::vector<std::byte> finish_model(flatbuffers::FlatBufferBuilder& builder, stored::Kind kind,
                                    flatbuffers::Offset<void> model, const ModelCard& card,
                                    const std::vector<std::string>& notes);
std::vector<std::byte> bytes_of(const flatbuffers::FlatBufferBuilder& builder);

}  // namespace winnow
