// Lists and forces SIMD targets. The name ends in _cpu.cpp, since only such files include Highway.
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include <winnow/error.h>

#include "base/simd.h"

namespace winnow {
namespace {

// SupportedTargets() honours a forced set, so the machine's own set is kept from before any forcing.
std::vector<std::int64_t> runnable() {
  static const std::vector<std::int64_t> all = [] {
    std::vector<std::int64_t> list;
    const std::int64_t here = hwy::SupportedTargets() & HWY_TARGETS;
    for (std::int64_t bit = 1; bit > 0 && bit <= (std::int64_t{1} << 61); bit <<= 1) {
      if ((here & bit) != 0) list.push_back(bit);  // lower bits are better targets
    }
    return list;
  }();
  return all;
}

std::atomic<bool> chosen{false};  // by simd_force or by WINNOW_SIMD

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : runnable()) names.emplace_back(hwy::TargetName(target));
  return names;
}

std::string simd_target() {
  runnable();
  if (!chosen) {
    const char* wanted = std::getenv("WINNOW_SIMD");
    simd_force(wanted != nullptr ? wanted : "");
  }
  const std::int64_t now = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(now & -now);
}

void simd_force(const std::string& name) {
  const std::vector<std::int64_t> all = runnable();
  if (name.empty()) {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
    chosen = true;
    return;
  }
  std::string known;
  for (const std::int64_t target : all) {
    if (name == hwy::TargetName(target)) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().DeInit();
      chosen = true;
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
  }
  throw Error(ErrorCode::kBackend, "the SIMD target \"" + name + "\" cannot run here; these can: " + known);
}

}  // namespace winnow
