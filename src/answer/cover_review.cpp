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
constexpr std::size_t kMostListed = 1000, kMostCovers = 4;
constexpr const char* kHead =
    "<p>Each picture is of the hidden copy, as it may be published. Look for faces that are open, and for "
    "covers that hide too much.</p>\n"
    "<p>A video shows one frame for each second, the first and the last frame of each cover with the frames "
    "beside them, and each frame with a large cover. A cover is large if it takes more than a fifth of the "
    "frame, or more than twice the area that it had when a search found its face last. A solid line: a "
    "search or flow saw the face in this frame. A dashed line: the face was there before or afterwards. "
    "Covers of few searches are often false alarms.</p>\n";

std::string clean(const std::string& words) { return xml_text(clean_text(words)); }

std::string place_in(const fs::path& folder, const std::string& name) { return (folder / name).string(); }

std::string time_text(double seconds) {
  const double whole = std::floor(seconds * 10) / 10, minutes = std::floor(whole / 60);
  return fmt::format("{:.0f}:{:04.1f}", minutes, whole - 60 * minutes);
}

// A frame whose words are not complete, because they also depend on the next frame.
struct HeldFrame {
  RgbImage small;
  Size size;
  std::int64_t index = 0;
  std::optional<double> time;
  std::vector<FaceCover> covers;
  FrameSigns signs;
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
  void begin(const Input& input, bool picture);
  void show(const HeldFrame& frame);
  void release(std::span<const FaceCover> next, bool last);
  void write(const std::string& text) { sections->write(std::as_bytes(std::span(text))); }
  void close_group() {
    if (std::exchange(open_group, false)) write("</div>\n");
  }

  const fs::path folder;
  std::optional<FileWriter> sections;  // what stands below the lists; removed once the page is whole
  bool open_group = false, of_pictures = false;
  std::string name;  // of the current input
  bool begun = false, video = false;
  std::size_t inputs = 0, shown = 0;
  std::int64_t frames = 0, hidden = 0, most_frame = 0;
  double most = 0;
  ReviewChoice choice;
  std::optional<HeldFrame> held;
  NameList open{"Nothing was hidden"}, partial{"Copies that are not whole"}, videos{"Videos and streams"};
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

// Begins the part of the page that shows an input. Pictures alone share a part.
void CoverReview::State::begin(const Input& input, bool picture) {
  begun = true;
  video = !picture;
  name = input_name(input);
  ++inputs;
  shown = 0;
  frames = hidden = most_frame = 0;
  most = 0;
  choice = ReviewChoice();
  std::error_code error;
  const fs::path pictures = folder / "pictures" / fmt::format("{:06}", inputs);
  if (!fs::create_directories(pictures, error))
    throw Error(ErrorCode::kIo,
                "the folder cannot be made: " + (error ? error.message() : "something else has this name"),
                pictures.string());
  if (picture && open_group && of_pictures) return;
  close_group();
  of_pictures = picture;
  write(fmt::format("<h2 id=\"input-{}\">{}</h2>\n<div class=\"thumbs frames\">\n", inputs,
                    picture ? "Pictures" : clean(name)));
  open_group = true;
}

void CoverReview::State::show(const HeldFrame& frame) {
  const std::string file = fmt::format("pictures/{:06}/{:06}.jpg", inputs, frame.index);
  const std::string path = place_in(folder, file);
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error)))
    throw Error(ErrorCode::kIo, "there is a file already", path);
  write_file(path, encode_jpeg(std::as_const(frame.small).view(), kQuality));
  ++shown;
  std::string text =
      fmt::format("<figure><div><img alt=\"\" loading=\"lazy\" width=\"{}\" height=\"{}\" src=\"{}\">\n",
                  frame.small.width(), frame.small.height(), file);
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
  if (!video) text += clean(name);
  if (frame.time) text += time_text(*frame.time) + ", ";
  if (video) text += fmt::format("frame {}", frame.index);
  for (const std::string& words : frame.signs.words) text += "<br><strong>" + words + "</strong>";
  for (std::size_t i = 0; i < std::min(frame.covers.size(), kMostCovers); ++i)
    text += "<br>" + cover_words(frame.covers[i]);
  if (frame.covers.size() > kMostCovers)
    text += fmt::format("<br>and {} more", frame.covers.size() - kMostCovers);
  if (frame.covers.empty()) text += "<br>nothing hidden";
  write(text + "</figcaption></figure>\n");
}

