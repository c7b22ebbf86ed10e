// Deals parcels of bytes to ranks by plain MPI, without any work, as a yardstick for winnow-mpi.
//
//   mpirun -n 5 winnow_mpi_loop PARCELS PARTS BYTES ANSWER
//
// In:     how many parcels rank 0 deals, the parts of each, the bytes of a part, and the bytes of each part's answer.
// Out:    one line of JSON on rank 0's standard output: seconds, parts a second, bytes a second.
// Memory: 16 parcels a rank.
// Thread: one a rank.
//
// As in winnow-mpi, a parcel is one message of sizes and one for each part, each rank has at most two parcels ahead,
// and answers a parcel by one message. Here MPI's calls wait, and so burn their cores.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kHead = 1, kPart = 2, kAnswer = 3;
constexpr int kAhead = 2;
// Parcels come from and go to so many places in turn, since files that were just read lie in no cache either.
constexpr std::size_t kPlaces = 16;

struct Loop {
  long parcels = 0;
  int parts = 0, bytes = 0, answer = 0;
};

// Parcels that lie in different places.
class Places {
 public:
  explicit Places(const Loop& loop)
      : parcel_(static_cast<std::size_t>(loop.parts) * static_cast<std::size_t>(loop.bytes)),
        bytes_(kPlaces * parcel_, 'p') {}
  char* next() { return bytes_.data() + turn_++ % kPlaces * parcel_; }

 private:
  const std::size_t parcel_;
  std::vector<char> bytes_;
  std::size_t turn_ = 0;
};

void send_parcel(const Loop& loop, const char* pictures, std::vector<std::uint64_t>& head, int to,
                 std::vector<MPI_Request>& requests) {
  MPI_Isend(head.data(), static_cast<int>(head.size() * sizeof head[0]), MPI_BYTE, to, kHead, MPI_COMM_WORLD,
            &requests[0]);
  for (int part = 0; part < loop.parts; ++part)
    MPI_Isend(pictures + static_cast<std::ptrdiff_t>(part) * loop.bytes, loop.bytes, MPI_BYTE, to, kPart,
              MPI_COMM_WORLD, &requests[static_cast<std::size_t>(part) + 1]);
}

double deal(const Loop& loop, int ranks) {
  Places places(loop);
  std::vector<std::uint64_t> head(static_cast<std::size_t>(loop.parts),
                                  static_cast<std::uint64_t>(loop.bytes));
  std::vector<char> answer(static_cast<std::size_t>(loop.parts) * static_cast<std::size_t>(loop.answer) + 1);
  const std::vector<MPI_Request> none(static_cast<std::size_t>(loop.parts) + 1, MPI_REQUEST_NULL);
  // The sends of each rank's parcels ahead, in turn.
  std::vector<std::vector<MPI_Request>> sends(static_cast<std::size_t>(ranks) * kAhead, none);
  std::vector<std::size_t> turns(static_cast<std::size_t>(ranks), 0);
  long dealt = 0, answered = 0;
  const auto deal_to = [&](int rank) {
    const auto number = static_cast<std::size_t>(rank);
    std::vector<MPI_Request>& requests = sends[number * kAhead + turns[number]++ % kAhead];
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    send_parcel(loop, places.next(), head, rank, requests);
    ++dealt;
  };
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int ahead = 0; ahead < kAhead; ++ahead)
    for (int rank = 1; rank < ranks && dealt < loop.parcels; ++rank) deal_to(rank);
  for (; answered < loop.parcels; ++answered) {
    MPI_Status status;
    MPI_Recv(answer.data(), static_cast<int>(answer.size()), MPI_BYTE, MPI_ANY_SOURCE, kAnswer,
             MPI_COMM_WORLD, &status);
    if (dealt < loop.parcels) deal_to(status.MPI_SOURCE);
  }
  for (std::vector<MPI_Request>& requests : sends)
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  const double seconds = MPI_Wtime() - start;
  for (int rank = 1; rank < ranks; ++rank) MPI_Send(nullptr, 0, MPI_BYTE, rank, kHead, MPI_COMM_WORLD);
  return seconds;
}

void answer(const Loop& loop) {
  Places places(loop);
  std::vector<std::uint64_t> head(static_cast<std::size_t>(loop.parts));
  const std::vector<char> lines(static_cast<std::size_t>(loop.parts) * static_cast<std::size_t>(loop.answer),
                                'l');
  std::vector<MPI_Request> requests(static_cast<std::size_t>(loop.parts));
  MPI_Barrier(MPI_COMM_WORLD);
  for (;;) {
    MPI_Status status;
    int bytes = 0;
    MPI_Recv(head.data(), static_cast<int>(head.size() * sizeof head[0]), MPI_BYTE, 0, kHead, MPI_COMM_WORLD,
             &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (bytes == 0) return;
    char* const pictures = places.next();
    for (int part = 0; part < loop.parts; ++part)
      MPI_Irecv(pictures + static_cast<std::ptrdiff_t>(part) * loop.bytes, loop.bytes, MPI_BYTE, 0, kPart,
                MPI_COMM_WORLD, &requests[static_cast<std::size_t>(part)]);
    MPI_Waitall(loop.parts, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Send(lines.data(), static_cast<int>(lines.size()), MPI_BYTE, 0, kAnswer, MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Loop loop;
  if (argc == 5) loop = {std::atol(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4])};
  const bool good = loop.parcels > 0 && loop.parts > 0 && loop.bytes > 0 && loop.answer >= 0 && ranks > 1;
  if (good && rank > 0) answer(loop);
  if (good && rank == 0) {
    const double seconds = deal(loop, ranks);
    const double parts = static_cast<double>(loop.parcels) * loop.parts;
    std::printf(
        "{\"ranks\": %d, \"parcels\": %ld, \"parts\": %d, \"bytes\": %d, \"seconds\": %.4f, "
        "\"parts_per_second\": %.1f, \"bytes_per_second\": %.0f}\n",
        ranks, loop.parcels, loop.parts, loop.bytes, seconds, parts / seconds, parts * loop.bytes / seconds);
  }
  if (!good && rank == 0)
    std::fprintf(stderr, "usage: mpirun -n 2... winnow_mpi_loop PARCELS PARTS BYTES ANSWER\n");
  MPI_Finalize();
  return good ? 0 : 2;
}
