// Gives the limits of training options, and the checks that several files of this folder share.
//
// In:     options, counts of samples, a pack.
// Out:    nothing, or an `Error`: kUsage for an option, kLimit for memory, kFormat for samples.
// Exact:  the same sentence for the same input.
// Memory: nothing is kept.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <winnow/machine.h>
#include <winnow/pack.h>

namespace winnow {

// Least number of negatives of a stage. With fewer negatives, the rate of false alarms is too uncertain.
constexpr int kLeastNegatives = 10;

// Largest number of positives and negatives together.
constexpr int kMostSamples = 4'000'000;

// The shortest and the longest side of a cascade's window, and the longest side of a pack's samples, in
// pixels.
constexpr int kLeastSide = 4, kMostSide = 128, kMostPackSide = 256;

// Throws kUsage with the sentence `why`.
[[noreturn]] void refuse(const std::string& why);
[[noreturn]] void refuse_window(int most_side);

void check_min_hit(double min_hit);       // kUsage unless above 0.5 and at most 1
void check_means(const RunOptions& run);  // kUsage for a bad number of threads, or memory below 0
// Throws kLimit if `bytes`, the memory of `count` things, exceeds `allowed`. `what` names the things:
// "samples".
void check_room(std::size_t count, const char* what, std::int64_t bytes, std::int64_t allowed);

// Throws if nothing can be learned from this pack. kUsage for the window's size or a wrong number of bytes,
// kFormat for fewer than two positives.
void check_samples(const Pack& pack);

// Throws if a model with this window cannot learn from the pack. The model's window lies in the middle of the
// pack's samples.
void check_middle(const Pack& pack, Size window);

}  // namespace winnow
