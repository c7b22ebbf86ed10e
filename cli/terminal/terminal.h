// Writes to standard error: sentences for people, and one status line that is overwritten.
//
// In:     text; control characters become \n, \t, \r or, for instance, \x1b.
// Out:    text on standard error; a failed write is ignored.
// Memory: texts are read only during the call.
// Thread: one thread uses these functions.
#pragma once

#include <string>

namespace winnow::cli {

bool error_is_terminal();
// Writes "winnow: <sentence>" on a line of its own. `list`: whole lines that follow the sentence.
void say(const std::string& sentence, const std::string& list = {});
// Replaces the status line; for terminals only.
void show_status(const std::string& text);
// Removes the status line before other text is written.
void clear_status();

}  // namespace winnow::cli
