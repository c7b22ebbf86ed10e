#include "train/blocks/block_boost.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "base/share_work.h"
#include "hog/blocks/response_rule.h"
#include "train/weight_rule.h"

namespace winnow {
namespace {

constexpr std::uint64_t kForBlocks = 0x626c6f636b73;
constexpr std::size_t kFinalists = 24;
// Moments take weights scaled to this mean. A weight above 16 times the mean is cut off (kMostMomentWeight).
constexpr std::uint64_t kMeanWeight = 256;
// A ridge for least squares: this fraction of the mean variance is added to the variance of each value.
constexpr double kRidge = 0.01;
constexpr double kLength = 32000;  // a stage's weights form a vector of this length
// A table covers this many standard deviations of the responses on each side of their mean.
constexpr double kDeviations = 2.5;

}  // namespace

double separate(const BlockMoments& moments, double up, double down,
                std::array<double, kHogBlockValues>& direction) {
  constexpr std::size_t n = kHogBlockValues;
  constexpr double kOne = 1 << kUnitBits;
  const double all = up + down;
  if (!(up > 0) || !(down > 0)) return -1;
  // `a` is the covariance of the values over both classes. `target` is the difference between the classes'
  // weighted means.
  std::array<double, n> mean{}, target{};
  std::array<double, n * n> a{};
  for (std::size_t i = 0; i < n; ++i) {
    // The moments hold weighted units divided by 2^kUnitBits. The factor kOne undoes the division.
    mean[i] = static_cast<double>(moments.up[i] + moments.down[i]) * kOne / all;
    target[i] =
        (static_cast<double>(moments.up[i]) / up - static_cast<double>(moments.down[i]) / down) * kOne;
  }
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      a[i * n + j] = static_cast<double>(moments.products[i * n + j]) * kOne / all - mean[i] * mean[j];
    trace += a[i * n + i];
  }
  if (!(trace > 0)) return -1;
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += trace / n * kRidge + 1e-9;
  // Cholesky decomposition, then two triangular systems.
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i == j) {
        if (!(sum > 0)) return -1;
        a[j * n + j] = std::sqrt(sum);
      } else {
        a[i * n + j] = sum / a[j * n + j];
      }
    }
  }
  direction = target;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) direction[i] -= a[i * n + k] * direction[k];
    direction[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) direction[i] -= a[k * n + i] * direction[k];
    direction[i] /= a[i * n + i];
  }
  double explained = 0;
  for (std::size_t i = 0; i < n; ++i) explained += target[i] * direction[i];
  return explained * (up / all) * (down / all);
}

BlockBoost::BlockBoost(const BlockSamples& samples, std::size_t positives, std::size_t negatives,
                       std::span<const HogBlock> blocks, BlockLearner& learner,
                       const BlockBoostOptions& options)
    : samples_(samples),
      positives_(positives),
      count_(positives + negatives),
      blocks_(blocks),
      learner_(learner),
      options_(options),
      scores_(count_, 0),
      products_(samples.places()),
      squares_(samples.places()),
      weights_(count_),
      near_weights_(samples.places(), 0) {}

std::size_t BlockBoost::place(std::size_t sample) const {
  return sample < positives_ ? sample : sample - positives_ + samples_.first_negative();
}

// Computes weights from scores, and scales them so that both classes have the same total weight. Otherwise a
// class whose samples are nearly all judged right would hardly count.
void BlockBoost::weigh() {
  std::vector<std::uint64_t> raw(count_);
  std::uint64_t up = 0, down = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    raw[i] = raw_weight(i < positives_ ? scores_[i] : -scores_[i], 1);
    (i < positives_ ? up : down) += raw[i];
  }
  // The weights of each class sum to 2^30 at most, so that sums over both classes fit 32 bits.
  constexpr double kClass = 1 << 30;
  const double up_scale = kClass / static_cast<double>(up), down_scale = kClass / static_cast<double>(down);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    weights_[i] =
        static_cast<std::uint32_t>(static_cast<double>(raw[i]) * (i < positives_ ? up_scale : down_scale));
    sum += weights_[i];
  }
  const std::uint64_t mean = std::max<std::uint64_t>(sum / count_, 1);
  for (std::size_t i = 0; i < count_; ++i) {
    near_weights_[place(i)] = static_cast<std::uint16_t>(
        std::min<std::uint64_t>((weights_[i] * kMeanWeight + mean / 2) / mean, kMostMomentWeight));
  }
}

// Returns the indices of the candidates in `blocks_`.
std::vector<std::uint32_t> BlockBoost::candidates() const {
  const auto all = static_cast<std::uint64_t>(blocks_.size()),
             wanted = static_cast<std::uint64_t>(options_.blocks_per_round);
  const bool some = wanted > 0 && wanted < all;
  const std::uint64_t one_in = some ? ~std::uint64_t{0} / all * wanted : 0;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    if (!some || hash(options_.seed, kForBlocks, options_.round, stages_.size(), b) < one_in)
      chosen.push_back(b);
  }
  if (chosen.empty()) chosen.push_back(0);
  return chosen;
}

