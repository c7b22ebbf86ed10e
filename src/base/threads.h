// How many threads do something.
#pragma once

namespace winnow {

// Throws kUsage if nobody can have so many.
void check_threads(int wanted);

// 0: all of the machine's.
int threads_for(int wanted);

// Of a TBB arena, no more than there are cores: TBB would print a warning.
int arena_threads(int wanted);

}  // namespace winnow
