#include "cluster/greeting.h"

#include <optional>
#include <string>
#include <vector>

#include <winnow/version.h>

namespace winnow {

Message next_message(Transport& transport) {
  Message message;
  for (int from = 0; !transport.receive(from, message);) transport.wait(kPause);
  return message;
}

bool greet_ranks(Transport& transport, const Hello& hello) {
  const int ranks = transport.ranks();
  for (int to = 1; to < ranks; ++to) transport.send(to, to_message(hello));
  std::vector<Ready> says(static_cast<std::size_t>(ranks));
  bool color = false;
  for (int ready = 1; ready < ranks;) {
    int from = 0;
    Message message;
    if (!transport.receive(from, message)) {
      transport.wait(kPause);
      continue;
    }
    says[static_cast<std::size_t>(from)] = read_ready(message);
    color = color || says[static_cast<std::size_t>(from)].color;
    ++ready;
  }
  std::optional<Failure> failure;
  int left = 0;
  for (int rank = 1; rank < ranks; ++rank) {
    const Ready& ready = says[static_cast<std::size_t>(rank)];
    if (!failure) failure = ready.failure;
    left += ready.failure ? 0 : 1;
  }
  if (!failure) return color;
  for (int to = 1; to < ranks; ++to)
    if (!says[static_cast<std::size_t>(to)].failure) transport.send(to, plain_message(MessageKind::kStop));
  for (; left > 0; --left) next_message(transport);
  transport.flush();
  throw_failure(*failure);
}

void end_ready_ranks(Transport& transport, MessageKind how) {
  for (int to = 1; to < transport.ranks(); ++to) transport.send(to, plain_message(how));
  for (int left = transport.ranks() - 1; left > 0;)
    if (kind_of(next_message(transport)) == MessageKind::kDone) --left;
  transport.flush();
}

Greeted answer_greeting(Transport& transport, const std::function<bool(const Hello&)>& prepare) {
  Ready ready;
  try {
    const Message message = next_message(transport);
    if (kind_of(message) == MessageKind::kStop) return Greeted::kNothing;
    const Hello hello = read_hello(message);
    if (hello.version != version())
      throw Error(ErrorCode::kUnsupported, "rank " + std::to_string(transport.rank()) + " runs Winnow " +
                                               version() + ", and rank 0 runs Winnow " + hello.version);
    ready.color = prepare(hello);
  } catch (...) {
    ready.failure = present_failure();
  }
  transport.send(0, to_message(ready));
  transport.flush();
  return ready.failure ? Greeted::kFailed : Greeted::kReady;
}

}  // namespace winnow
