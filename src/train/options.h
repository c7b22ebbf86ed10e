// What a training may be asked for, and what its choices are called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <winnow/machine.h>
#include <winnow/pack.h>

namespace winnow {

// Of a stage: fewer tell nothing about a rate of false alarms.
constexpr int kLeastNegatives = 10;

// Positives and negatives that a training takes.
constexpr int kMostSamples = 4'000'000;

// Of a window that something can be trained in.
constexpr int kLeastSide = 4, kMostSide = 128;

// Throws kUsage with this sentence.
[[noreturn]] void refuse(const std::string& why);
[[noreturn]] void refuse_window();

void check_min_hit(double min_hit);       // kUsage
void check_means(const RunOptions& run);  // kUsage
// kLimit if so many (`what`: "samples") take more bytes than are allowed.
void check_room(std::size_t count, const char* what, std::int64_t bytes, std::int64_t allowed);

// Throws if nothing can be trained on this pack.
void check_samples(const Pack& pack);

}  // namespace winnow
