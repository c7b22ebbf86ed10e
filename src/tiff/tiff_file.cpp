#include "tiff/tiff_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace winnow {

TiffFile::TiffFile(std::span<const std::byte> bytes) : bytes_(bytes) {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  if (options == nullptr) fail(ErrorCode::kLimit, "there is not enough memory for the picture");
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, kMostMemory);
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, this);
  tiff_ = TIFFClientOpenExt("picture", "rm", this, read, write, seek, close, size, nullptr, nullptr, options);
  TIFFOpenOptionsFree(options);
  if (tiff_ == nullptr) fail_damaged();
}

TiffFile::~TiffFile() {
  if (tiff_ != nullptr) TIFFClose(tiff_);
}

std::uint16_t TiffFile::small(std::uint32_t tag) const {
  std::uint16_t value = 0;
  return TIFFGetFieldDefaulted(tiff_, tag, &value) == 1 ? value : std::uint16_t{0};
}

std::uint32_t TiffFile::large(std::uint32_t tag) const {
  std::uint32_t value = 0;
  return TIFFGetFieldDefaulted(tiff_, tag, &value) == 1 ? value : 0;
}

void TiffFile::fail(ErrorCode code, const std::string& sentence) const {
  throw Error(code, "TIFF: " + sentence);
}

void TiffFile::fail_damaged() const {
  fail(ErrorCode::kFormat, "the file ends early or is damaged" + (said_.empty() ? "" : ": " + said_));
}

int TiffFile::on_error(TIFF*, void* self, const char*, const char* format, va_list values) {
  std::string& said = static_cast<TiffFile*>(self)->said_;
  if (!said.empty()) return 1;
  std::array<char, 200> text{};
  std::vsnprintf(text.data(), text.size(), format, values);
  said = text.data();
  for (char& c : said) {  // the message may repeat bytes of the file
    if (c < ' ' || c > '~') c = '?';
  }
  while (!said.empty() && (said.back() == '.' || said.back() == ' ')) said.pop_back();
  return 1;
}

tmsize_t TiffFile::read(thandle_t self, void* to, tmsize_t size) {
  auto* file = static_cast<TiffFile*>(self);
  if (size <= 0 || file->at_ >= file->bytes_.size()) return 0;
  const std::uint64_t count = std::min<std::uint64_t>(size, file->bytes_.size() - file->at_);
  std::memcpy(to, file->bytes_.data() + file->at_, count);
  file->at_ += count;
  return static_cast<tmsize_t>(count);
}

toff_t TiffFile::seek(thandle_t self, toff_t offset, int from) {
  auto* file = static_cast<TiffFile*>(self);
  file->at_ = offset + (from == SEEK_CUR ? file->at_ : from == SEEK_END ? file->bytes_.size() : 0);
  return file->at_;
}

toff_t TiffFile::size(thandle_t self) { return static_cast<TiffFile*>(self)->bytes_.size(); }

}  // namespace winnow
