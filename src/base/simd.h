// Which SIMD instruction sets the cpu backend may use: listed, chosen and forced in one place for the whole
// process.
#pragma once

#include <string>
#include <vector>

namespace winnow {

std::vector<std::string> simd_targets();   // that this build has and this machine runs, best first
std::string simd_target();                 // the one in use
void simd_force(const std::string& name);  // "" gives the choice back; kBackend if it cannot run here

}  // namespace winnow
