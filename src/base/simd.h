// Lists, chooses and forces the SIMD instruction set of the cpu backend, for the whole process.
#pragma once

#include <string>
#include <vector>

namespace winnow {

std::vector<std::string> simd_targets();   // built in and runnable here, best first
std::string simd_target();                 // the one in use; the first call obeys WINNOW_SIMD
void simd_force(const std::string& name);  // "" lifts the force; kBackend if it cannot run here

}  // namespace winnow
