// Writes each text to standard output whole and at once, so that a reader of the pipe sees each line as soon
// as the line is made.
//
// In:     text, not copied.
// Out:    `print` throws `OutputClosed` if the pipe has lost its reader (`head`). `print` throws kIo if the
//         text cannot be written (a full disk).
// Memory: nothing is buffered, so nothing is lost at the end.
// Thread: one thread at a time.
#pragma once

#include <string>
#include <string_view>

namespace winnow::cli {

struct OutputClosed {};

void print(std::string_view text);

// Lets standard output go into a file, which is emptied. kIo if it cannot be written. If a disk becomes full,
// the file then ends with the last text that was written whole.
void print_into(const std::string& path);

// Opens a placeholder for each closed standard stream, so that no file opened later gets the stream's number.
// Writing to a closed pipe becomes an error instead of a signal.
void guard_standard_streams();

}  // namespace winnow::cli
