// Checks a requested number of threads, and gives the number that is used.
//
// In:     a number; 0 means all hardware threads.
// Out:    the number of threads, or a kUsage error.
// Thread: any.
#pragma once

namespace winnow {

// Throws kUsage if `wanted` is negative or above 1024.
void check_threads(int wanted);

// The number of threads to use: `wanted`, or all hardware threads for 0.
int threads_for(int wanted);

// The number of threads for a TBB arena: `wanted`, but no more than TBB's default, since TBB prints a warning
// for more.
int arena_threads(int wanted);

}  // namespace winnow
