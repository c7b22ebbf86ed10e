// A truth file from its bytes, whatever they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <winnow/truth.h>

#include "truth/readers.h"

namespace winnow {

inline constexpr std::int64_t kMaxTruthBytes = std::int64_t{1} << 30;

// The bytes as text, without the mark that some editors put before UTF-8; kFormat if they are none.
std::string_view truth_text(std::span<const std::byte> bytes);

// `path` is where the bytes come from: pictures are looked for beside it. Only YOLO's labels ask `around`.
// Errors know the line, not the file.
Truth parse_truth(std::span<const std::byte> bytes, const std::string& path, const TruthOptions& options,
                  YoloAround& around);

// The truth of a folder with one file a picture: the labels of YOLO ("a.txt") or VOC ("a.xml") in a folder,
// or in its labels/ or Annotations/.
Truth read_truth_folder(const std::string& folder, const TruthOptions& options);

// Where the pictures of labels in this folder lie: there, but VOC's Annotations/ has its own in JPEGImages/.
std::string voc_pictures(TruthFormat format, const std::string& labels);

// Pictures lie in `pictures`, or beside the labels, or in images/ where they are in labels/; the names of
// classes in classes.txt or data.yaml, beside the labels or up to two folders above.
class YoloBeside final : public YoloAround {
 public:
  YoloBeside(std::string labels, std::string pictures)
      : labels_(std::move(labels)), pictures_(std::move(pictures)) {}
  std::vector<std::string> classes() override;
  std::string picture(const std::string& stem) override;
  Size size(const std::string& picture) override;

 private:
  std::string labels_, pictures_;
};

// The names of classes in a text: a name a line; or the `names` of a data.yaml, as [a, b], - a, or 0: a.
std::vector<std::string> class_list(std::string_view text);
std::vector<std::string> yaml_names(std::string_view text);

}  // namespace winnow
