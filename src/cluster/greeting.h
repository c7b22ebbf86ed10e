// Begins a run: rank 0 tells the others what to do, and each says whether it can.
//
// In:     a transport; on rank 0 a greeting, on the others a function that prepares the work.
// Out:    on rank 0 what the ranks say, or the `Error` of the first rank that cannot do it.
// Exact:  every rank prepares from the same greeting.
// Memory: nothing remains.
// Thread: one thread at a time.
#pragma once

#include <chrono>
#include <functional>

#include "cluster/messages.h"
#include "cluster/transport.h"

namespace winnow {

// How long a rank sleeps before it looks for messages again.
constexpr std::chrono::microseconds kPause{500};

// Waits for the next message of any rank.
Message next_message(Transport& transport);

// Rank 0: greets all ranks, and waits until they are ready. Returns whether one of them reads colour. If a
// rank cannot do the work, ends all ranks and throws what the first such rank says.
WINNOW_API bool greet_ranks(Transport& transport, const Hello& hello);

// Rank 0: ends all ranks that are ready, and waits until they are done.
WINNOW_API void end_ready_ranks(Transport& transport, MessageKind how);

enum class Greeted { kReady, kFailed, kNothing };
// The others: waits for the greeting, and answers it. `prepare` returns whether the work reads colour, and
// throws if the rank cannot do it. kNothing: rank 0 has nothing to deal.
Greeted answer_greeting(Transport& transport, const std::function<bool(const Hello&)>& prepare);

}  // namespace winnow
