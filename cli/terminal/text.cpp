#include "terminal/text.h"

namespace winnow::cli {

std::string counted(long long n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace winnow::cli
