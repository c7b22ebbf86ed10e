// Lists, chooses and forces the SIMD instruction set of the cpu backend.
//
// In:     the variable WINNOW_SIMD, or the name of a target.
// Out:    names of targets, such as "AVX2". kBackend for a target that cannot run here.
// Exact:  every target gives the same answers.
// Memory: names and lists belong to the caller.
// Thread: a choice holds for the whole process. `simd_force` must not run while a search runs.
#pragma once

#include <string>
#include <vector>

namespace winnow {

std::vector<std::string> simd_targets();  // targets that are built in and run here, best first
std::string simd_target();  // the target in use; the first call reads WINNOW_SIMD if none is forced
void simd_force(const std::string& name);  // "" ends the forcing; kBackend for a target that cannot run here

}  // namespace winnow
