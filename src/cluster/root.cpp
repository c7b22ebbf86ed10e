#include "cluster/root.h"

#include <algorithm>
#include <utility>

#include "cluster/greeting.h"

namespace winnow {
namespace {

constexpr std::size_t kMostItems = 64, kMostBytes = std::size_t{16} << 20;
constexpr std::size_t kParcelsAhead = 2;
// How many parcels should still come for each rank, so that all ranks end at the same time.
constexpr std::size_t kParcelsLeft = 3;

// Adds the seconds of its life to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum), start_(std::chrono::steady_clock::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& sum_;
  const std::chrono::steady_clock::time_point start_;
};

}  // namespace

void end_ranks(Transport& transport) {
  for (int to = 1; to < transport.ranks(); ++to) transport.send(to, plain_message(MessageKind::kStop));
  transport.flush();
}

ClusterScan::ClusterScan(Transport& transport, const Hello& hello, std::vector<Input> inputs,
                         ClusterOptions options)
    : transport_(transport),
      options_(std::move(options)),
      inputs_(inputs.size()),
      ranks_(static_cast<std::size_t>(transport.ranks() - 1)) {
  FrameReaderOptions read;
  read.color = greet_ranks(transport, hello);
  read.files = true;
  read.every = options_.every;
  read.max_pixels = options_.max_pixels;
  read.threads = options_.threads;
  reader_.emplace(std::move(inputs), read, options_.stop);
}

ClusterScan::~ClusterScan() {
  if (ended_) return;
  try {
    send_to_all(MessageKind::kStop);
    finish();
  } catch (...) {  // the run ends anyway
  }
}

void ClusterScan::send_to_all(MessageKind kind) {
  for (int to = 1; to < transport_.ranks(); ++to)
    if (!rank_of(to).done) transport_.send(to, plain_message(kind));
  ended_ = true;
}

const std::vector<RankFigures>& ClusterScan::finish() {
  if (!ended_) send_to_all(MessageKind::kEnd);
  const auto is_done = [](const Rank& rank) { return rank.done; };
  while (!std::all_of(ranks_.begin(), ranks_.end(), is_done))
    if (!take_messages()) transport_.wait(kPause);
  transport_.flush();
  figures_.clear();
  for (const Rank& rank : ranks_) figures_.push_back(rank.figures);
  return figures_;
}

bool ClusterScan::next(ClusterEvent& event) {
  while (!options_.stop.stop_requested()) {
    if (!tickets_.empty() && tickets_.front().ready) {
      Ticket ticket = std::move(tickets_.front());
      tickets_.pop_front();
      if (ticket.failure) throw_failure(*ticket.failure);
      event = std::move(ticket.event);
      return true;
    }
    const bool came = take_messages();
    const bool dealt = deal();
    if (read_all_ && tickets_.empty()) return false;
    if (came || dealt) continue;
    const bool lacks_frames = !read_all_ && has_room();
    const Stopwatch watch(lacks_frames ? root_.waits_for_inputs : root_.waits_for_ranks);
    // While a rank has work, its answer ends the wait; else the next frame does.
    if (lacks_frames && tickets_.empty())
      reader_->wait(std::chrono::milliseconds(1));
    else
      transport_.wait(kPause);
  }
  return false;
}

RootFigures ClusterScan::root_figures() const {
  RootFigures figures = root_;
  figures.sent_bytes = transport_.sent_bytes();
  figures.got_bytes = transport_.received_bytes();
  return figures;
}

bool ClusterScan::take_messages() {
  const Stopwatch watch(root_.gathering);
  bool any = false;
  int from = 0;
  for (Message message; transport_.receive(from, message); any = true) {
    Rank& rank = rank_of(from);
    if (kind_of(message) == MessageKind::kDone) {
      rank.figures.done = read_done(message);
      rank.done = true;
      if (!rank.expected.empty() && !ended_)
        throw Error(ErrorCode::kLimit, "rank " + std::to_string(from) + " ended before its work was done");
      continue;
    }
    take_answers(rank, from, message);
  }
  return any;
}

void ClusterScan::take_answers(Rank& rank, int number, const Message& message) {
  RankAnswers answers = read_answers(message);
  if (note_.empty() && !answers.note.empty()) note_ = "rank " + std::to_string(number) + ": " + answers.note;
  for (RankAnswer& answer : answers.answers) {
    if (rank.expected.empty()) {
      if (ended_) return;  // the rank was stopped
      throw Error(ErrorCode::kFormat, "rank " + std::to_string(number) + " answers more than it was given");
    }
    Ticket& ticket = *rank.expected.front();
    rank.expected.pop_front();
    if (--rank.parcels.front() == 0) rank.parcels.pop_front();
    ticket.ready = true;
    ticket.failure = std::move(answer.failure);
    ticket.event.record = std::move(answer.record);
    if (!answer.problem.empty()) {
      ticket.event.kind = FrameEvent::Kind::kProblem;
      ticket.event.problem = std::move(answer.problem);
    }
  }
}

