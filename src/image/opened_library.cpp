#include "image/opened_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include <winnow/error.h>

namespace winnow {
namespace {

// The paths of the library, in the order in which they are tried: beside libwinnow, then where the system
// searches. A program that contains libwinnow's code, as tests do, also finds a build's library folder.
std::vector<std::string> places_of(const std::string& file) {
  namespace fs = std::filesystem;
  // The loader replaces $ORIGIN by the folder in which it found this code. The replacement works even after a
  // change of the current folder, and if the files in that folder are links.
  std::vector<std::string> places = {"$ORIGIN/" + file, "$ORIGIN/../lib/" + file};
  // If only libwinnow is a link, its target's folder holds both libraries. Not every loader knows $ORIGIN.
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&function_of), &here) != 0 && here.dli_fname[0] == '/') {
    std::error_code error;
    const fs::path real = fs::canonical(here.dli_fname, error);
    for (const fs::path& folder : {fs::path(here.dli_fname).parent_path(), real.parent_path()}) {
      if (folder.empty()) continue;
      places.push_back((folder / file).string());
      places.push_back((folder.parent_path() / "lib" / file).string());
    }
  }
  places.push_back(file);
  return places;
}

// Returns null, and the reason in `why`, if no path has a library that can be loaded.
void* open_first(const std::string& file, std::string& why) {
  bool found = false;
  for (const std::string& place : places_of(file)) {
    if (void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    const char* said = dlerror();
    const std::string sentence = said ? said : "?";
    if (found) continue;
    // Keeps the error of the first library that exists but cannot be loaded. An error that says only that a
    // library does not exist is less useful.
    found = !sentence.starts_with(place + ":");
    why = sentence;
  }
  return nullptr;
}

}  // namespace

void* function_of(const OpenedLibrary& library, const std::string& path) {
  const auto not_loaded = [&](const std::string& why) {
    return Error(ErrorCode::kUnsupported,
                 std::string(library.need) + " " + library.file + ", which cannot be loaded: " + why, path);
  };
  std::string why;
  // The library is never closed, since what it links may keep what it has registered.
  void* const opened = open_first(library.file, why);
  if (opened == nullptr) throw not_loaded(why);
  void* const function = dlsym(opened, library.function);
  if (function == nullptr) throw not_loaded("it is something else");
  return function;
}

void refuse_other_build(const OpenedLibrary& library, const void* function, const std::string& path) {
  Dl_info there{};
  const bool known = dladdr(function, &there) != 0;
  throw Error(ErrorCode::kUnsupported,
              std::string(library.need) + " " + library.file + " of the same build, and " +
                  (known ? there.dli_fname : "what was found") + " is of another",
              path);
}

}  // namespace winnow
