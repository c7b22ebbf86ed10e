// If the program dies in a case, standard error says in which: the report could not.
#pragma once

#include <string>

namespace witness {

void install_crash_note();
void set_crash_note(const std::string& command);  // the command that repeats the case under way

}  // namespace witness