// The rank that has the fewest parcels; of several, the one that was given least so far.
ClusterScan::Rank& ClusterScan::freest() {
  return *std::min_element(ranks_.begin(), ranks_.end(), [](const Rank& a, const Rank& b) {
    return std::pair(a.parcels.size(), a.figures.bytes) < std::pair(b.parcels.size(), b.figures.bytes);
  });
}

bool ClusterScan::has_room() {
  return tickets_.size() < kMostTickets && next_rank().parcels.size() < (live_ ? 1 : kParcelsAhead);
}

// The items of a parcel. With few pictures, each rank gets its part.
std::size_t ClusterScan::wanted_items() const {
  if (live_) return 1;
  // With many ranks, parcels are small enough for each rank to have its parcels ahead among the tickets. A
  // picture takes two tickets: its own, and that of its end.
  const std::size_t most =
      std::clamp<std::size_t>(kMostTickets / (2 * kParcelsAhead * ranks_.size()), 1, kMostItems);
  if (in_frames_) return most;
  const std::size_t left = inputs_ - std::min(inputs_, input_ + 1) + parcel_.items();
  return std::clamp<std::size_t>(left / (kParcelsLeft * ranks_.size()), 1, most);
}

// Deals what the reader has, as long as ranks have room. Returns whether anything was dealt.
bool ClusterScan::deal() {
  const Stopwatch watch(root_.dealing);
  bool any = false;
  while (!read_all_ && has_room()) {
    if (!reader_->ready() && !reader_->wait(std::chrono::milliseconds(0))) break;
    FrameEvent event;
    if (!reader_->next(event)) {
      read_all_ = true;
    } else {
      put(std::move(event));
    }
    any = true;
  }
  if (parcel_.empty()) return any;
  // What waits goes to a rank that has nothing else to do.
  if (!read_all_ && !next_rank().parcels.empty()) return any;
  send();
  return true;
}

void ClusterScan::put(FrameEvent event) {
  input_ = event.input;
  tickets_.emplace_back();
  Ticket& ticket = tickets_.back();
  ticket.event.kind = event.kind;
  ticket.event.from = event.from;
  ticket.event.input = event.input;
  ticket.event.read = event.read;
  ticket.event.fraction = event.fraction_done();
  ticket.event.problem = std::move(event.problem);
  if (event.kind == FrameEvent::Kind::kFrame && event.bytes() > Transport::kMostPart) {
    ticket.event.kind = FrameEvent::Kind::kProblem;
    ticket.event.problem = frame_name(event) + ": of 2 GiB or more, which is too large for another rank";
  }
  if (ticket.event.kind != FrameEvent::Kind::kFrame) {  // no rank has work with it
    ticket.ready = true;
    if (event.kind == FrameEvent::Kind::kEnd) end_frames();
    return;
  }
  const bool is_picture = event.file != nullptr;
  if (!is_picture && !in_frames_) {
    live_ = event.from->kind == InputKind::kCamera;
    if (options_.whole_videos) {
      if (!parcel_.empty()) send();  // pictures that wait may go elsewhere
      whole_ = &freest();
    }
  }
  if (parcel_.items() > 0 && parcel_.bytes() + event.bytes() > kMostBytes) send();
  in_parcel_.push_back(&ticket);
  if (is_picture) {
    parcel_.picture(event.from, std::move(event.file));
  } else {
    parcel_.frame(std::move(event), !std::exchange(in_frames_, true));
  }
  if (parcel_.items() >= wanted_items() || parcel_.bytes() >= kMostBytes) send();
}

// The input of the frames so far has ended.
void ClusterScan::end_frames() {
  live_ = false;
  if (in_frames_) parcel_.end_frames();
  in_frames_ = false;
  if (whole_ != nullptr) send();
  whole_ = nullptr;
}

void ClusterScan::send() {
  Rank& rank = next_rank();
  // Another rank may have the frames that follow.
  if (in_frames_ && whole_ == nullptr) {
    parcel_.end_frames();
    in_frames_ = false;
  }
  rank.figures.items += static_cast<std::int64_t>(parcel_.items());
  rank.figures.bytes += static_cast<std::int64_t>(parcel_.bytes());
  ++rank.figures.parcels;
  rank.expected.insert(rank.expected.end(), in_parcel_.begin(), in_parcel_.end());
  if (!in_parcel_.empty()) rank.parcels.push_back(in_parcel_.size());
  in_parcel_.clear();
  transport_.send(static_cast<int>(&rank - ranks_.data()) + 1, parcel_.finish());
}

}  // namespace winnow
