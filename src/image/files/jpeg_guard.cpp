#include "image/files/jpeg_guard.h"

#include <cstring>

#include <jerror.h>

namespace winnow {
namespace {

ErrorCode code_of(int message) {
  switch (message) {
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
      return ErrorCode::kUnsupported;
    case JERR_OUT_OF_MEMORY:
    case JERR_WIDTH_OVERFLOW:
    case JERR_IMAGE_TOO_BIG:
      return ErrorCode::kLimit;
    default:
      return ErrorCode::kFormat;
  }
}

// True for a warning that leaves every pixel as the file has it. A few stray bytes before a marker are
// harmless, because some cameras pad scans with them. More stray bytes mean that the decoder lost its
// position in a scan.
bool harmless(const jpeg_error_mgr& manager) {
  constexpr int kMaxStrayBytes = 16;
  switch (manager.msg_code) {
    case JWRN_EXTRANEOUS_DATA:
      return manager.msg_parm.i[0] <= kMaxStrayBytes;
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
      return true;
    default:
      return false;
  }
}

}  // namespace

JpegGuard::JpegGuard() : errors_{} {
  jpeg_std_error(&errors_.manager);
  errors_.manager.error_exit = on_error;
  errors_.manager.emit_message = on_message;
  errors_.manager.output_message = keep_quiet;
}

void JpegGuard::on_error(j_common_ptr info) {
  auto* errors = reinterpret_cast<Errors*>(info->err);
  errors->code = code_of(info->err->msg_code);
  if (info->err->msg_code == JERR_NO_BACKING_STORE) {
    fail(info, ErrorCode::kLimit, "a picture of this size and kind needs too much memory");
  }
  info->err->format_message(info, errors->message);
  std::longjmp(errors->jump, 1);
}

void JpegGuard::on_message(j_common_ptr info, int level) {
  if (level < 0 && !harmless(*info->err)) on_error(info);
}

void JpegGuard::fail(j_common_ptr info, ErrorCode code, const char* sentence) {
  auto* errors = reinterpret_cast<Errors*>(info->err);
  errors->code = code;
  std::snprintf(errors->message, sizeof errors->message, "%s", sentence);
  std::longjmp(errors->jump, 1);
}

Error JpegGuard::error(const std::string& place) const {
  return Error(errors_.code, std::string("JPEG: ") + errors_.message, {}, place);
}

}  // namespace winnow
