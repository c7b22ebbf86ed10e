// Files that commands write: what can be known about them before the work that fills them, and the writing.
#pragma once

#include <string>

namespace winnow::cli {

// Throws if nothing can be written there. One that is `replaced` is written beside itself first, so that only
// its folder counts.
void check_writable(const std::string& path, bool replaced);
// Throws if there is such a file already.
void check_new(const std::string& path);
// Throws if there is a file already that holds something. Pipes and devices hold nothing.
void check_nothing_lost(const std::string& path);
void write_text(const std::string& path, const std::string& text);
// One name for one file or folder, there or not, however it is reached.
std::string real_place(const std::string& path);
inline bool same_place(const std::string& a, const std::string& b) { return real_place(a) == real_place(b); }

}  // namespace winnow::cli
