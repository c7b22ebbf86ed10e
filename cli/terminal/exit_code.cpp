#include "terminal/exit_code.h"

#include <exception>
#include <new>

#include "commands.h"
#include "terminal/standard_output.h"
#include "terminal/terminal.h"

namespace winnow::cli {

int exit_code_of(const std::function<int()>& work) {
  try {
    return work();
  } catch (const OutputClosed&) {
    return kExitOutputClosed;
  } catch (const ListedError& error) {
    say(error.what(), error.list());
    return kExitUsage;
  } catch (const Error& error) {
    say(error.what());
    // A kLimit error that names no file concerns the arguments.
    const bool usage = error.code() == ErrorCode::kUsage || error.code() == ErrorCode::kBackend ||
                       (error.code() == ErrorCode::kLimit && error.file().empty());
    return usage ? kExitUsage : kExitProblem;
  } catch (const std::bad_alloc&) {
    say("there is not enough memory");
  } catch (const std::exception& error) {
    say(error.what());
  }
  return kExitProblem;
}

}  // namespace winnow::cli
