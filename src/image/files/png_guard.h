// Converts libpng's errors to a sentence. Errors leave libpng by longjmp, as in jpeg_guard.h.
//
// In:     a function that calls libpng. No stack frame inside it may hold an object with a destructor.
// Out:    `run` returns true if the function returned, false after an error; `message` then gives the reason.
// Memory: the caller owns all memory; `message` is a new string.
// Thread: one thread at a time.
#pragma once

#include <csetjmp>
#include <cstdio>
#include <string>

#include <png.h>

namespace winnow {

class PngGuard {
 public:
  template <class Work>
  bool run(Work&& work) {
    if (setjmp(jump_) != 0) return false;
    work();
    return true;
  }
  // libpng's sentence about the error that made `run` return false.
  std::string message() const { return std::string("PNG: ") + message_; }

  // The handlers for png_create_read_struct and png_create_write_struct. The error pointer is the guard.
  static void on_error(png_structp png, png_const_charp message) {
    auto* guard = static_cast<PngGuard*>(png_get_error_ptr(png));
    std::snprintf(guard->message_, sizeof guard->message_, "%s", message);
    std::longjmp(guard->jump_, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}

 private:
  std::jmp_buf jump_{};
  char message_[160] = {};
};

}  // namespace winnow
