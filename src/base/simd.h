// Lists, chooses and forces the SIMD instruction set of the cpu backend.
//
// In:     the variable WINNOW_SIMD, or the name of a target.
// Out:    names of targets, such as "AVX2". A target that cannot run here is kBackend.
// Exact:  every target gives the same answers.
// Memory: names and lists belong to the caller.
// Thread: a choice holds for the whole process. `simd_force` must not run beside a search.
#pragma once

#include <string>
#include <vector>

namespace winnow {

std::vector<std::string> simd_targets();   // built in and runnable here, best first
std::string simd_target();                 // in use; the first call applies WINNOW_SIMD, unless one is forced
void simd_force(const std::string& name);  // "" ends the forcing; kBackend for a target that cannot run here

}  // namespace winnow
