#include "benching/decoded_bench.h"

#include <winnow/error.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "terminal/arguments.h"

namespace winnow::cli {
namespace {

std::size_t room_for(Size size) {
  return (static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) + 63) / 64 * 64;
}

class DecodedBench {
 public:
  DecodedBench(const BenchModel& model, const BenchJob& job, std::span<const PictureView> pictures)
      : job_(job),
        detector_(model.model, job.machine),
        row_(begin_row(model, job, detector_)),
        frames_(pictures.size()) {
    const std::size_t batch = static_cast<std::size_t>(job.batch.value_or(1));
    const std::size_t frames = std::max(frames_, batch);
    for (std::size_t i = 0; i < frames; ++i) views_.push_back(pictures[i % frames_]);
    for (std::size_t first = 0; first < frames; first += batch)
      calls_.push_back(std::span(views_).subspan(first, std::min(batch, frames - first)));
  }

  BenchRow run() {
    first_run();
    for (int i = 0; i < job_.repeat; ++i) row_.times.push_back(timed_run());
    std::sort(row_.times.begin(), row_.times.end());
    row_.batch = job_.batch.value_or(1);
    row_.pictures = frames_;
    row_.size = views_.front().size();
    return row_;
  }

 private:
  void first_run() {
    std::size_t frame = 0;
    for (const auto& call : calls_) {
      detector_.detect(call, job_.options, results_);
      // Pictures that only fill up the batch are not counted.
      for (std::size_t i = 0; i < call.size() && frame < frames_; ++i, ++frame) row_.add(results_[i]);
    }
  }

  double timed_run() {
    std::chrono::duration<double, std::milli> spent{};
    for (const auto& call : calls_) {
      const auto start = std::chrono::steady_clock::now();
      detector_.detect(call, job_.options, results_);
      spent += std::chrono::steady_clock::now() - start;
      for (std::size_t i = 0; i < call.size(); ++i) note_backend(row_.backend, results_[i].backend);
    }
    return spent.count() / static_cast<double>(views_.size());
  }

  const BenchJob& job_;
  Detector detector_;
  BenchRow row_;
  std::size_t frames_;
  std::vector<PictureView> views_;
  std::vector<std::span<const PictureView>> calls_;
  std::vector<Detections> results_;
};

}  // namespace

DecodedPictures::DecodedPictures(const std::vector<Input>& inputs, bool color, bool pinned) {
  ReadOptions options;
  options.color = color;
  for (const Input& input : inputs) {
    if (input.kind == InputKind::kBroken) throw Error(ErrorCode::kIo, input.problem, input.path);
    require(input.kind == InputKind::kPicture || input.kind == InputKind::kUnknown,
            "--decoded takes pictures, and '" + input_name(input) + "' is none; leave out one of the two");
    pictures_.push_back(read_picture(input.path, options));
  }
  for (const Picture& picture : pictures_) views_.push_back(picture.view());
  if (pinned) pin();
}

void DecodedPictures::pin() {
  std::size_t bytes = 0;
  for (const PictureView& view : views_) bytes += room_for(view.size());
  memory_.resize(bytes);
  pinned_ = PinnedMemory(memory_);
  require(pinned_.held(), "--pinned is for devices, and there is none here (see `winnow backends`)");
  auto* to = reinterpret_cast<std::uint8_t*>(memory_.data());
  for (PictureView& view : views_) {
    const GrayView from = view.gray;
    for (int y = 0; y < from.height; ++y)
      std::copy_n(from.row(y), from.width, to + static_cast<std::ptrdiff_t>(y) * from.width);
    view.gray = GrayView{to, from.width, from.height, from.width};
    to += room_for(from.size());
  }
}

BenchRow measure_decoded(const BenchModel& model, const BenchJob& job,
                         std::span<const PictureView> pictures) {
  return DecodedBench(model, job, pictures).run();
}

}  // namespace winnow::cli
