#include "train/rounds.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include <winnow/error.h>

#include "base/count_text.h"
#include "train/checkpoint.h"
#include "train/options.h"
#include "train/state_file.h"

namespace winnow {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void check_rounds(int rounds, int negatives, const RunOptions& run) {
  if (rounds < 1 || rounds > 20) refuse("the number of rounds must be from 1 to 20");
  if (negatives < 0) refuse("the number of negatives must not be negative");
  if (negatives > 0 && negatives < kLeastNegatives)
    refuse("a round needs " + std::to_string(kLeastNegatives) + " negatives at least");
  check_means(run);
  if (run.resume && run.checkpoint.empty()) refuse("to go on, the folder of the state is needed");
}

void check_rounds(std::size_t positives, const RoundPlan& plan, std::int64_t bytes_per_sample,
                  const RunOptions& run) {
  const std::int64_t rounds = plan.refills ? 1 : plan.rounds;
  const auto samples = static_cast<std::int64_t>(positives) + plan.negatives * rounds;
  if (samples > kMostSamples)
    throw Error(ErrorCode::kLimit, "more than " + std::to_string(kMostSamples) + " samples");
  // The last round needs the most memory. Its need is checked before the first round, so that no training
  // fails late.
  const std::int64_t pixels = plan.negatives * rounds * static_cast<std::int64_t>(plan.task.bytes());
  check_room(static_cast<std::size_t>(samples), "samples", samples * bytes_per_sample + pixels, run.memory);
}

RoundTrainer::RoundTrainer(const Pack& pack, RoundPlan plan, const RunOptions& run,
                           const TrainWatcher& watcher)
    : plan_(std::move(plan)), run_(run), watcher_(watcher), miner_(pack, plan_.task, run.machine, run.seed) {
  if (!run.checkpoint.empty()) make_state_folder(run.checkpoint);
}

void RoundTrainer::train_rounds() {
  begin();
  while (state_.round < plan_.rounds && !stopped_ && ended_.empty()) {
    learn_round();
    if (stopped_ || !ended_.empty() || state_.round == plan_.rounds) break;
    if (!next_negatives()) break;
    save();
  }
  if (state_.model.empty()) {
    throw Error(stopped_ ? ErrorCode::kUsage : ErrorCode::kFormat,
                stopped_ ? std::string("stopped before the first ") + plan_.unit + " was done" : ended_);
  }
}

void RoundTrainer::finish_round(std::vector<std::byte> model) {
  state_.model = std::move(model);
  notify(TrainStep::What::kStageDone);
  ++state_.round;
  state_.rounds.emplace_back();
}

void RoundTrainer::keep_negatives(const std::vector<std::uint8_t>& kept) {
  const auto bytes = static_cast<std::ptrdiff_t>(plan_.task.bytes());
  std::size_t count = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == 0) continue;
    if (count < i) {
      state_.places[count] = state_.places[i];
      std::copy_n(state_.pixels.begin() + static_cast<std::ptrdiff_t>(i) * bytes, bytes,
                  state_.pixels.begin() + static_cast<std::ptrdiff_t>(count) * bytes);
    }
    ++count;
  }
  state_.places.resize(count);
  state_.pixels.resize(count * plan_.task.bytes());
}

bool RoundTrainer::notify(TrainStep::What what) {
  if (!watcher_) return true;
  if (!watcher_({what, state_.round, round(), plan_.negatives, seconds()})) stopped_ = true;
  return !stopped_;
}

std::vector<TrainedStage> RoundTrainer::finished() const {
  return {state_.rounds.begin(), state_.rounds.begin() + state_.round};
}

std::string RoundTrainer::path() const { return (std::filesystem::path(run_.checkpoint) / "stage").string(); }

