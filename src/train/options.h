// What a training may be asked for, and what its choices are called.
#pragma once

#include <string>

#include <winnow/pack.h>
#include <winnow/train.h>

namespace winnow {

// Throws kUsage with this sentence.
[[noreturn]] void refuse(const std::string& why);

// Throws if options make no sense, by themselves or with this pack.
void check_options(const Pack& pack, const TrainOptions& options);

}  // namespace winnow
