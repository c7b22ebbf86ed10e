// Reads frames backwards, as winnow/feed.h declares; its opening comment holds here.
#include <winnow/feed.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include <winnow/error.h>

namespace winnow {

struct BackwardReader::State {
  State(std::vector<Input> wanted, std::int64_t from, const FrameReaderOptions& reading,
        std::stop_token token, std::int64_t bytes)
      : inputs(std::move(wanted)),
        options(reading),
        stop(std::move(token)),
        kept_bytes(bytes),
        latest(from),
        pictures(inputs.size() != 1 || inputs.front().kind == InputKind::kPicture) {
    if (options.every != 1) throw Error(ErrorCode::kUsage, "every frame is read backwards");
    if (!pictures) return;
    if (from < static_cast<std::int64_t>(inputs.size()))
      inputs.resize(static_cast<std::size_t>(std::max<std::int64_t>(from + 1, 0)));
    std::reverse(inputs.begin(), inputs.end());
    reader.emplace(inputs, options, stop);
  }

  bool next_picture(FrameEvent& event) {
    while (reader->next(event)) {
      if (event.kind != FrameEvent::Kind::kFrame) continue;
      event.input = inputs.size() - 1 - event.input;
      event.index = static_cast<std::int64_t>(event.input);
      return true;
    }
    return false;
  }

  // Decodes the video up to frame `latest`, and keeps the last frames.
  void keep_stretch() {
    std::int64_t bytes = 0;
    const auto size_of = [](const FrameEvent& event) { return static_cast<std::int64_t>(event.bytes()); };
    FrameReader video(inputs, options, stop);
    for (FrameEvent event; video.next(event); event = FrameEvent()) {
      if (event.kind != FrameEvent::Kind::kFrame) continue;
      if (event.index > latest) break;
      const bool last = event.index == latest;
      bytes += size_of(event);
      kept.push_back(std::move(event));
      for (; bytes > kept_bytes && kept.size() > 1; kept.pop_front()) bytes -= size_of(kept.front());
      if (last) break;
    }
    if (stop.stop_requested()) kept.clear();
  }

  bool next_frame(FrameEvent& event) {
    if (kept.empty() && latest >= 0) keep_stretch();
    if (kept.empty()) return false;
    event = std::move(kept.back());
    kept.pop_back();
    latest = event.index - 1;
    return true;
  }

  std::vector<Input> inputs;
  const FrameReaderOptions options;
  const std::stop_token stop;
  const std::int64_t kept_bytes;
  std::int64_t latest;  // the latest frame that is still to be given
  const bool pictures;
  std::optional<FrameReader> reader;  // of pictures
  std::deque<FrameEvent> kept;        // of a video, in the order of frames
};

BackwardReader::BackwardReader(std::vector<Input> inputs, std::int64_t from,
                               const FrameReaderOptions& options, std::stop_token stop,
                               std::int64_t kept_bytes)
    : state_(std::make_unique<State>(std::move(inputs), from, options, std::move(stop), kept_bytes)) {}
BackwardReader::~BackwardReader() = default;
BackwardReader::BackwardReader(BackwardReader&&) noexcept = default;
BackwardReader& BackwardReader::operator=(BackwardReader&&) noexcept = default;

bool BackwardReader::next(FrameEvent& event) {
  if (state_->stop.stop_requested()) return false;
  return state_->pictures ? state_->next_picture(event) : state_->next_frame(event);
}

}  // namespace winnow
