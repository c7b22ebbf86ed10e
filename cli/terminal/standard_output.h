// Writes to standard output, each text whole and at once, so that a reader of the pipe sees each line as it
// is made.
//
// In:     text, not copied.
// Out:    `print` throws `OutputClosed` if the pipe has no reader any more (`head`). `print` throws kIo if
//         the text cannot be written (a full disk).
// Memory: nothing is buffered, so nothing is lost at the end.
// Thread: one thread at a time.
#pragma once

#include <string_view>

namespace winnow::cli {

struct OutputClosed {};

void print(std::string_view text);

// Fills closed standard streams with a placeholder, so that no file opened later takes their place. A closed
// pipe becomes an error of the write instead of a signal.
void guard_standard_streams();

}  // namespace winnow::cli
