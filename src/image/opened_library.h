// Opens the libraries beside libwinnow that are loaded only when they are needed.
//
// In:     a library's name, and the function that gives its table of functions.
// Out:    the table. kUnsupported if the library cannot be loaded, or is of another build.
// Memory: a library is loaded once and never unloaded, so its table lives as long as the program.
// Thread: any.
#pragma once

#include <cstdint>
#include <string>

namespace winnow {

struct OpenedLibrary {
  const char* file;      // holds the version, so no other version loads
  const char* function;  // its table begins with the stamp of its build
  std::uint64_t stamp;   // of this build
  const char* need;      // the beginning of an error: "videos need"
};

// The address of the library's function. The error names `path`, the file that needs the library.
void* function_of(const OpenedLibrary& library, const std::string& path);
[[noreturn]] void refuse_other_build(const OpenedLibrary& library, const void* function,
                                     const std::string& path);

template <class Table>
const Table& open_table(const OpenedLibrary& library, const std::string& path) {
  void* const address = function_of(library, path);
  const Table* const table = reinterpret_cast<const Table* (*)()>(address)();
  if (table->stamp != library.stamp) refuse_other_build(library, address, path);
  return *table;
}

}  // namespace winnow
