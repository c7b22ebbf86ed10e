// Converts Winnow's bytes to Python's, and gives a view of Python's bytes.
//
// Memory: `python_bytes` copies. A span lives as long as the object that it points into.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bind.h"

namespace winnow::python {

inline nb::bytes python_bytes(const std::vector<std::byte>& bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

inline std::span<const std::byte> span_of(const nb::bytes& bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()};
}

}  // namespace winnow::python
