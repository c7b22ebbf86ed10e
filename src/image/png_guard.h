// libpng's errors without unsafe jumps, as in jpeg_guard.h: `run` calls a function under `setjmp` and says
// whether it came through. What runs inside may own nothing (no objects with destructors in its frames).
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
  // libpng's sentence after `run` gave false.
  std::string message() const { return std::string("PNG: ") + message_; }

  // For png_create_read_struct and png_create_write_struct, with the guard as the error pointer.
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
