#include "model/model_bytes.h"

#include <cstdint>
#include <filesystem>

#include "base/file.h"
#include "model/built_in.h"
#include "model/winnow/winnow_file.h"

namespace winnow {

ModelBytes::ModelBytes(const std::string& path) : view_(built_in_bytes(path)) {
  if (!view_.empty()) return;
  file_ = read_file(path, static_cast<std::int64_t>(kMaxWinnowBytes));
  view_ = file_;
  name_ = std::filesystem::path(path).stem().string();
}

}  // namespace winnow
