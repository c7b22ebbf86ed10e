// Gives a test the error that its work throws.
#pragma once

#include <winnow/error.h>

#include <stdexcept>

namespace winnow {

// Throws std::logic_error if `work` throws no `Error`.
template <class Work>
Error error_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("no winnow::Error was thrown");
}

}  // namespace winnow
