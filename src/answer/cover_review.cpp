// Writes the page of small pictures that winnow/cover_review.h declares; its opening comment holds here.
// answer/review_choice.h chooses the frames. Sections are written into a file as their frames come.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <winnow/cover_review.h>
#include <winnow/error.h>
#include <winnow/image.h>

#include "answer/review_choice.h"
#include "base/clean_text.h"
#include "base/count_text.h"
#include "base/file.h"
#include "base/unfinished_name.h"
#include "image/files/encode.h"
#include "page/html.h"
#include "page/thumb.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr int kLongestFrame = 320, kLongestPhoto = 800, kQuality = 85;
constexpr std::size_t kMostListed = 1000, kMostCovers = 4, kMostProblems = 20;  // problems of an input
constexpr const char* kHead =
    "<p>Each picture is of the hidden copy, as it may be published. Look for faces that are open, and for "
    "covers that hide too much. Links lead to the copies.</p>\n"
    "<p>A video shows one frame for each second, the first and the last frame of each cover with the frames "
    "beside them, and each frame with a large cover. A cover is large if it takes more than a fifth of the "
    "frame, or more than twice the area that it had when a search found its face last. A solid line: a "
    "search or flow saw the face in this frame. A dashed line: the face was there before or afterwards. "
    "Covers of few searches are often false alarms.</p>\n";

constexpr const char* kNoCopy =
    "<p><strong>No copy was written, so there is nothing to check.</strong></p>\n";

std::string clean(const std::string& words) { return xml_text(clean_text(words)); }

std::string place_in(const fs::path& folder, const std::string& name) { return (folder / name).string(); }

std::string time_text(double seconds) {
  const double whole = std::floor(seconds * 10) / 10, minutes = std::floor(whole / 60);
  return fmt::format("{:.0f}:{:04.1f}", minutes, whole - 60 * minutes);
}

// Lines of a caption, of words that are clean.
std::string strong_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "<br><strong>" + line + "</strong>";
  return text;
}

// A frame whose words are not complete, because they also depend on the next frame.
struct HeldFrame {
  RgbImage small;
  Size size;
  std::int64_t index = 0;
  std::optional<double> time;
  std::vector<FaceCover> covers;
  FrameSigns signs;
  std::string copy;  // a file of its own; empty if its video has the copy
};

// A line of one of the lists at the top of the page.
class NameList {
 public:
  explicit NameList(std::string title) : title_(std::move(title)) {}
  void add(const std::string& line) {
    if (lines_.size() < kMostListed) lines_.push_back(line);
    ++count_;
  }
  std::string text() const {
    if (count_ == 0) return "";
    std::string text = fmt::format("<h2>{}: {}</h2>\n<ul>\n", title_, count_);
    for (const std::string& line : lines_) text += "<li>" + line + "</li>\n";
    if (count_ > lines_.size()) text += fmt::format("<li>and {} more</li>\n", count_ - lines_.size());
    return text + "</ul>\n";
  }

 private:
  std::string title_;
  std::vector<std::string> lines_;
  std::size_t count_ = 0;
};

// An input whose frames come.
struct CurrentInput {
  std::size_t number = 0;
  std::string name;
  bool alone = false;                 // a picture alone, which shares a section with others
  std::string copy;                   // of all its frames; empty if each has its own
  std::vector<std::string> problems;  // the first ones
  std::size_t problem_count = 0, shown = 0;
  std::int64_t frames = 0, hidden = 0, most_frame = 0, at = 0;  // `at`: where its section begins
  double most = 0;
  ReviewChoice choice;
  std::optional<HeldFrame> held;
};

// Words that are known at the end of a section, and where they go.
struct SectionHead {
  std::int64_t at;
  std::string text;
};

}  // namespace

struct CoverReview::State {
  explicit State(const fs::path& wanted) : folder(wanted) {
    make_folder();
    try {
      sections.emplace(place_in(folder, "sections.html"));
    } catch (const Error& error) {
      throw Error(error.code(), "the review " + error.sentence() + "; name a folder that takes new files",
                  folder.string());
    }
  }

