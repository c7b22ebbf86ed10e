// Checks output files before a command's work, and writes texts.
//
// In:     paths.
// Out:    nothing, or an `Error`: kUsage for a file that would be lost, kIo for one that cannot be written.
// Memory: results are new strings; nothing is kept.
#pragma once

#include <string>

namespace winnow::cli {

// Throws if no file can be written at this path. `replaced`: the command writes a new file beside the old
// file and renames the new file, so that only the folder must be writable.
void check_writable(const std::string& path, bool replaced);
// Throws if the file exists.
void check_new(const std::string& path);
// Throws if the file exists and is not empty. Pipes and devices count as empty.
void check_nothing_lost(const std::string& path);
void write_text(const std::string& path, const std::string& text);
// Returns the same text for all paths that lead to one file or folder, even if the file or folder does not
// exist.
std::string real_place(const std::string& path);
inline bool same_place(const std::string& a, const std::string& b) { return real_place(a) == real_place(b); }

}  // namespace winnow::cli
