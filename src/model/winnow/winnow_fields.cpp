#include "model/winnow/winnow_fields.h"

#include <cstring>
#include <optional>
#include <string_view>

#include <winnow/error.h>

#include "model/check.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

constexpr std::size_t kAlignment = 8;
constexpr flatbuffers::uoffset_t kMaxDepth = 5;
constexpr flatbuffers::uoffset_t kMaxTables = 12;

[[noreturn]] void fail(const std::string& sentence, const std::string& place = {}) {
  throw Error(ErrorCode::kFormat, sentence, {}, place);
}

// The words for the kind of model in a file, for a sentence; null for an unknown kind.
const char* words_of(const stored::Head& head) {
  if (head.version() < kWinnowModelVersion) return "a cascade";
  switch (static_cast<stored::Kind>(head.kind())) {
    case stored::Kind::HogSvm:
      return "a linear SVM over HOG";
    case stored::Kind::HogCascade:
      return "a cascade of HOG blocks";
    case stored::Kind::Landmarks:
      return "landmarks";
    default:
      return nullptr;
  }
}

}  // namespace

bool is_winnow_file(std::span<const std::byte> bytes) {
  return bytes.size() >= 8 && std::memcmp(bytes.data() + 4, stored::CascadeIdentifier(), 4) == 0;
}

WinnowKind winnow_kind(std::span<const std::byte> bytes) {
  if (!is_winnow_file(bytes)) return WinnowKind::kNone;
  if (bytes.size() > kMaxWinnowBytes) return WinnowKind::kUnknown;
  const AlignedBytes aligned(bytes);
  flatbuffers::Verifier verifier = winnow_verifier(aligned.view());
  if (!verifier.VerifyBuffer<stored::Head>(stored::CascadeIdentifier())) return WinnowKind::kUnknown;
  const stored::Head& head = *flatbuffers::GetRoot<stored::Head>(aligned.view().data());
  if (head.version() < kWinnowModelVersion) return WinnowKind::kCascade;
  switch (static_cast<stored::Kind>(head.kind())) {
    case stored::Kind::HogSvm:
      return WinnowKind::kHogSvm;
    case stored::Kind::HogCascade:
      return WinnowKind::kHogCascade;
    case stored::Kind::Landmarks:
      return WinnowKind::kLandmarks;
    default:
      return WinnowKind::kUnknown;
  }
}

AlignedBytes::AlignedBytes(std::span<const std::byte> bytes) : view_(bytes) {
  if (bytes.size() > kMaxWinnowBytes)
    throw Error(ErrorCode::kLimit,
                std::string("a .winnow file may have ") + std::to_string(kMaxWinnowBytes) + " bytes at most");
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment == 0) return;
  copy_.assign(bytes.begin(), bytes.end());
  view_ = copy_;
}

flatbuffers::Verifier winnow_verifier(std::span<const std::byte> bytes) {
  return flatbuffers::Verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), kMaxDepth,
                               kMaxTables);
}

const stored::Head& verified_head(std::span<const std::byte> bytes) {
  flatbuffers::Verifier verifier = winnow_verifier(bytes);
  if (!verifier.VerifyBuffer<stored::Head>(stored::CascadeIdentifier()))
    fail("a broken or cut off .winnow file", "byte 0");
  const stored::Head& head = *flatbuffers::GetRoot<stored::Head>(bytes.data());
  if (head.version() == 0) fail("the .winnow file has no version");
  if (head.version() > kWinnowFileVersion) {
    throw Error(ErrorCode::kUnsupported, std::string("the .winnow file is of version ") +
                                             std::to_string(head.version()) + ", this library reads up to " +
                                             std::to_string(kWinnowFileVersion));
  }
  return head;
}

void refuse_kind(const stored::Head& head, const char* wanted) {
  const char* held = words_of(head);
  if (held == nullptr)
    throw Error(ErrorCode::kUnsupported,
                "the .winnow file holds a kind of model that this library does not know");
  fail(std::string("this file holds ") + held + ", " + wanted + " is needed");
}

