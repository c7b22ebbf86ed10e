// Shows lists of C++ structs as NumPy's structured arrays, without a copy.
//
// In:     a span of structs that `owner` keeps alive, and the fields to show.
// Out:    a read-only array with one record per struct.
// Memory: the array points into the span and keeps `owner` alive.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bind.h"

namespace winnow::python {

struct Field {
  const char* name;
  const char* format;  // NumPy's: "i4", "f4", "(4,)i4"
  std::size_t offset;
};

// Makes the numpy.dtype of records of `bytes` bytes with these fields.
nb::object record_type(const std::vector<Field>& fields, std::size_t bytes);

nb::object record_bytes(const void* data, std::size_t count, std::size_t bytes, nb::handle type,
                        nb::handle owner);

template <class Struct>
nb::object records(std::span<const Struct> items, nb::handle type, nb::handle owner) {
  return record_bytes(items.data(), items.size(), sizeof(Struct), type, owner);
}

}  // namespace winnow::python
