#include "cluster/split/split_sieve.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include "backend/backend.h"
#include "cluster/greeting.h"

namespace winnow {
namespace {

SearchRequest sift_request(Size picture, const LevelPlan& plan, int plan_number) {
  return {picture, &plan, plan_number, 0, SieveOptions().min_score};
}

// Rows of a picture without gaps. Only if there are gaps, the rows are copied.
MessagePart pixels_of(GrayView picture, RowRange rows) {
  const auto width = static_cast<std::size_t>(picture.width);
  const std::size_t bytes = width * static_cast<std::size_t>(rows.last - rows.first);
  if (picture.stride == picture.width)
    return {{reinterpret_cast<const std::byte*>(picture.row(rows.first)), bytes}, nullptr};
  const auto copy = std::make_shared<std::vector<std::byte>>(bytes);
  for (int y = rows.first; y < rows.last; ++y)
    std::memcpy(copy->data() + width * static_cast<std::size_t>(y - rows.first), picture.row(y), width);
  return {*copy, copy};
}

}  // namespace

SplitSieve::SplitSieve(Transport& transport, std::unique_ptr<Pipeline> own, Size window)
    : transport_(transport), own_(std::move(own)), window_(window) {}

void SplitSieve::share(const LevelPlan& plan, Size picture) {
  if (plan_number_ > 0 && same_levels(plan, plan_) && picture == picture_) return;
  shares_ = split_shares(plan, picture, window_, transport_.ranks());
  plan_ = plan;
  picture_ = picture;
  ++plan_number_;
}

void SplitSieve::run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) {
  share(plan, picture.size());
  const auto ranks = static_cast<std::size_t>(transport_.ranks());
  sifted_.assign(ranks, {});
  expected_.assign(ranks, false);
  for (std::size_t to = 1; to < ranks; ++to) {
    const SplitShare& share = shares_[to];
    if (share.part.windows.window_count == 0) continue;
    transport_.send(static_cast<int>(to), to_message({picture.size(), share.rows, share.part.windows},
                                                     pixels_of(picture.gray, share.rows)));
    expected_[to] = true;
  }
  // Until all ranks have answered, this thread carries messages: large ones move only while it does.
  std::exception_ptr error;
  std::jthread own([&] {
    try {
      own_->sift(sift_request(picture.size(), shares_[0].part.windows, plan_number_), picture, {},
                 sifted_[0].result);
    } catch (...) {
      error = std::current_exception();
    }
  });
  gather();
  own.join();
  if (error) std::rethrow_exception(error);
  for (const Sifted& each : sifted_)
    if (each.failure) throw_failure(*each.failure);
  join(result);
}

void SplitSieve::gather() {
  while (std::find(expected_.begin(), expected_.end(), true) != expected_.end()) {
    int from = 0;
    Message message;
    if (!transport_.receive(from, message)) {
      transport_.wait(kPause);
      continue;
    }
    const auto rank = static_cast<std::size_t>(from);
    if (!expected_[rank])
      throw Error(ErrorCode::kFormat, "rank " + std::to_string(from) + " answers more than it was given");
    sifted_[rank] = read_sifted(message);
    const auto last = shares_[rank].part.windows.window_count;
    for (const Survivor& survivor : sifted_[rank].result.survivors)
      if (survivor.window >= last)
        throw Error(ErrorCode::kFormat, "rank " + std::to_string(from) + " names a window that it has not");
    expected_[rank] = false;
  }
}

void SplitSieve::join(SieveResult& result) {
  result.survivors.clear();
  result.windows = result.skipped = result.flat = result.weak = 0;
  result.reached.assign(sifted_[0].result.reached.size(), 0);
  for (std::size_t rank = 0; rank < sifted_.size(); ++rank) {
    const SieveResult& part = sifted_[rank].result;
    const PlanPart& of = shares_[rank].part;
    std::size_t level = 0;
    for (const Survivor& survivor : part.survivors) {
      const std::vector<Level>& levels = of.windows.levels;
      while (level + 1 < levels.size() && levels[level + 1].first_window <= survivor.window) ++level;
      result.survivors.push_back(
          {survivor.window - levels[level].first_window + of.first_windows[level], survivor.score});
    }
    result.windows += part.windows;
    result.skipped += part.skipped;
    result.flat += part.flat;
    result.weak += part.weak;
    for (std::size_t s = 0; s < std::min(result.reached.size(), part.reached.size()); ++s)
      result.reached[s] += part.reached[s];
  }
  sort_survivors(result.survivors, spare_);
}

RankSift make_rank_sift(const DetectorModel& model, const MachineOptions& machine) {
  const BackendKind kind = backends_for(machine.backend, model.kind()).first;
  const BackendTable& table = find_backend(kind, model.kind());
  return {make_pipeline(table, model, {table.threads(machine.threads), machine.devices}), model.window()};
}

void sift_as_rank(Transport& transport, RankSift sift) {
  GrayImage picture;
  LevelPlan plan;
  int plan_number = 0;
  Done done;
  for (;;) {
    const Message message = next_message(transport);
    if (kind_of(message) != MessageKind::kRows) break;
    Sifted sifted;
    try {
      const auto start = std::chrono::steady_clock::now();
      PictureRows rows = read_rows(message, sift.window);
      if (picture.size() != rows.picture) picture = GrayImage(rows.picture.width, rows.picture.height);
      const std::span<const std::byte> pixels = message.parts[0].bytes;
      if (!pixels.empty()) std::memcpy(picture.row(rows.rows.first), pixels.data(), pixels.size());
      if (plan_number == 0 || !same_levels(plan, rows.plan)) {
        plan = std::move(rows.plan);
        ++plan_number;
      }
      sift.pipeline->sift(sift_request(picture.size(), plan, plan_number),
                          PictureView(std::as_const(picture).view()), {}, sifted.result);
      ++done.frames;
      done.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    } catch (...) {
      sifted = {};
      sifted.failure = present_failure();
    }
    transport.send(0, to_message(sifted));
  }
  transport.send(0, to_message(done));
  transport.flush();
}

}  // namespace winnow
