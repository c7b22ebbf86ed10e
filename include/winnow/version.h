// Gives the version of Winnow: `WINNOW_VERSION` for the headers, `version()` for the running library.
//
// Memory: `version()` returns a string that lives as long as the program.
#pragma once

#include <winnow/export.h>

#define WINNOW_VERSION "0.1.0"

namespace winnow {
// The version of the library that runs, which may differ from the header's.
WINNOW_API const char* version();
}  // namespace winnow
