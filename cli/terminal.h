// Standard error: sentences for people, and one status line that is written over again. One thread uses it.
#pragma once

#include <string>

namespace winnow::cli {

bool error_is_terminal();
// "winnow: <sentence>" on a line of its own.
void say(const std::string& sentence);
// Replaces the status line; only for a terminal.
void show_status(const std::string& text);
// Takes the status line away before anything else is written.
void clear_status();

}  // namespace winnow::cli
