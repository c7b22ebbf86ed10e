// What a training may be asked for, and what its choices are called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <winnow/pack.h>
#include <winnow/train.h>

namespace winnow {

// Throws kUsage with this sentence.
[[noreturn]] void refuse(const std::string& why);

void check_min_hit(double min_hit);  // kUsage
// kLimit if so many (`what`: "samples") take more bytes than are allowed.
void check_room(std::size_t count, const char* what, std::int64_t bytes, std::int64_t allowed);

// Throws if options make no sense, by themselves or with this pack.
void check_options(const Pack& pack, const TrainOptions& options);

}  // namespace winnow