// Shows the held frame, or leaves it out. `next`: the covers of the frame behind it.
void CoverReview::State::release(std::span<const FaceCover> next, bool last) {
  if (!held) return;
  choice.look_ahead(held->signs, held->covers, next, last);
  if (choice.is_shown(held->signs)) show(*held);
  held.reset();
}

CoverReview::CoverReview(const std::string& folder) : state_(std::make_unique<State>(folder)) {}
CoverReview::~CoverReview() = default;
CoverReview::CoverReview(CoverReview&&) noexcept = default;
CoverReview& CoverReview::operator=(CoverReview&&) noexcept = default;

void CoverReview::add(const Input& input, const FrameEvent& frame, std::span<const FaceCover> covers) {
  State& s = *state_;
  const RgbView image = frame.picture.color.view();
  if (image.width == 0)
    throw Error(ErrorCode::kUsage, "the frame has no colour picture: read it with FrameReaderOptions::color");
  if (!s.begun) s.begin(input, !frame.video && !frame.sequence);
  s.release(covers, false);
  ++s.frames;
  s.hidden += covers.empty() ? 0 : 1;
  HeldFrame& held = s.held.emplace();
  held.small = shrink_to(image, s.video ? kLongestFrame : kLongestPhoto);
  held.size = {image.width, image.height};
  held.index = frame.index;
  if (frame.time && std::isfinite(*frame.time)) held.time = frame.time;
  held.covers.assign(covers.begin(), covers.end());
  if (s.video) held.signs = s.choice.look(held.time, held.size, covers);
  for (const FaceCover& cover : covers) {
    const double share = share_of(cover.box, held.size);
    if (share > s.most) s.most = share, s.most_frame = frame.index;
  }
}

void CoverReview::finish_input(const Input& input, bool whole) {
  State& s = *state_;
  if (!whole) s.partial.add(clean(input_name(input)));
  if (!s.begun) return;
  if (s.video) {
    s.release({}, true);
  } else if (s.held) {
    s.show(*s.held);
    s.held.reset();
  }
  s.begun = false;
  const std::string link = fmt::format("<a href=\"#input-{}\">{}</a>", s.inputs, clean(s.name));
  if (s.hidden == 0) s.open.add(s.video ? link : clean(s.name));
  if (!s.video) return;
  s.close_group();
  const std::string most =
      s.most > 0 ? fmt::format("; the largest cover takes {:.1f} % of frame {}", 100 * s.most, s.most_frame)
                 : "";
  s.videos.add(fmt::format("{}: {}, {} with covers, {} shown{}", link, count_text(s.frames, "frame"),
                           s.hidden, s.shown, most));
  if (s.choice.left_out() > 0)
    s.write(
        fmt::format("<p>{} with a large, beginning or ending cover are not shown: there are too many.</p>\n",
                    count_text(s.choice.left_out(), "further frame")));
}

void CoverReview::finish() {
  State& s = *state_;
  s.close_group();
  s.sections->close();
  const std::string page = place_in(s.folder, "index.html"), part = place_in(s.folder, "sections.html");
  FileWriter whole(page);
  const auto write = [&](const std::string& text) { whole.write(std::as_bytes(std::span(text))); };
  write(page_head("What the copies hide") + kHead + s.open.text() + s.partial.text() + s.videos.text());
  std::ifstream file(unfinished_name(part), std::ios::binary);
  std::array<char, 1 << 16> bytes;
  while (file.read(bytes.data(), bytes.size()) || file.gcount() > 0)
    whole.write(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(file.gcount()))));
  if (!file.eof()) throw Error(ErrorCode::kIo, "cannot be read", unfinished_name(part));
  write(page_end());
  whole.finish();
  s.sections.reset();
}

}  // namespace winnow
