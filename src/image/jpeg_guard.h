// libjpeg's errors without unsafe jumps: `error_exit` must not return, and C++ must not be thrown through C.
// `JpegGuard::run` calls a function under `setjmp` and says whether it came through; libjpeg jumps back to it
// on an error. What runs inside may own nothing (no objects with destructors in its frames): memory belongs
// to the caller.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include <jpeglib.h>

#include <winnow/error.h>

namespace winnow {

class JpegGuard {
 public:
  JpegGuard();
  JpegGuard(const JpegGuard&) = delete;
  JpegGuard& operator=(const JpegGuard&) = delete;

  // Goes into `err` of a libjpeg object; the object must not outlive the guard.
  jpeg_error_mgr* manager() { return &errors_.manager; }

  template <class Work>
  bool run(Work&& work) {
    if (setjmp(errors_.jump) != 0) return false;
    work();
    return true;
  }
  // For our own findings inside `run`: jumps back with this error.
  [[noreturn]] static void fail(j_common_ptr info, ErrorCode code, const char* sentence);
  // After `run` gave false.
  Error error(const std::string& place = {}) const;

 private:
  struct Errors {
    jpeg_error_mgr manager;  // first, because libjpeg hands back a pointer to it
    std::jmp_buf jump;
    ErrorCode code;
    char message[JMSG_LENGTH_MAX];
  };
  static void on_error(j_common_ptr info);
  static void on_message(j_common_ptr info, int level);
  static void keep_quiet(j_common_ptr) {}

  Errors errors_;
};

}  // namespace winnow
