#include "image/video_parts.h"

#include <winnow/error.h>

#ifdef WINNOW_VIDEO_LIBRARY
#include <dlfcn.h>

#include <filesystem>
#include <system_error>
#endif

namespace winnow {

#if defined(WINNOW_VIDEO_LIBRARY)

namespace {

constexpr const char* kLibrary = WINNOW_VIDEO_LIBRARY;  // a name that has the version: it fits this one only

// Beside libwinnow; for a program that has libwinnow's parts inside, as tests do, also where a build has its
// libraries; else wherever the system looks.
std::string place_of_library() {
  namespace fs = std::filesystem;
  std::error_code error;
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&video_parts), &here) == 0) return kLibrary;
  const fs::path folder = fs::canonical(here.dli_fname, error).parent_path();
  for (const fs::path& place : {folder / kLibrary, folder.parent_path() / "lib" / kLibrary}) {
    if (!folder.empty() && fs::exists(place, error)) return place.string();
  }
  return kLibrary;
}

const VideoParts& load(const std::string& path) {
  const auto no_video = [&] {
    const char* why = dlerror();
    return Error(ErrorCode::kUnsupported,
                 std::string("videos need ") + kLibrary + ", which cannot be loaded: " + (why ? why : "?"),
                 path);
  };
  void* library = dlopen(place_of_library().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw no_video();
  // Never closed: what FFmpeg has registered stays.
  const auto parts = reinterpret_cast<decltype(&winnow_video_parts)>(dlsym(library, "winnow_video_parts"));
  if (parts == nullptr) throw no_video();
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
  throw Error(ErrorCode::kUnsupported, "this build has no video: FFmpeg was not found when it was configured",
              path);
}

#endif

}  // namespace winnow
