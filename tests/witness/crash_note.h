// Names the current case on standard error if the program crashes, because a crash loses the report.
//
// Memory: a static buffer, because a signal handler may not allocate.
// Thread: one thread at a time.
#pragma once

#include <string>

namespace witness {

void install_crash_note();
void set_crash_note(const std::string& command);  // the command that repeats the current case

}  // namespace witness
