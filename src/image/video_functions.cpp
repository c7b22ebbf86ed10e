#include "image/video_functions.h"

#include <winnow/error.h>

#ifdef WINNOW_VIDEO_LIBRARY
#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>
#endif

namespace winnow {

#if defined(WINNOW_VIDEO_LIBRARY)

namespace {

constexpr const char* kLibrary = WINNOW_VIDEO_LIBRARY;  // holds the version, so no other version loads

// The paths of the library, in the order in which they are tried: beside libwinnow, then where the system
// searches. A program that contains libwinnow's code, as tests do, also finds a build's library folder.
std::vector<std::string> places_of_library() {
  namespace fs = std::filesystem;
  // The loader replaces $ORIGIN by the folder in which it found this code. The replacement works even after a
  // change of the current folder, and if the files in that folder are links.
  std::vector<std::string> places = {"$ORIGIN/" WINNOW_VIDEO_LIBRARY, "$ORIGIN/../lib/" WINNOW_VIDEO_LIBRARY};
  // If only libwinnow is a link, its target's folder holds both libraries. Not every loader knows $ORIGIN.
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&video_functions), &here) != 0 && here.dli_fname[0] == '/') {
    std::error_code error;
    const fs::path real = fs::canonical(here.dli_fname, error);
    for (const fs::path& folder : {fs::path(here.dli_fname).parent_path(), real.parent_path()}) {
      if (folder.empty()) continue;
      places.push_back((folder / kLibrary).string());
      places.push_back((folder.parent_path() / "lib" / kLibrary).string());
    }
  }
  places.push_back(kLibrary);
  return places;
}

// Returns null, and the reason in `why`, if no path has a library that can be loaded.
void* open_library(std::string& why) {
  bool found = false;
  for (const std::string& place : places_of_library()) {
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

const VideoFunctions& load(const std::string& path) {
  const auto no_video = [&](const std::string& why) {
    return Error(ErrorCode::kUnsupported,
                 std::string("videos need ") + kLibrary + ", which cannot be loaded: " + why, path);
  };
  std::string why;
  void* library = open_library(why);
  if (library == nullptr) throw no_video(why);
  // The library is never closed, since FFmpeg keeps what it has registered.
  const auto functions =
      reinterpret_cast<decltype(&winnow_video_functions)>(dlsym(library, "winnow_video_functions"));
  if (functions == nullptr) throw no_video("it is something else");
  if (functions()->stamp != WINNOW_VIDEO_STAMP) {
    Dl_info there{};
    const bool known = dladdr(reinterpret_cast<const void*>(functions), &there) != 0;
    throw Error(ErrorCode::kUnsupported,
                std::string("videos need ") + kLibrary + " of the same build, and " +
                    (known ? there.dli_fname : "what was found") + " is of another",
                path);
  }
  return *functions();
}

}  // namespace

const VideoFunctions& video_functions(const std::string& path) {
  static const VideoFunctions& functions = load(path);
  return functions;
}

#elif defined(WINNOW_HAVE_VIDEO)

const VideoFunctions& video_functions(const std::string&) { return *winnow_video_functions(); }

#else

const VideoFunctions& video_functions(const std::string& path) {
  throw Error(
      ErrorCode::kUnsupported,
      "this build has no video: it was configured without FFmpeg. In Python read the frames with PyAV or "
      "OpenCV; for the command, build Winnow where FFmpeg's packages are installed",
      path);
}

#endif

}  // namespace winnow