const stored::Model& verified_model(std::span<const std::byte> bytes, stored::Kind kind, const char* wanted) {
  const stored::Head& head = verified_head(bytes);
  if (head.version() < kWinnowModelVersion || static_cast<stored::Kind>(head.kind()) != kind)
    refuse_kind(head, wanted);
  flatbuffers::Verifier verifier = winnow_verifier(bytes);
  if (!verifier.VerifyBuffer<stored::Model>(stored::CascadeIdentifier()))
    fail("a broken or cut off .winnow file", "byte 0");
  const stored::Model& model = *flatbuffers::GetRoot<stored::Model>(bytes.data());
  if (model.kind() == nullptr) fail("the .winnow file holds no model");
  return model;
}

std::string read_text(const flatbuffers::String* text) {
  if (text == nullptr) return {};
  if (text->size() > kMaxTextBytes) throw Error(ErrorCode::kLimit, "a text in the file is too long");
  return text->str();
}

namespace {

std::optional<SearchDefaults> read_search(const stored::Search* stored) {
  if (stored == nullptr) return std::nullopt;
  SearchDefaults search;
  search.scale_factor = stored->scale_factor();
  search.enlarge = stored->enlarge();
  if (stored->step() != nullptr) search.step = {stored->step()->width(), stored->step()->height()};
  search.merge = static_cast<Merge>(stored->merge());
  if (std::string_view(merge_name(search.merge)) == "unknown")
    throw Error(ErrorCode::kUnsupported, "the model's card names a merge that this version does not know");
  search.min_neighbors = stored->min_neighbors();
  search.min_score = stored->min_score();
  search.min_support = stored->min_support();
  search.border = stored->border();
  return search;
}

}  // namespace

ModelCard read_card(const stored::Card* card) {
  if (card == nullptr) return {};
  return {read_text(card->name()),
          read_text(card->kind()),
          read_text(card->source()),
          read_text(card->terms()),
          read_search(card->search()),
          card->place() == nullptr
              ? std::nullopt
              : std::optional(ObjectPlace{card->place()->margin(), card->place()->aspect()})};
}

std::vector<std::string> read_notes(const StoredTexts* notes) {
  std::vector<std::string> texts;
  if (notes == nullptr) return texts;
  if (notes->size() > kMaxNotes) throw Error(ErrorCode::kLimit, "the model has too many notes");
  for (const flatbuffers::String* note : *notes) texts.push_back(read_text(note));
  return texts;
}

flatbuffers::Offset<stored::Card> store_card(flatbuffers::FlatBufferBuilder& builder, const ModelCard& card) {
  const auto name = builder.CreateString(card.name), kind = builder.CreateString(card.kind),
             source = builder.CreateString(card.source), terms = builder.CreateString(card.terms);
  flatbuffers::Offset<stored::Search> search_at;  // null: the field is left out
  if (card.search) {
    const SearchDefaults& search = *card.search;
    const stored::Extent step(search.step.width, search.step.height);
    search_at = stored::CreateSearch(builder, search.scale_factor, search.enlarge, &step,
                                     static_cast<std::uint8_t>(search.merge), search.min_neighbors,
                                     search.min_score, search.min_support, search.border);
  }
  flatbuffers::Offset<stored::Place> place_at;
  if (card.place) place_at = stored::CreatePlace(builder, card.place->margin, card.place->aspect);
  return stored::CreateCard(builder, name, kind, source, terms, search_at, place_at);
}

std::vector<std::byte> finish_model(flatbuffers::FlatBufferBuilder& builder, stored::Kind kind,
                                    flatbuffers::Offset<void> model, const ModelCard& card,
                                    const std::vector<std::string>& notes) {
  const auto card_at = store_card(builder, card);
  const auto notes_at = builder.CreateVectorOfStrings(notes);
  builder.Finish(stored::CreateModel(builder, kWinnowModelVersion, kind, model, card_at, notes_at),
                 stored::CascadeIdentifier());
  return bytes_of(builder);
}

std::vector<std::byte> bytes_of(const flatbuffers::FlatBufferBuilder& builder) {
  const std::span<const std::uint8_t> bytes = {builder.GetBufferPointer(), builder.GetSize()};
  if (bytes.size() > kMaxWinnowBytes)
    throw Error(ErrorCode::kLimit, "the model takes " + std::to_string(bytes.size()) +
                                       " bytes, and a .winnow file may have " +
                                       std::to_string(kMaxWinnowBytes) + " at most");
  const std::span<const std::byte> view = std::as_bytes(bytes);
  return {view.begin(), view.end()};
}

}  // namespace winnow