  void make_folder() const;
  CurrentInput& begin(const Input& input);
  void place(bool alone);
  void show(const HeldFrame& frame);
  void show_without_frame();
  void release(std::span<const FaceCover> next, bool last);
  void end(bool whole);
  void end_section(const std::string& link, bool whole, bool there);
  std::string head_of(const CurrentInput& input, bool whole, bool there) const;
  std::string link_to(const std::string& copy, const std::string& words) const;
  void write(const std::string& text) {
    sections->write(std::as_bytes(std::span(text)));
    written += static_cast<std::int64_t>(text.size());
  }
  void open_group() {
    if (!std::exchange(group_is_open, true)) write("<div class=\"thumbs frames\">\n");
  }
  void close_group() {
    if (std::exchange(group_is_open, false)) write("</div>\n");
  }

  const fs::path folder;
  std::optional<FileWriter> sections;  // what stands below the lists; removed once the page is whole
  std::int64_t written = 0;            // bytes of it
  std::vector<SectionHead> heads;
  bool group_is_open = false, any_frame = false;
  std::size_t inputs = 0;
  std::optional<CurrentInput> current;
  NameList open{"Nothing was hidden"}, partial{"Copies that are not whole"},
      problems{"What could not be read or written"}, videos{"Videos and streams"};
};

void CoverReview::State::make_folder() const {
  std::error_code error;
  for (const char* taken : {"index.html", "pictures"}) {
    if (fs::exists(fs::symlink_status(folder / taken, error)))
      throw Error(ErrorCode::kUsage,
                  "the folder of the review holds " + std::string(taken) +
                      " already: name another folder, or remove the old review",
                  folder.string());
  }
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error)) {
    const bool too_long = error == std::errc::filename_too_long;
    throw Error(too_long ? ErrorCode::kLimit : ErrorCode::kIo,
                "the folder cannot be made: " + (error ? error.message() : "something else has this name"),
                folder.string());
  }
}

// A link from the page. A browser takes the parts of a path as they are written, so links on the disk are not
// followed.
std::string CoverReview::State::link_to(const std::string& copy, const std::string& words) const {
  std::error_code error;
  const fs::path page = fs::absolute(folder, error).lexically_normal();
  const fs::path way = fs::absolute(copy, error).lexically_normal().lexically_relative(page);
  if (copy.empty() || error) return clean(words);
  return fmt::format("<a href=\"{}\">{}</a>", path_link(way.string()), clean(words));
}

CurrentInput& CoverReview::State::begin(const Input& input) {
  CurrentInput& now = current.emplace();
  now.number = ++inputs;
  now.name = input_name(input);
  now.alone = input.kind == InputKind::kPicture || input.kind == InputKind::kUnknown ||
              input.kind == InputKind::kBroken;  // unless its frames tell another
  return now;
}

// Begins the section of the current input. Pictures alone share a section.
void CoverReview::State::place(bool alone) {
  current->alone = alone;
  if (!alone) close_group();
  if (alone && !group_is_open) write("<h2>Pictures</h2>\n");
  if (alone) open_group();
  current->at = written;
}

