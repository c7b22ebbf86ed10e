#include "mpi_transport.h"

#include <winnow/error.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

namespace winnow::mpi {
namespace {

constexpr int kEnvelope = 1, kPart = 2;  // tags
constexpr std::chrono::microseconds kPauseWhileBytesMove{20};

bool are_done(std::vector<MPI_Request>& requests) {
  int done = 0;
  MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

int count_of(std::size_t bytes) {
  if (bytes > Transport::kMostPart)
    throw Error(ErrorCode::kLimit, "a picture of 2 GiB or more cannot be sent to another rank");
  return static_cast<int>(bytes);
}

}  // namespace

MpiTransport::MpiTransport(int rank, int ranks) : Transport(rank, ranks) {}

void MpiTransport::post(int to, Message message) {
  forget_sent();
  // What can fail comes before the first part leaves: a rank waits for all parts of a message.
  Sent& sent = sent_.emplace_back();
  try {
    prepare(sent, std::move(message));
  } catch (...) {
    sent_.pop_back();
    throw;
  }
  const std::vector<MessagePart>& parts = sent.message.parts;
  MPI_Isend(sent.envelope.data(), count_of(sent.envelope.size()), MPI_BYTE, to, kEnvelope, MPI_COMM_WORLD,
            &sent.requests[0]);
  for (std::size_t i = 0; i < parts.size(); ++i)
    MPI_Isend(parts[i].bytes.data(), count_of(parts[i].bytes.size()), MPI_BYTE, to, kPart, MPI_COMM_WORLD,
              &sent.requests[i + 1]);
}

void MpiTransport::prepare(Sent& sent, Message message) {
  sent.message = std::move(message);
  const std::vector<MessagePart>& parts = sent.message.parts;
  std::vector<std::uint64_t> sizes{parts.size()};
  for (const MessagePart& part : parts) sizes.push_back(part.bytes.size());
  const std::size_t before = sizes.size() * sizeof(std::uint64_t);
  sent.envelope.resize(before + sent.message.head.size());
  std::memcpy(sent.envelope.data(), sizes.data(), before);
  std::copy(sent.message.head.begin(), sent.message.head.end(),
            sent.envelope.begin() + static_cast<std::ptrdiff_t>(before));
  sent.requests.resize(parts.size() + 1, MPI_REQUEST_NULL);
  count_of(sent.envelope.size());
  for (const MessagePart& part : parts) count_of(part.bytes.size());
}

void MpiTransport::forget_sent() {
  sent_.remove_if([](Sent& sent) { return are_done(sent.requests); });
}

// Takes the sizes and heads that have come, and lets their parts come.
void MpiTransport::take_envelopes() {
  for (;;) {
    int here = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, kEnvelope, MPI_COMM_WORLD, &here, &handle, &status);
    if (here == 0) return;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    std::vector<std::byte> envelope(static_cast<std::size_t>(bytes));
    MPI_Mrecv(envelope.data(), bytes, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    std::uint64_t parts = 0;
    const std::size_t most = envelope.size() / sizeof parts;
    if (most > 0) std::memcpy(&parts, envelope.data(), sizeof parts);
    if (parts >= most) throw Error(ErrorCode::kFormat, "a message of another rank is damaged");
    std::vector<std::uint64_t> sizes(parts);
    if (parts > 0) std::memcpy(sizes.data(), envelope.data() + sizeof parts, parts * sizeof parts);
    Coming& coming = coming_.emplace_back();
    coming.from = status.MPI_SOURCE;
    coming.message.head.assign(envelope.begin() + static_cast<std::ptrdiff_t>((parts + 1) * sizeof parts),
                               envelope.end());
    coming.requests.resize(parts, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < parts; ++i) {
      const auto file = std::make_shared<std::vector<std::byte>>(sizes[i]);
      MPI_Irecv(file->data(), count_of(sizes[i]), MPI_BYTE, coming.from, kPart, MPI_COMM_WORLD,
                &coming.requests[i]);
      coming.message.parts.push_back({*file, file, file});
    }
  }
}

bool MpiTransport::take(int& from, Message& message) {
  if (broken_) throw Error(ErrorCode::kLimit, "a message of another rank is lost");
  forget_sent();
  broken_ = true;  // if this throws, a part of a message is lost
  take_envelopes();
  broken_ = false;
  std::vector<int> waiting;  // ranks of which an earlier message has not come whole
  for (auto coming = coming_.begin(); coming != coming_.end(); ++coming) {
    if (std::find(waiting.begin(), waiting.end(), coming->from) != waiting.end()) continue;
    if (!are_done(coming->requests)) {
      waiting.push_back(coming->from);
      continue;
    }
    from = coming->from;
    message = std::move(coming->message);
    coming_.erase(coming);
    return true;
  }
  return false;
}

void MpiTransport::wait(std::chrono::microseconds most) {
  const bool bytes_move = !sent_.empty() || !coming_.empty();
  std::this_thread::sleep_for(bytes_move ? std::min(most, kPauseWhileBytesMove) : most);
}

void MpiTransport::flush() {
  for (forget_sent(); !sent_.empty(); forget_sent()) std::this_thread::sleep_for(kPauseWhileBytesMove);
}

}  // namespace winnow::mpi
