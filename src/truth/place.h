// Adds the line to errors that name none, such as errors about a number, a name or a box.
//
// In:     a function that gives the line, and the work.
// Out:    the result of the work, or its error with the line. Lines are counted only if there is an error.
// Memory: nothing is kept.
// Thread: any.
#pragma once

#include <string>

#include <winnow/error.h>

namespace winnow {

// `line_of()` gives the line that `body()` reads. An error that already names a line or a file (a picture)
// passes unchanged.
template <class LineOf, class Body>
decltype(auto) at_line(LineOf&& line_of, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (!error.place().empty() || !error.file().empty()) throw;
    throw Error(error.code(), error.sentence(), {}, "line " + std::to_string(line_of()));
  }
}

}  // namespace winnow
