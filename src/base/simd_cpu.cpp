// Lists and forces SIMD targets, as base/simd.h declares; its opening comment holds here. This file's
// name ends in _cpu.cpp, since only files with such names include Highway.
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

#include <winnow/error.h>

#include "base/simd.h"

namespace winnow {
namespace {

// After a target was forced, SupportedTargets() gives only that target. So this list is made once, before any
// target is forced.
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

std::once_flag chosen;  // set after a target was forced, or after WINNOW_SIMD was applied

void force(const std::string& name) {
  const std::vector<std::int64_t> all = runnable();
  if (name.empty()) {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
    return;
  }
  std::string known;
  for (const std::int64_t target : all) {
    if (name == hwy::TargetName(target)) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().DeInit();
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
  }
  throw Error(ErrorCode::kBackend, "the SIMD target \"" + name + "\" cannot run here; these can: " + known);
}

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : runnable()) names.emplace_back(hwy::TargetName(target));
  return names;
}

std::string simd_target() {
  runnable();
  std::call_once(chosen, [] {
    const char* wanted = std::getenv("WINNOW_SIMD");
    if (wanted != nullptr && *wanted != 0) force(wanted);
  });
  const std::int64_t now = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(now & -now);
}

void simd_force(const std::string& name) {
  force(name);
  std::call_once(chosen, [] {});  // from now on WINNOW_SIMD has no effect
}

}  // namespace winnow
