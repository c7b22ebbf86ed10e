// Takes the keyword arguments of every search from Python.
//
// In:     the arguments from Python.
// Out:    `DetectOptions`, and the order of channels in arrays of colour.
// Memory: values only.
#pragma once

#include <optional>
#include <vector>

#include <winnow/detection.h>
#include <winnow/error.h>

#include "arrays/picture_argument.h"
#include "values.h"
#include "words.h"

namespace winnow::python {

using PixelPoints = std::vector<PixelPoint>;
using Region = std::optional<Box>;
// Types of keywords that may be None. For most of them, None takes the model's value.
using MaybeNumber = std::optional<double>;
using MaybeCount = std::optional<int>;
using MaybeSides = std::optional<Sides>;
using MaybeMerge = std::optional<MergeWord>;

// The keywords of a search: the type that Python gives, and the field of `DetectOptions` that takes the value
// and has the default.
#define WINNOW_SEARCH_KEYWORDS(KEYWORD) \
  KEYWORD(MaybeNumber, scale_factor)    \
  KEYWORD(MaybeNumber, enlarge)         \
  KEYWORD(MaybeCount, min_neighbors)    \
  KEYWORD(Size, min_size)               \
  KEYWORD(Size, max_size)               \
  KEYWORD(bool, raw)                    \
  KEYWORD(MaybeNumber, min_score)       \
  KEYWORD(MaybeNumber, min_support)     \
  KEYWORD(MaybeSides, step)             \
  KEYWORD(bool, gray)                   \
  KEYWORD(MaybeMerge, merge)            \
  KEYWORD(MaybeNumber, border)          \
  KEYWORD(Sides, padding)               \
  KEYWORD(PixelPoints, locations)       \
  KEYWORD(int, max_levels)              \
  KEYWORD(bool, clip)                   \
  KEYWORD(Region, region)

// Converts the value of a keyword to the value of the field.
template <class Value>
const Value& field_of(const Value& value) {
  return value;
}
inline std::optional<Merge> field_of(const MaybeMerge& word) {
  return word ? std::optional(parse_merge(word->text)) : std::nullopt;
}
inline Size field_of(const Sides& sides) { return sides.size; }
inline Size field_of(const MaybeSides& sides) { return sides ? sides->size : Size{}; }
inline Box field_of(const Region& region) {
  if (region && (region->width < 1 || region->height < 1))
    throw Error(ErrorCode::kUsage, "a region needs a width and a height of 1 or more");
  return region.value_or(Box{});
}
template <class Type>
constexpr bool kMayBeNone = false;
template <class Value>
constexpr bool kMayBeNone<std::optional<Value>> = true;

// The default of a keyword: None if its type `Type` may be None, else the default of the field, which is
// `value`.
template <class Type, class Value>
nb::object default_of(const Value& value) {
  if constexpr (kMayBeNone<Type>) {
    return nb::none();
  } else {
    return nb::cast(value);
  }
}

#define WINNOW_PARAMETER(Type, name) , const Type& name
#define WINNOW_NAME(Type, name) , name
#define WINNOW_FIELD(Type, name) search.options.name = field_of(name);
#define WINNOW_ARGUMENT(Type, name) , nb::arg(#name) = default_of<Type>(DetectOptions().name)

#define WINNOW_SEARCH_PARAMETERS \
  const std::optional<ChannelsWord>& channels WINNOW_SEARCH_KEYWORDS(WINNOW_PARAMETER)
#define WINNOW_SEARCH_VALUES channels WINNOW_SEARCH_KEYWORDS(WINNOW_NAME)
#define WINNOW_SEARCH_ARGUMENTS \
  nb::kw_only(), nb::arg("channels") = nb::none() WINNOW_SEARCH_KEYWORDS(WINNOW_ARGUMENT)

struct Search {
  Channels channels = Channels::kNone;
  DetectOptions options;
};

inline Search search_of(WINNOW_SEARCH_PARAMETERS) {
  Search search{parse_channels(channels), {}};
  WINNOW_SEARCH_KEYWORDS(WINNOW_FIELD)
  return search;
}

}  // namespace winnow::python
