#include "cluster/arriving_inputs.h"

#include <stop_token>
#include <utility>

#include <winnow/error.h>

namespace winnow {

struct ArrivingInputs::Shared {
  std::mutex mutex;
  std::condition_variable_any came;
  std::deque<Input> inputs;
  bool ended = false;
};

// Frames of one input that wait.
struct ArrivingInputs::Row {
  std::mutex mutex;
  std::condition_variable_any came;
  std::deque<FrameEvent> frames;
  bool ended = false;

  bool next(FrameEvent& event, std::stop_token over) {
    std::unique_lock lock(mutex);
    if (!came.wait(lock, over, [&] { return !frames.empty() || ended; }) || frames.empty()) return false;
    event = std::move(frames.front());
    frames.pop_front();
    return true;
  }
  void add(FrameEvent event) {
    const std::lock_guard lock(mutex);
    frames.push_back(std::move(event));
    came.notify_one();
  }
  void end() {
    const std::lock_guard lock(mutex);
    ended = true;
    came.notify_all();
  }
};

class ArrivingInputs::Source final : public InputSource {
 public:
  explicit Source(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  bool next(Input& input, std::stop_token over) override {
    std::unique_lock lock(shared_->mutex);
    const auto any = [&] { return !shared_->inputs.empty() || shared_->ended; };
    if (!shared_->came.wait(lock, over, any) || shared_->inputs.empty()) return false;
    input = std::move(shared_->inputs.front());
    shared_->inputs.pop_front();
    return true;
  }

 private:
  std::shared_ptr<Shared> shared_;
};

ArrivingInputs::ArrivingInputs() : shared_(std::make_shared<Shared>()) {}

std::unique_ptr<InputSource> ArrivingInputs::source() const { return std::make_unique<Source>(shared_); }

void ArrivingInputs::add(Item item) {
  const auto give = [&](Input input) {
    const std::lock_guard lock(shared_->mutex);
    shared_->inputs.push_back(std::move(input));
    shared_->came.notify_one();
  };
  if (item.kind == Item::Kind::kPicture) return give(*std::move(item.input));
  if (item.kind == Item::Kind::kFrame && item.input) {
    if (row_ != nullptr) throw Error(ErrorCode::kFormat, "frames of two inputs arrive at the same time");
    row_ = std::make_shared<Row>();
    item.input->frames = [row = row_](FrameEvent& event, std::stop_token over) {
      return row->next(event, std::move(over));
    };
    give(*std::move(item.input));
  }
  if (row_ == nullptr) throw Error(ErrorCode::kFormat, "frames of no input arrive");
  if (item.kind == Item::Kind::kEnd) {
    row_->end();
    row_.reset();
    return;
  }
  FrameEvent event;
  event.kind = FrameEvent::Kind::kFrame;
  event.picture = std::move(item.picture);
  event.index = item.index;
  event.time = item.time;
  event.sequence = true;
  // What is known of the video stays with rank 0. That there is one decides how a frame is named.
  if (item.video) event.video = std::make_shared<const VideoInfo>();
  row_->add(std::move(event));
}

void ArrivingInputs::end() {
  if (row_ != nullptr) row_->end();
  row_.reset();
  const std::lock_guard lock(shared_->mutex);
  shared_->ended = true;
  shared_->came.notify_all();
}

}  // namespace winnow
