// Deals the inputs of a scan to ranks, and gives their answers in the order of the inputs.
//
// Rank 0 reads inputs as a scan does, but does not decode pictures: their files travel. Frames of videos,
// cameras and streams travel as pixels. Each rank has two parcels ahead.
//
// In:     a transport whose other ranks run `answer_as_rank`, a greeting, a list of inputs.
// Out:    for each input its records, its problems and one end, in the order of the inputs: those of a
//         `Scan`.
// Exact:  the same for every number of ranks, except for cameras.
// Memory: two parcels of 16 MiB, or one larger picture each, for each rank, and what a FrameReader reads
//         ahead. At most `kMostTickets` records wait for earlier ones.
// Thread: one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <winnow/answer.h>
#include <winnow/feed.h>

#include "cluster/messages.h"
#include "cluster/transport.h"

namespace winnow {

// A frame that was answered, a problem, or the end of an input.
struct ClusterEvent {
  FrameEvent::Kind kind = FrameEvent::Kind::kEnd;
  std::shared_ptr<const Input> from;
  std::size_t input = 0;
  FrameRecord record;   // filled for kFrame
  std::string problem;  // filled for kProblem
  double fraction = -1;
  std::chrono::steady_clock::time_point read;  // when rank 0 had read the frame
};

struct ClusterOptions {
  int every = 1;
  std::int64_t max_pixels = ReadOptions().max_pixels;
  int threads = 1;            // that read
  bool whole_videos = false;  // all frames of a video, camera or stream go to one rank
  std::stop_token stop;       // `next` then gives no further event
};

// What a rank was given, and what it did.
struct RankFigures {
  std::int64_t parcels = 0, items = 0, bytes = 0;
  Done done;
};

// What rank 0 did. Its thread deals, gathers, or waits.
struct RootFigures {
  double dealing = 0, gathering = 0;           // seconds
  double waits_for_inputs = 0;                 // while a rank had room
  double waits_for_ranks = 0;                  // while all had enough to do
  std::int64_t sent_bytes = 0, got_bytes = 0;  // of all messages
};

// Ends all ranks, in place of a greeting.
WINNOW_API void end_ranks(Transport& transport);

class WINNOW_API ClusterScan {
 public:
  static constexpr std::size_t kMostTickets = 8192;

  // Greets all ranks, and waits until they are ready. Throws what a rank says that it cannot do.
  ClusterScan(Transport& transport, const Hello& hello, std::vector<Input> inputs, ClusterOptions options);
  // Ends all ranks.
  ~ClusterScan();

  // Waits for the next event. False after the last one. Throws what ends the scan on a rank.
  bool next(ClusterEvent& event);
  // Ends all ranks, and waits for their figures: one for each rank but this.
  const std::vector<RankFigures>& finish();
  // What rank 0 did so far.
  RootFigures root_figures() const;
  // Why a device does not help, with the rank's number; "" if all is well.
  const std::string& note() const { return note_; }

 private:
  struct Ticket {
    ClusterEvent event;
    bool ready = false;
    std::optional<Failure> failure;
  };
  struct Rank {
    std::deque<Ticket*> expected;     // in the order in which they were dealt
    std::deque<std::size_t> parcels;  // for each that is out, the items that are not answered yet
    RankFigures figures;
    bool done = false;
  };

  bool take_messages();
  void take_answers(Rank& rank, int number, const Message& message);
  bool deal();
  bool has_room();
  void put(FrameEvent event);
  void end_frames();
  Rank& freest();
  // The rank that gets the next parcel.
  Rank& next_rank() { return whole_ != nullptr ? *whole_ : freest(); }
  void send();
  void send_to_all(MessageKind kind);
  std::size_t wanted_items() const;
  Rank& rank_of(int number) { return ranks_[static_cast<std::size_t>(number - 1)]; }

  Transport& transport_;
  const ClusterOptions options_;
  const std::size_t inputs_;
  std::vector<Rank> ranks_;
  std::optional<FrameReader> reader_;
  bool read_all_ = false;
  std::deque<Ticket> tickets_;
  ParcelWriter parcel_;
  std::vector<Ticket*> in_parcel_;
  Rank* whole_ = nullptr;   // the rank that has the open video
  bool in_frames_ = false;  // frames were begun, and are not ended
  bool live_ = false;       // they are those of a camera, of which only the newest count
  std::size_t input_ = 0;   // the input that is dealt
  bool ended_ = false;
  std::string note_;
  std::vector<RankFigures> figures_;
  RootFigures root_;
};

}  // namespace winnow