void CoverReview::State::show(const HeldFrame& frame) {
  CurrentInput& now = *current;
  const std::string file = fmt::format("pictures/{:06}/{:06}.jpg", now.number, frame.index);
  const fs::path path = folder / file;
  std::error_code error;
  if (now.shown == 0 && !fs::create_directories(path.parent_path(), error))
    throw Error(ErrorCode::kIo,
                "the folder cannot be made: " + (error ? error.message() : "something else has this name"),
                path.parent_path().string());
  if (fs::exists(fs::symlink_status(path, error)))
    throw Error(ErrorCode::kIo, "there is a file already", path.string());
  write_file(path.string(), encode_jpeg(std::as_const(frame.small).view(), kQuality));
  ++now.shown;
  open_group();
  std::string text =
      fmt::format("<figure{}><div><img alt=\"\" loading=\"lazy\" width=\"{}\" height=\"{}\" src=\"{}\">\n",
                  now.alone ? fmt::format(" id=\"input-{}\"", now.number) : "", frame.small.width(),
                  frame.small.height(), file);
  for (const FaceCover& cover : frame.covers) {
    const bool away = cover.reason == CoverReason::kJoined || cover.reason == CoverReason::kLingering;
    const auto share = [](int part, int whole) { return 100.0 * part / whole; };
    text += fmt::format(
        "<i{} style=\"left:{:.1f}%;top:{:.1f}%;width:{:.1f}%;height:{:.1f}%\" title=\"{}\"><b>{}</b></i>\n",
        away ? " class=\"away\"" : "", share(cover.box.x, frame.size.width),
        share(cover.box.y, frame.size.height), share(cover.box.width, frame.size.width),
        share(cover.box.height, frame.size.height), cover_words(cover), cover.path);
  }
  text += "</div><figcaption>";
  const std::string time = frame.time ? time_text(*frame.time) + ", " : "";
  text += link_to(frame.copy, now.alone ? now.name : fmt::format("{}frame {}", time, frame.index));
  for (const std::string& words : frame.signs.words) text += "<br><strong>" + words + "</strong>";
  if (now.alone) text += strong_lines(now.problems);
  for (std::size_t i = 0; i < std::min(frame.covers.size(), kMostCovers); ++i)
    text += "<br>" + cover_words(frame.covers[i]);
  if (frame.covers.size() > kMostCovers)
    text += fmt::format("<br>and {} more", frame.covers.size() - kMostCovers);
  if (frame.covers.empty()) text += "<br>nothing hidden";
  write(text + "</figcaption></figure>\n");
}

// Names a picture alone that has no copy.
void CoverReview::State::show_without_frame() {
  write(fmt::format("<figure id=\"input-{}\"><figcaption>{}{}<br>no copy</figcaption></figure>\n",
                    current->number, clean(current->name), strong_lines(current->problems)));
}

// Shows the held frame, or leaves it out. `next`: the covers of the frame behind it.
void CoverReview::State::release(std::span<const FaceCover> next, bool last) {
  std::optional<HeldFrame> held = std::exchange(current->held, std::nullopt);
  if (!held) return;
  if (current->alone) return show(*held);
  current->choice.look_ahead(held->signs, held->covers, next, last);
  if (current->choice.is_shown(held->signs)) show(*held);
}

// The words above the pictures of a video or stream. `there`: whether there is a copy.
std::string CoverReview::State::head_of(const CurrentInput& input, bool whole, bool there) const {
  std::string head = fmt::format("<h2 id=\"input-{}\">{}</h2>\n", input.number, clean(input.name));
  if (!there)
    head += "<p><strong>There is no copy.</strong></p>\n";
  else if (input.hidden == 0)
    head += "<p><strong>Nothing was hidden.</strong> Look at the whole copy.</p>\n";
  if (there && !whole) head += "<p><strong>The copy is not whole.</strong></p>\n";
  if (there && !input.copy.empty()) head += "<p>The copy: " + link_to(input.copy, input.copy) + "</p>\n";
  if (input.problems.empty()) return head;
  head += "<ul>\n";
  for (const std::string& problem : input.problems) head += "<li>" + problem + "</li>\n";
  if (input.problem_count > input.problems.size())
    head += fmt::format("<li>and {} more</li>\n", input.problem_count - input.problems.size());
  return head + "</ul>\n";
}

void CoverReview::State::end(bool whole) {
  CurrentInput& now = *current;
  if (now.frames == 0) place(now.alone);
  release({}, true);
  if (now.alone && now.frames == 0) show_without_frame();
  std::error_code error;
  const bool there = now.frames > 0 && (now.copy.empty() || fs::exists(now.copy, error));
  const std::string link = fmt::format("<a href=\"#input-{}\">{}</a>", now.number, clean(now.name));
  if (!whole) partial.add(link);
  if (there && now.hidden == 0) open.add(link);
  if (!now.alone) end_section(link, whole, there);
  current.reset();
}

