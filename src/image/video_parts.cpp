#include "image/video_parts.h"

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

constexpr const char* kLibrary = WINNOW_VIDEO_LIBRARY;  // a name that has the version: it fits this one only

// Where it may lie, in turn: beside libwinnow; for a program that has libwinnow's parts inside, as tests do,
// also where a build has its libraries; else wherever the system looks.
std::vector<std::string> places_of_library() {
  namespace fs = std::filesystem;
  // The loader knows the folder that it found this code in: also when its name was relative and the process
  // has gone elsewhere since, and when each file there is a link to somewhere else.
  std::vector<std::string> places = {"$ORIGIN/" WINNOW_VIDEO_LIBRARY, "$ORIGIN/../lib/" WINNOW_VIDEO_LIBRARY};
  // A link to libwinnow alone leads to where both are; and not every loader knows $ORIGIN.
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&video_parts), &here) != 0 && here.dli_fname[0] == '/') {
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

// Null, and `why`, if it is nowhere, or where it is cannot be loaded.
void* open_library(std::string& why) {
  bool found = false;
  for (const std::string& place : places_of_library()) {
    if (void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    const char* said = dlerror();
    const std::string sentence = said ? said : "?";
    if (found) continue;
    // One that is there and lacks something tells more than that others are not there.
    found = !sentence.starts_with(place + ":");
    why = sentence;
  }
  return nullptr;
}

const VideoParts& load(const std::string& path) {
  const auto no_video = [&](const std::string& why) {
    return Error(ErrorCode::kUnsupported,
                 std::string("videos need ") + kLibrary + ", which cannot be loaded: " + why, path);
  };
  std::string why;
  void* library = open_library(why);
  if (library == nullptr) throw no_video(why);
  // Never closed: what FFmpeg has registered stays.
  const auto parts = reinterpret_cast<decltype(&winnow_video_parts)>(dlsym(library, "winnow_video_parts"));
  if (parts == nullptr) throw no_video("it is something else");
  if (parts()->stamp != kVideoStamp) {
    Dl_info there{};
    const bool known = dladdr(reinterpret_cast<const void*>(parts), &there) != 0;
    throw Error(ErrorCode::kUnsupported,
                std::string("videos need ") + kLibrary + " of the same build, and " +
                    (known ? there.dli_fname : "what was found") + " is of another",
                path);
  }
  return *parts();
}

}  // namespace

const VideoParts& video_parts(const std::string& path) {
  static const VideoParts& parts = load(path);
  return parts;
}

#elif defined(WINNOW_HAVE_VIDEO)

const VideoParts& video_parts(const std::string&) { return *winnow_video_parts(); }

#else

const VideoParts& video_parts(const std::string& path) {
  throw Error(ErrorCode::kUnsupported, "this build has no video: it was configured without FFmpeg", path);
}

#endif

}  // namespace winnow
