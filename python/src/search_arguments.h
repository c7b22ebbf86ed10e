// The keyword arguments of every search.
//
// In:     the arguments from Python.
// Out:    `DetectOptions`, and the order of channels in arrays of colour.
// Memory: values only.
#pragma once

#include <optional>
#include <vector>

#include <winnow/detection.h>
#include <winnow/error.h>

#include "picture_argument.h"
#include "values.h"
#include "words.h"

namespace winnow::python {

using PixelPoints = std::vector<PixelPoint>;
using Region = std::optional<Box>;

// The keywords of a search: the type that Python gives, and the field of `DetectOptions`, which has the
// default.
#define WINNOW_SEARCH_KEYWORDS(KEYWORD) \
  KEYWORD(double, scale_factor)         \
  KEYWORD(int, min_neighbors)           \
  KEYWORD(Size, min_size)               \
  KEYWORD(Size, max_size)               \
  KEYWORD(bool, raw)                    \
  KEYWORD(double, min_score)            \
  KEYWORD(Sides, step)                  \
  KEYWORD(bool, gray)                   \
  KEYWORD(MergeWord, merge)             \
  KEYWORD(double, border)               \
  KEYWORD(Sides, padding)               \
  KEYWORD(PixelPoints, locations)       \
  KEYWORD(int, max_levels)              \
  KEYWORD(bool, clip)                   \
  KEYWORD(Region, region)

// Converts a field's value from Python, and back.
template <class Value>
const Value& field_of(const Value& value) {
  return value;
}
inline Merge field_of(const MergeWord& word) { return parse_merge(word.text); }
inline Size field_of(const Sides& sides) { return sides.size; }
inline Box field_of(const Region& region) {
  if (region && (region->width < 1 || region->height < 1))
    throw Error(ErrorCode::kUsage, "a region needs a width and a height of 1 or more");
  return region.value_or(Box{});
}
template <class Value>
const Value& default_of(const Value& value) {
  return value;
}
inline const char* default_of(Merge merge) { return merge_name(merge); }
inline nb::object default_of(const Box&) { return nb::none(); }

#define WINNOW_PARAMETER(Type, name) , const Type& name
#define WINNOW_NAME(Type, name) , name
#define WINNOW_FIELD(Type, name) search.options.name = field_of(name);
#define WINNOW_ARGUMENT(Type, name) , nb::arg(#name) = default_of(DetectOptions().name)

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