void CoverReview::State::end_section(const std::string& link, bool whole, bool there) {
  const CurrentInput& now = *current;
  close_group();
  heads.push_back({now.at, head_of(now, whole, there)});
  const std::string most = now.most > 0 ? fmt::format("; the largest cover takes {:.1f} % of frame {}",
                                                      100 * now.most, now.most_frame)
                                        : "";
  if (now.frames > 0)
    videos.add(fmt::format("{}: {}, {} with covers, {} shown{}", link, count_text(now.frames, "frame"),
                           now.hidden, now.shown, most));
  if (now.choice.left_out() > 0)
    write(
        fmt::format("<p>{} with a large, beginning or ending cover are not shown: there are too many.</p>\n",
                    count_text(now.choice.left_out(), "further frame")));
}

CoverReview::CoverReview(const std::string& folder) : state_(std::make_unique<State>(folder)) {}
CoverReview::~CoverReview() = default;
CoverReview::CoverReview(CoverReview&&) noexcept = default;
CoverReview& CoverReview::operator=(CoverReview&&) noexcept = default;

void CoverReview::add(const Input& input, const FrameEvent& frame, std::span<const FaceCover> covers,
                      const std::string& copy) {
  State& s = *state_;
  const RgbView image = frame.picture.color.view();
  if (image.width == 0)
    throw Error(ErrorCode::kUsage, "the frame has no colour picture: read it with FrameReaderOptions::color");
  CurrentInput& now = s.current ? *s.current : s.begin(input);
  if (now.frames == 0) s.place(!frame.video && !frame.sequence);
  s.release(covers, false);
  s.any_frame = true;
  ++now.frames;
  now.hidden += covers.empty() ? 0 : 1;
  HeldFrame& held = now.held.emplace();
  held.small = shrink_to(image, now.alone ? kLongestPhoto : kLongestFrame);
  held.size = {image.width, image.height};
  held.index = frame.index;
  if (frame.time && std::isfinite(*frame.time)) held.time = frame.time;
  held.covers.assign(covers.begin(), covers.end());
  (frame.video ? now.copy : held.copy) = copy;
  if (!now.alone) held.signs = now.choice.look(held.time, held.size, covers);
  for (const FaceCover& cover : covers) {
    const double share = share_of(cover.box, held.size);
    if (share > now.most) now.most = share, now.most_frame = frame.index;
  }
}

void CoverReview::add_problem(const Input& input, const std::string& sentence) {
  State& s = *state_;
  CurrentInput& now = s.current ? *s.current : s.begin(input);
  if (++now.problem_count <= kMostProblems) now.problems.push_back(clean(sentence));
  s.problems.add(fmt::format("<a href=\"#input-{}\">{}</a>", now.number, clean(sentence)));
}

void CoverReview::finish_input(const Input& input, bool whole) {
  State& s = *state_;
  if (!s.current && !whole) s.begin(input);
  if (s.current) s.end(whole);
}

void CoverReview::finish() {
  State& s = *state_;
  if (s.current) s.end(false);
  s.close_group();
  s.sections->close();
  const std::string page = place_in(s.folder, "index.html"), part = place_in(s.folder, "sections.html");
  FileWriter whole(page);
  const auto write = [&](const std::string& text) { whole.write(std::as_bytes(std::span(text))); };
  write(page_head("What the copies hide") + kHead + (s.any_frame ? "" : kNoCopy) + s.open.text() +
        s.partial.text() + s.problems.text() + s.videos.text());
  std::ifstream file(unfinished_name(part), std::ios::binary);
  std::array<char, 1 << 16> bytes;
  std::int64_t at = 0;
  const auto copy_until = [&](std::int64_t end) {
    while (at < end) {
      const std::int64_t count = std::min<std::int64_t>(end - at, std::ssize(bytes));
      if (!file.read(bytes.data(), count))
        throw Error(ErrorCode::kIo, "cannot be read", unfinished_name(part));
      whole.write(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(count))));
      at += count;
    }
  };
  for (const SectionHead& head : s.heads) {
    copy_until(head.at);
    write(head.text);
  }
  copy_until(s.written);
  write(page_end());
  whole.finish();
  s.sections.reset();
}

}  // namespace winnow
