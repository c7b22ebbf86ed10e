// Reads OpenCV's XML of a HOGDescriptor, as model/opencv/hog_storage.h declares; its opening comment holds
// here.
#include <algorithm>

#include "base/clean_text.h"
#include "model/file_kind.h"
#include "model/opencv/hog_storage.h"
#include "model/opencv/opencv_comment.h"
#include "model/opencv/xml_file.h"

namespace winnow {
namespace {

class XmlStorage final : public HogStorage {
 public:
  XmlStorage(const XmlFile& file, pugi::xml_node hog) : file_(file), hog_(hog) {}

  bool has(const char* field) const override { return static_cast<bool>(file_.find(hog_, field)); }

  std::vector<std::int32_t> integers(const char* field, std::size_t count) const override {
    XmlNumbers numbers(file_, file_.require(hog_, field));
    std::vector<std::int32_t> values;
    while (values.size() < count) values.push_back(numbers.next<std::int32_t>());
    numbers.expect_end();
    return values;
  }

  double real(const char* field) const override { return file_.number<double>(file_.require(hog_, field)); }

  std::vector<float> reals(const char* field, std::size_t most) const override {
    XmlNumbers numbers(file_, file_.require(hog_, field));
    std::vector<float> values;
    while (!numbers.at_end() && values.size() <= most) values.push_back(numbers.next<float>());
    return values;
  }

  std::string shown(const char* field) const override { return std::string("<") + field + ">"; }

  [[noreturn]] void fail(const char* field, const std::string& sentence, ErrorCode code) const override {
    const pugi::xml_node element = hog_.child(field);
    file_.fail(element ? element : hog_, sentence, code);
  }

 private:
  const XmlFile& file_;
  pugi::xml_node hog_;
};

}  // namespace

bool is_hog_xml(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = std::size_t{128} << 10;  // more than the longest comment that is kept
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kHead));
  return is_probably_xml(bytes) && (head.find(kOpenCvHogType) != std::string_view::npos ||
                                    head.find(kOpenCvSvmName) != std::string_view::npos);
}

HogSvmModel read_hog_xml(std::span<const std::byte> bytes) {
  const XmlFile file(bytes);
  const pugi::xml_node root = file.root();
  const std::string root_name = clean_text(root.name());
  if (root_name != "opencv_storage")
    file.fail(root, "the root element is <" + root_name + ">, OpenCV's has <opencv_storage>");
  pugi::xml_node hog = root.first_child();
  while (hog && hog.type() != pugi::node_element) hog = hog.next_sibling();
  if (!hog) file.fail(root, "<opencv_storage> is empty");
  const std::string name = clean_text(hog.name());
  if (hog.attribute("type_id").value() != kOpenCvHogType) file.fail(hog, no_descriptor(name));
  HogSvmModel model;
  read_hog_fields(XmlStorage(file, hog), model);
  for (pugi::xml_node other = hog.next_sibling(); other; other = other.next_sibling()) {
    if (other.type() != pugi::node_element) continue;
    model.notes.emplace_back(kMoreThanOneThing);
    break;
  }
  read_comment(file, model.card, model.notes);
  return model;
}

}  // namespace winnow
