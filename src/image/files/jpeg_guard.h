// Converts libjpeg's errors to `Error`.
//
// In:     a function that calls libjpeg. No stack frame inside it may hold an object with a destructor.
// Out:    `run` returns true if the function returned, false after an error; `error` then gives the reason.
// Memory: the caller owns all memory.
// Thread: one thread at a time.
//
// libjpeg's `error_exit` must not return, and an exception must not pass through C. Errors therefore leave
// libjpeg by longjmp.
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

  // For the member `err` of a libjpeg object. The guard must outlive that object.
  jpeg_error_mgr* manager() { return &errors_.manager; }

  template <class Work>
  bool run(Work&& work) {
    if (setjmp(errors_.jump) != 0) return false;
    work();
    return true;
  }
  // Ends `run` with an error of the caller's own.
  [[noreturn]] static void fail(j_common_ptr info, ErrorCode code, const char* sentence);
  // The error that made `run` return false.
  Error error(const std::string& place = {}) const;

 private:
  struct Errors {
    jpeg_error_mgr manager;  // the first member, because libjpeg passes back its address
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
