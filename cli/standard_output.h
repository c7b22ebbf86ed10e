// Standard output, written whole and at once: a reader at the other end of a pipe sees each line as it is
// made. `print` throws `OutputClosed` when nobody reads any more (a pipe into `head`), and a kIo error when
// the text cannot be written (a full disk). Nothing is kept back, so nothing is lost at the end.
#pragma once

#include <string_view>

namespace winnow::cli {

struct OutputClosed {};

void print(std::string_view text);

// Gives closed standard streams a place holder, so that a file opened later is never taken for one of them,
// and makes a closed pipe an error of the write instead of a signal.
void guard_standard_streams();

}  // namespace winnow::cli
