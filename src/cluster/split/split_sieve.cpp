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

SplitSieve::SplitSieve(Transport& transport, std::unique_ptr<Pipeline> own, Size window, int rounds)
    : transport_(transport), own_(std::move(own)), window_(window), rounds_(rounds) {}

void SplitSieve::share(const LevelPlan& plan, Size picture) {
  if (plans_ > 0 && same_levels(plan, plan_) && picture == picture_) return;
  shares_ = split_shares(plan, picture, window_, transport_.ranks(), rounds_);
  plan_ = plan;
  picture_ = picture;
  ++plans_;
}

void SplitSieve::run(const PictureView& picture, const LevelPlan& plan, SieveResult& result) {
  share(plan, picture.size());
  sifted_.assign(shares_.size(), {});
  dealt_.assign(static_cast<std::size_t>(transport_.ranks()), {});
  next_ = 1;  // the first one is rank 0's
  std::exception_ptr error;
  {
    // Until all ranks have answered, this thread carries messages: large ones move only while it does.
    std::jthread own([&] {
      try {
        work(picture);
      } catch (...) {
        error = std::current_exception();
      }
    });
    deal(picture);
  }
  if (error) std::rethrow_exception(error);
  for (const Sifted& each : sifted_)
    if (each.failure) throw_failure(*each.failure);
  join(result);
}

// A share with windows that nobody has yet.
std::optional<std::size_t> SplitSieve::next_share() {
  for (;;) {
    const std::size_t share = next_.fetch_add(1);
    if (share >= shares_.size()) return std::nullopt;
    if (shares_[share].part.windows.window_count > 0) return share;
  }
}

// Judges rank 0's strips.
void SplitSieve::work(const PictureView& picture) {
  for (std::optional<std::size_t> share = 0; share; share = next_share()) {
    const int number = plans_ * static_cast<int>(shares_.size()) + static_cast<int>(*share);
    own_->sift(sift_request(picture.size(), shares_[*share].part.windows, number), picture, {},
               sifted_[*share].result);
  }
}

// Deals strips, until no more are left and all are answered. After an error no more are dealt. Those that are
// out are waited for: they borrow the picture's pixels, and their answers belong to no later picture.
void SplitSieve::deal(const PictureView& picture) {
  const std::size_t ahead = rounds_ == 1 ? 1 : 2;
  std::size_t expected = 0;
  std::exception_ptr why;
  const auto try_to = [&](auto&& step) {
    try {
      step();
    } catch (...) {
      if (!why) why = std::current_exception();
      next_ = shares_.size();
    }
  };
  const auto feed = [&](std::size_t to) {
    while (dealt_[to].size() < ahead) {
      const std::optional<std::size_t> share = next_share();
      if (!share) return;
      const SplitShare& strip = shares_[*share];
      Message message =
          to_message({picture.size(), strip.rows, strip.part.windows}, pixels_of(picture.gray, strip.rows));
      dealt_[to].push_back(*share);
      try {
        transport_.send(static_cast<int>(to), std::move(message));
      } catch (...) {
        dealt_[to].pop_back();
        throw;
      }
      ++expected;
    }
  };
  for (std::size_t to = 1; to < dealt_.size(); ++to) try_to([&] { feed(to); });
  while (expected > 0) {
    int from = 0;
    Message message;
    if (!transport_.receive(from, message)) {
      transport_.wait(kPause);
      continue;
    }
    std::deque<std::size_t>& dealt = dealt_[static_cast<std::size_t>(from)];
    if (dealt.empty())
      throw Error(ErrorCode::kFormat, "rank " + std::to_string(from) + " answers more than it was given");
    try_to([&] { take(from, dealt.front(), message); });
    dealt.pop_front();
    --expected;
    try_to([&] { feed(static_cast<std::size_t>(from)); });
  }
  if (why) std::rethrow_exception(why);
}

void SplitSieve::take(int from, std::size_t share, const Message& message) {
  const std::string rank = "rank " + std::to_string(from);
  Sifted sifted = read_sifted(message);
  if (sifted.failure) sifted.failure->sentence = rank + ": " + sifted.failure->sentence;
  const std::int64_t last = shares_[share].part.windows.window_count;
  for (const Survivor& survivor : sifted.result.survivors)
    if (survivor.window >= last) throw Error(ErrorCode::kFormat, rank + " names a window that it has not");
  sifted_[share] = std::move(sifted);
}

void SplitSieve::join(SieveResult& result) {
  result.survivors.clear();
  result.windows = result.skipped = result.flat = result.weak = 0;
  result.reached.assign(sifted_[0].result.reached.size(), 0);
  for (std::size_t share = 0; share < sifted_.size(); ++share) {
    const SieveResult& part = sifted_[share].result;
    const PlanPart& of = shares_[share].part;
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
