#include "cluster/worker.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "cluster/arriving_inputs.h"
#include "cluster/greeting.h"

namespace winnow {
namespace {

// The scan of a rank, on a thread of its own, and the answers that it made.
class RankScan {
 public:
  RankScan(RankWork work, ArrivingInputs& inputs)
      : rules_(std::move(work.rules)), source_(inputs.source()), work_(std::move(work)) {
    thread_ = std::thread([this] { run(); });
  }
  ~RankScan() {
    stop_.request_stop();
    thread_.join();
  }

  // The answers since the last call. Sets `over` once no more will come.
  RankAnswers take(bool& over) {
    const std::lock_guard lock(mutex_);
    over = over_;
    return std::exchange(made_, {});
  }
  Done done() {
    const std::lock_guard lock(mutex_);
    return done_;
  }

 private:
  void run() {
    try {
      work_.options.stop = stop_.get_token();
      Scan scan(std::move(source_), std::move(work_.work), std::move(work_.options));
      for (ScanEvent event; !stop_.stop_requested() && scan.next(event);) {
        if (event.kind == FrameEvent::Kind::kEnd) continue;
        RankAnswer answer;
        if (event.kind == FrameEvent::Kind::kFrame)
          answer.record = record_of(event, rules_);
        else
          answer.problem = event.problem;
        add(std::move(answer), event.kind == FrameEvent::Kind::kFrame ? event.seconds : 0,
            scan.progress().note);
      }
    } catch (...) {
      RankAnswer answer;
      answer.failure = present_failure();
      add(std::move(answer), 0, {});
    }
    const std::lock_guard lock(mutex_);
    over_ = true;
  }

  void add(RankAnswer answer, double seconds, const std::string& note) {
    const std::lock_guard lock(mutex_);
    made_.answers.push_back(std::move(answer));
    if (!note.empty() && !std::exchange(told_, true)) made_.note = note;
    ++done_.frames;
    done_.seconds += seconds;
  }

  const RecordRules rules_;
  std::unique_ptr<InputSource> source_;
  RankWork work_;
  std::stop_source stop_;
  std::mutex mutex_;
  RankAnswers made_;
  Done done_;
  bool told_ = false, over_ = false;
  std::thread thread_;
};

// Scans what rank 0 deals. Returns false if the work failed.
bool scan_as_rank(Transport& transport, RankWork work) {
  ArrivingInputs inputs;
  std::optional<RankScan> scan(std::in_place, std::move(work), inputs);
  bool stopped = false, over = false, good = true;
  while (!over && !stopped) {
    bool idle = true;
    int from = 0;
    for (Message message; transport.receive(from, message); idle = false) {
      switch (kind_of(message)) {
        case MessageKind::kParcel:
          for (Item& item : read_parcel(message)) inputs.add(std::move(item));
          break;
        case MessageKind::kEnd:
          inputs.end();
          break;
        default:
          stopped = true;
          break;
      }
    }
    RankAnswers made = scan->take(over);
    for (const RankAnswer& answer : made.answers) good = good && !answer.failure;
    if (!made.answers.empty()) {
      idle = false;
      transport.send(0, to_message(made));
    }
    if (idle && !over) transport.wait(kPause);
  }
  const Done done = scan->done();
  scan.reset();
  if (!good && !stopped) {
    // Rank 0 decides when the run ends.
    while (kind_of(next_message(transport)) == MessageKind::kParcel) {
    }
  }
  transport.send(0, to_message(done));
  transport.flush();
  return good;
}

}  // namespace

bool answer_as_rank(Transport& transport, const MakeRankTask& make) {
  RankTask task;
  const Greeted greeted = answer_greeting(transport, [&](const Hello& hello) {
    task = make(hello);
    const auto* const work = std::get_if<RankWork>(&task);
    return work != nullptr && (work->options.color || (work->work != nullptr && work->work->reads_color()));
  });
  if (greeted != Greeted::kReady) return greeted == Greeted::kNothing;
  if (auto* const sift = std::get_if<RankSift>(&task)) {
    sift_as_rank(transport, std::move(*sift));
    return true;
  }
  return scan_as_rank(transport, std::move(std::get<RankWork>(task)));
}

}  // namespace winnow