void RoundTrainer::save() const {
  if (run_.checkpoint.empty()) return;
  StateWriter out;
  out.put(plan_.magic);
  out.put(plan_.fingerprint);
  out.put(state_.round);
  out.put_list(state_.model);
  put_stages(out, state_.rounds);
  out.put_list(state_.places);
  out.put_list(state_.pixels);
  out.put(state_.position);
  out.put(state_.seconds);
  out.write(path());
}

bool RoundTrainer::load() {
  if (!is_state_file(path())) return false;
  StateReader in(path());
  if (in.get<std::uint64_t>() != plan_.magic) in.fail("another version wrote it, or something else");
  if (in.get<std::uint64_t>() != plan_.fingerprint) refuse_other_state(path());
  state_.round = in.get<std::int32_t>();
  state_.model = in.get_list<std::byte>();
  state_.rounds = get_stages(in);
  state_.places = in.get_list<MinedPlace>();
  state_.pixels = in.get_list<std::uint8_t>();
  state_.position = in.get<std::uint64_t>();
  state_.seconds = in.get<double>();
  if (state_.round < 0 || state_.round >= plan_.rounds ||
      state_.rounds.size() != static_cast<std::size_t>(state_.round) + 1 ||
      state_.model.empty() != (state_.round == 0) ||
      state_.places.size() > static_cast<std::size_t>(kMostSamples) ||
      state_.pixels.size() != state_.places.size() * plan_.task.bytes() ||
      (!state_.model.empty() && !is_ours(DetectorModel::parse(state_.model, path()))))
    in.fail("it makes no sense");
  return true;
}

void RoundTrainer::begin() {
  if (run_.resume) {
    if (load()) {
      miner_.set_position(state_.position);
      seconds_before_ = state_.seconds;
      return;
    }
  } else if (!run_.checkpoint.empty() && is_state_file(path())) {
    throw Error(ErrorCode::kUsage,
                "this folder has the state of a training already: resume it, or take another folder",
                run_.checkpoint);
  }
  state_.rounds.emplace_back();
  if (next_negatives()) save();
}

// Mines windows that pass the model so far, and adds them to the negatives. Returns false if there are too
// few such windows, or if the watcher stops the training.
bool RoundTrainer::next_negatives() {
  const auto start = std::chrono::steady_clock::now();
  std::optional<DetectorModel> so_far;
  if (!state_.model.empty()) so_far.emplace(DetectorModel::parse(state_.model, ""));
  Mined mined;
  mined.places = std::move(state_.places);
  mined.pixels = std::move(state_.pixels);
  const std::size_t before = mined.places.size();
  std::vector<MinedPlace> known = mined.places;
  std::sort(known.begin(), known.end());
  const auto note = [&](const Mined& now) {
    round().carried_over = static_cast<int>(before);
    round().negatives = static_cast<int>(now.places.size());
    round().mined_windows = now.windows;
    round().mining_seconds = seconds_since(start);
  };
  const auto all = static_cast<std::size_t>(plan_.negatives);
  miner_.mine(
      so_far, plan_.refills ? all - std::min(before, all) : all, known,
      [&](const Mined& now) {
        note(now);
        return notify(TrainStep::What::kMining);
      },
      mined);
  note(mined);
  state_.position = miner_.position();
  state_.seconds = seconds();
  const std::size_t found = mined.places.size() - before;
  state_.places = std::move(mined.places);
  state_.pixels = std::move(mined.pixels);
  if (stopped_) return false;
  const std::size_t usable = plan_.refills ? before + found : found;
  if (usable >= static_cast<std::size_t>(kLeastNegatives)) return true;
  char windows[32];
  std::snprintf(windows, sizeof(windows), "%.2g", static_cast<double>(round().mined_windows));
  ended_ = std::string(plan_.unit) + " " + std::to_string(state_.round + 1) + ": " +
           count_text(static_cast<std::int64_t>(usable), "false alarm") + " found in " + windows +
           " windows of " + count_text(static_cast<std::int64_t>(miner_.pictures()), "picture") +
           "; more or larger negatives are needed";
  return false;
}

}  // namespace winnow
