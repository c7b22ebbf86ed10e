#include "run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "terminal/terminal.h"
#include "terminal/text.h"

namespace winnow::mpi {
namespace {

std::string megabytes(std::int64_t bytes) {
  const double value = static_cast<double>(bytes) / 1e6;
  return value < 10 ? fmt::format("{:.3f} MB", value) : fmt::format("{:.1f} MB", value);
}

// "3", or "3 to 5" if ranks differ.
template <class Value>
std::string range(const std::vector<RankFigures>& ranks, const Value& value) {
  auto least = value(ranks.front()), most = least;
  for (const RankFigures& rank : ranks) {
    least = std::min(least, value(rank));
    most = std::max(most, value(rank));
  }
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

}  // namespace

void RunSummary::line_written(const ClusterEvent& event) {
  const InputKind kind = event.from->kind;
  if (kind != InputKind::kCamera && kind != InputKind::kStream) return;
  latency_.add(std::chrono::duration<double>(std::chrono::steady_clock::now() - event.read).count());
}

void RunSummary::say_all(const RootFigures& root, const std::vector<RankFigures>& ranks) const {
  cli::say(fmt::format(
      "rank 0 dealt for {:.3f} s, gathered for {:.3f} s, and waited {:.3f} s for inputs and {:.3f} s for "
      "ranks; it sent {} and got {}",
      root.dealing, root.gathering, root.waits_for_inputs, root.waits_for_ranks, megabytes(root.sent_bytes),
      megabytes(root.got_bytes)));
  const auto seconds = [](const RankFigures& rank) { return std::round(rank.done.seconds * 100) / 100; };
  cli::say(fmt::format("{}: parcels {}, pictures dealt {}, seconds of work {}",
                       cli::counted(static_cast<long long>(ranks.size()), "rank"),
                       range(ranks, [](const RankFigures& rank) { return rank.parcels; }),
                       range(ranks, [](const RankFigures& rank) { return rank.items; }),
                       range(ranks, seconds)));
  if (!latency_.empty()) cli::say("time from reading a frame to its line: " + latency_.text());
}

}  // namespace winnow::mpi
