#include "detecting/covered_copies.h"

#include <fmt/format.h>
#include <winnow/error.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace winnow::cli {
namespace {

constexpr int kOften = 5;  // where every fifth frame or more is searched, a false alarm may be found twice

}  // namespace

CoveredCopies::CoveredCopies(Annotator& annotator, const FollowOptions& follow, MachineOptions machine,
                             const FrameReaderOptions& reader, std::stop_token stop)
    : annotator_(annotator), machine_(std::move(machine)), reader_(reader), stop_(std::move(stop)) {
  options_.gap = follow.gap;
  options_.sure = follow.detect_every <= kOften ? 3 : 2;
}

bool CoveredCopies::add(const Input& input, FrameEvent& frame, std::span<const Followed> faces,
                        std::string line) {
  const bool first = !copy_;
  if (first) {
    std::error_code none;
    options_.whole = frame.video != nullptr && std::filesystem::is_regular_file(input.path, none);
    copy_.emplace(Copy{FaceCovers(options_, machine_), options_.whole});
  }
  copy_->lines.push_back(std::move(line));
  if (copy_->failed) {
    print_lines(*copy_);
    return false;
  }
  try {
    copy_->covers.add(frame.picture.gray.view(), faces);
    keep_note(*copy_);
  } catch (...) {
    copy_->failed = true;
    print_lines(*copy_);
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

bool CoveredCopies::finish(const Input& input, bool forget) {
  if (!copy_) return true;
  bool whole = !forget && !copy_->failed;
  if (whole) {
    copy_->covers.finish();
    keep_note(*copy_);
    if (!copy_->again) {
      write_late(input, *copy_);
    } else {
      Copy copy = std::move(*copy_);
      copy_.reset();
      try {
        whole = write_again(input, copy);
      } catch (...) {
        print_lines(copy);
        throw;
      }
      print_lines(copy);
      return whole;
    }
  }
  print_lines(*copy_);
  copy_.reset();
  return whole;
}

// Prints the lines of frames that are not written.
void CoveredCopies::print_lines(Copy& copy) {
  for (const std::string& line : copy.lines)
    if (print_) print_(line);
  copy.lines.clear();
}

void CoveredCopies::keep_note(const Copy& copy) {
  if (std::string note = copy.covers.note(); !note.empty()) note_ = std::move(note);
}

void CoveredCopies::write_late(const Input& input, Copy& copy) {
  while (copy.covers.next(given_)) {
    FrameEvent frame = std::move(copy.waiting.front());
    copy.waiting.pop_front();
    write(input, copy, frame);
  }
}

// Returns whether all frames were written.
bool CoveredCopies::write_again(const Input& input, Copy& copy) {
  FrameReader reader({input}, reader_, stop_);
  std::size_t at = 0;
  for (FrameEvent frame; at < copy.numbers.size() && reader.next(frame);) {
    if (frame.kind != FrameEvent::Kind::kFrame || frame.index != copy.numbers[at]) continue;
    if (!copy.covers.next(given_)) break;
    write(input, copy, frame);
    ++at;
    if (watch_) watch_(at, copy.numbers.size());
  }
  const bool whole = at == copy.numbers.size();
  if (!whole && !stop_.stop_requested())
    throw Error(ErrorCode::kFormat, "read again, the video has other frames than before");
  return whole;
}

void CoveredCopies::write(const Input& input, Copy& copy, FrameEvent& frame) {
  std::string line = std::move(copy.lines.front());
  copy.lines.pop_front();
  if (!line.empty()) line = with_covers(std::move(line), given_);
  const auto print = [&] {
    if (print_ && !line.empty()) print_(line);
  };
  bool is_written = false;
  try {
    is_written = annotator_.write_covered(input, frame, given_);
  } catch (const Error& error) {
    print();
    throw Error(error.code(), fmt::format("frame {}: {}", frame.index, error.what()));
  }
  if (is_written && !line.empty()) line = with_copy(std::move(line), annotator_.copy());
  print();
  if (is_written && written_) written_(input, frame, given_);
}

}  // namespace winnow::cli
