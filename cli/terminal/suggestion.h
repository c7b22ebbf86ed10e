// Guesses the command or the option that the user meant, if a command line has none or a misspelt one.
//
// In:     the words of the command line, and names of commands or of options.
// Out:    the end of a sentence for the user, or nothing.
// Memory: results belong to the caller.
// Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands.h"

namespace winnow::cli {

// The name that differs from the word by the fewest letters, and by at most two letters. If no name is that
// near, or several are equally near, the only name that begins with the word. "" if there is none.
std::string closest_name(std::string_view word, const std::vector<std::string>& names);
// The name that means what the word means in other programs: "out" for "output". "" if the word is not known, or if
// `names` has no such name.
std::string other_name(std::string_view word, const std::vector<std::string>& names);
// Whether the word is an option or names an input. A word names an input if a file of this name exists, or if
// the word has a dot, a slash or a pattern.
bool is_input_or_option(const std::string& word);
// The word in quotes, if a shell needs them.
std::string quoted(const std::string& word);
// The end of a sentence: "; did you mean `winnow detect 'my photo.jpg'`?". `command` is the guess, and `rest`
// holds the words behind the command. A long command line is cut.
std::string did_you_mean(const std::string& command, const Arguments& rest);

}  // namespace winnow::cli
