// Where in a file something is wrong. What reads a number, a name or a box throws an Error that knows no
// place; who walks the file adds the line, which is worked out only then.
#pragma once

#include <string>

#include <winnow/error.h>

namespace winnow {

// `line_of()` is the line that `body()` reads. An error that names a file already (a picture's) keeps its
// own.
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
