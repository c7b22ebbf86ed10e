#include "model/built_in.h"

#include "winnow_built_in_models.h"

namespace winnow {
namespace {

constexpr const char* kPrefix = "built-in:";

}  // namespace

std::vector<std::string> built_in_models() {
  std::vector<std::string> names;
  for (const built_in::Entry& entry : built_in::kModels) names.emplace_back(entry.name);
  return names;
}

std::string built_in_path(const std::string& name) {
  for (const built_in::Entry& entry : built_in::kModels) {
    if (name == entry.name) return kPrefix + name;
  }
  return "";
}

std::span<const std::byte> built_in_bytes(const std::string& path) {
  for (const built_in::Entry& entry : built_in::kModels) {
    if (path == std::string(kPrefix) + entry.name) return std::as_bytes(std::span(entry.bytes, entry.size));
  }
  return {};
}

}  // namespace winnow
