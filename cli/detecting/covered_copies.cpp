#include "detecting/covered_copies.h"

#include <fmt/format.h>
#include <winnow/error.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace winnow::cli {
namespace {

// The covers add this fraction of a box at each side, and the annotator adds another tenth. A box with both
// margins holds all 68 points of a face.
constexpr double kMargin = 0.1;

}  // namespace

CoveredCopies::CoveredCopies(Annotator& annotator, int gap, MachineOptions machine,
                             const FrameReaderOptions& reader, std::stop_token stop)
    : annotator_(annotator), machine_(std::move(machine)), reader_(reader), stop_(std::move(stop)) {
  options_.gap = gap;
  options_.margin = kMargin;
}

bool CoveredCopies::add(const Input& input, FrameEvent& frame, std::span<const Followed> faces) {
  const bool first = !copy_;
  if (first) {
    std::error_code none;
    options_.whole = frame.video != nullptr && std::filesystem::is_regular_file(input.path, none);
    copy_.emplace(FaceCovers(options_, machine_), options_.whole);
  }
  if (copy_->failed) return false;
  try {
    copy_->covers.add(frame.picture.gray.view(), faces);
    keep_note(*copy_);
  } catch (...) {
    copy_->failed = true;
    throw;
  }
  if (copy_->again) {
    copy_->numbers.push_back(frame.index);
  } else {
    copy_->waiting.push_back(std::move(frame));
    write_late(input, *copy_);
  }
  return first && !copy_->again;
}

void CoveredCopies::finish(const Input& input, bool forget) {
  if (!copy_) return;
  if (!forget && !copy_->failed) {
    copy_->covers.finish();
    keep_note(*copy_);
    if (!copy_->again) {
      write_late(input, *copy_);
    } else {
      Copy copy = std::move(*copy_);
      copy_.reset();
      write_again(input, copy);
    }
  }
  copy_.reset();
}

void CoveredCopies::keep_note(const Copy& copy) {
  if (std::string note = copy.covers.note(); !note.empty()) note_ = std::move(note);
}

void CoveredCopies::write_late(const Input& input, Copy& copy) {
  while (copy.covers.next(boxes_)) {
    FrameEvent frame = std::move(copy.waiting.front());
    copy.waiting.pop_front();
    write(input, frame);
  }
}

void CoveredCopies::write_again(const Input& input, Copy& copy) {
  FrameReader reader({input}, reader_, stop_);
  std::size_t at = 0;
  for (FrameEvent frame; at < copy.numbers.size() && reader.next(frame);) {
    if (frame.kind != FrameEvent::Kind::kFrame || frame.index != copy.numbers[at]) continue;
    if (!copy.covers.next(boxes_)) break;
    write(input, frame);
    ++at;
    if (watch_) watch_(at, copy.numbers.size());
  }
  if (at < copy.numbers.size() && !stop_.stop_requested())
    throw Error(ErrorCode::kFormat, "read again, the video has other frames than before");
}

void CoveredCopies::write(const Input& input, FrameEvent& frame) {
  objects_.clear();
  for (const Box& box : boxes_) objects_.push_back({box, 0, 0});
  try {
    annotator_.write(input, frame, objects_);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("frame {}: {}", frame.index, error.what()));
  }
}

}  // namespace winnow::cli
