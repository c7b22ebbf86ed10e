// Reads OpenCV's info.dat, as truth/formats/readers.h declares; its opening comment holds here. Each line is
// one picture: "picture count x y w h x y w h ...".
#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/words.h"

namespace winnow {
namespace {

void read_line(std::string_view line, Gather& gather) {
  const std::vector<std::string> words = split(line, ' ');
  const std::size_t picture = gather.picture(words[0]);
  const auto count = static_cast<std::size_t>(
      read_count(words.size() > 1 ? words[1] : "", "the count of boxes", kMaxLabels));
  if (words.size() - 2 != 4 * count)
    throw Error(ErrorCode::kFormat, "a count of " + std::to_string(count) + " means " +
                                        std::to_string(4 * count) + " numbers behind it, here are " +
                                        std::to_string(words.size() - 2));
  for (std::size_t i = 2; i < words.size(); i += 4) {
    Label label;
    label.box = {read_real(words[i], "x"), read_real(words[i + 1], "y"), read_real(words[i + 2], "width"),
                 read_real(words[i + 3], "height")};
    gather.box(picture, std::move(label));
  }
}

}  // namespace

void read_info(std::string_view text, Gather& gather) {
  Lines lines(text);
  while (lines.next_data()) at_line([&] { return lines.number(); }, [&] { read_line(lines.text(), gather); });
}

}  // namespace winnow
