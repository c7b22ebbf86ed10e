// Opens a TIFF in memory with libtiff, and turns the messages of libtiff into errors.
//
// In:     the bytes of a file, which may be hostile; they must outlive the `TiffFile`.
// Out:    a handle for libtiff's functions, and `Error` with libtiff's first message.
// Memory: one allocation of libtiff is at most `kMostMemory`.
// Thread: one thread at a time.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <tiffio.h>

#include <winnow/error.h>

namespace winnow {

class TiffFile {
 public:
  static constexpr tmsize_t kMostMemory = tmsize_t{1} << 29;

  explicit TiffFile(std::span<const std::byte> bytes);
  ~TiffFile();
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  TIFF* get() const { return tiff_; }
  // The value of a tag of 16 or 32 bits, or its default; 0 if there is neither.
  std::uint16_t small(std::uint32_t tag) const;
  std::uint32_t large(std::uint32_t tag) const;

  [[noreturn]] void fail(ErrorCode code, const std::string& sentence) const;
  // The picture's bytes cannot be read: adds what libtiff says.
  [[noreturn]] void fail_damaged() const;

 private:
  static int on_error(TIFF*, void* self, const char* module, const char* format, va_list values);
  static int on_warning(TIFF*, void*, const char*, const char*, va_list) { return 1; }
  static tmsize_t read(thandle_t self, void* to, tmsize_t size);
  static tmsize_t write(thandle_t, void*, tmsize_t) { return 0; }
  static toff_t seek(thandle_t self, toff_t offset, int from);
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t self);

  std::span<const std::byte> bytes_;
  std::uint64_t at_ = 0;
  std::string said_;  // libtiff's first message
  TIFF* tiff_ = nullptr;
};

}  // namespace winnow