// Fills the finalist's table and `bound`. The bound on the error is a sum over bins: the square root of the
// product of both classes' weights in the bin.
void BlockBoost::make_table(Finalist& finalist) const {
  const std::vector<std::int32_t>&products = finalist.products, &squares_of = finalist.squares;
  HogBlockStage& stage = finalist.stage;
  std::int64_t sum = 0, squares = 0;
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t at = place(i);
    const auto response = static_cast<std::int64_t>(
        std::lrint(static_cast<float>(products[at]) /
                   (std::sqrt(static_cast<float>(squares_of[at])) + kBlockLengthFloor)));
    // Uses `near_weights_`, which have 12 bits, so that `squares` fits 63 bits.
    const std::int64_t w = near_weights_[at];
    sum += w * response;
    squares += w * response * response;
    weight += static_cast<std::uint64_t>(w);
  }
  if (weight == 0) return;
  const double mean = static_cast<double>(sum) / static_cast<double>(weight),
               deviation = std::sqrt(
                   std::max(static_cast<double>(squares) / static_cast<double>(weight) - mean * mean, 1.0));
  stage.first = static_cast<float>(mean - kDeviations * deviation);
  stage.bins_per_response = static_cast<float>(kHogTableBins / (2 * kDeviations * deviation));
  std::array<std::uint64_t, kHogTableBins> up{}, down{};
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t at = place(i);
    const auto bin = static_cast<std::size_t>(
        response_bin(products[at], squares_of[at], stage.first, stage.bins_per_response));
    (i < positives_ ? up : down)[bin] += weights_[i];
  }
  const std::uint64_t all = std::accumulate(up.begin(), up.end(), std::uint64_t{0}) +
                            std::accumulate(down.begin(), down.end(), std::uint64_t{0});
  finalist.bound = 0;
  for (std::size_t bin = 0; bin < kHogTableBins; ++bin) {
    // Each bin gives a quarter of its weight to each neighbour, so that the table is smooth.
    const auto smoothed = [&](const auto& list) {
      return static_cast<std::uint32_t>((list[bin > 0 ? bin - 1 : 0] + 2 * list[bin] +
                                         list[std::min<std::size_t>(bin + 1, kHogTableBins - 1)]) /
                                        4);
    };
    const std::uint32_t p = smoothed(up), n = smoothed(down);
    finalist.bound += std::sqrt(static_cast<double>(p)) * std::sqrt(static_cast<double>(n));
    stage.table[bin] = static_cast<std::int16_t>(real_leaf(p, n, static_cast<std::uint32_t>(all)));
    finalist.differs |= stage.table[bin] != stage.table[0];
  }
}

bool BlockBoost::add_stage() {
  weigh();
  const std::vector<std::uint32_t> tried = candidates();
  moments_.resize(tried.size());
  learner_.moments(tried, near_weights_, moments_);
  double up = 0, down = 0;
  for (std::size_t i = 0; i < count_; ++i) (i < positives_ ? up : down) += near_weights_[place(i)];
  struct Direction {
    double explained = -1;
    std::array<double, kHogBlockValues> weights{};
  };
  std::vector<Direction> directions(tried.size());
  share_work(options_.threads, tried.size(), 16, [&](std::size_t, std::size_t b) {
    directions[b].explained = separate(moments_[b], up, down, directions[b].weights);
  });
  std::vector<std::size_t> order(tried.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t finalists = std::min(kFinalists, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(finalists), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      const double first = directions[a].explained, second = directions[b].explained;
                      return first != second ? first > second : a < b;
                    });
  order.resize(finalists);
  std::erase_if(order, [&](std::size_t b) { return !(directions[b].explained > 0); });
  finalists_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Direction& direction = directions[order[i]];
    double length = 0;
    for (const double weight : direction.weights) length += weight * weight;
    Finalist& finalist = finalists_[i];
    finalist.differs = false;
    finalist.stage.block = blocks_[tried[order[i]]];
    for (std::size_t k = 0; k < kHogBlockValues; ++k)
      finalist.stage.weights[k] =
          static_cast<std::int16_t>(std::lrint(direction.weights[k] / std::sqrt(length) * kLength));
    finalist.products.resize(samples_.places());
    finalist.squares.resize(samples_.places());
    learner_.products(finalist.stage.block, finalist.stage.weights, finalist.products, finalist.squares);
  }
  share_work(options_.threads, finalists_.size(), 1,
             [&](std::size_t, std::size_t i) { make_table(finalists_[i]); });
  const Finalist* best = nullptr;
  for (const Finalist& finalist : finalists_) {
    if (finalist.differs && (best == nullptr || finalist.bound < best->bound)) best = &finalist;
  }
  if (best != nullptr) add(HogBlockStage(best->stage));
  return best != nullptr;
}

void BlockBoost::scores_of(const HogBlockStage& stage, std::vector<std::int32_t>& scores) {
  scores.resize(count_);
  learner_.products(stage.block, stage.weights, products_, squares_);
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t at = place(i);
    scores[i] = stage.table[static_cast<std::size_t>(
        response_bin(products_[at], squares_[at], stage.first, stage.bins_per_response))];
  }
}

void BlockBoost::add(const HogBlockStage& stage) {
  std::vector<std::int32_t> more;
  scores_of(stage, more);
  for (std::size_t i = 0; i < count_; ++i) scores_[i] += more[i];
  stages_.push_back(stage);
}

}  // namespace winnow
