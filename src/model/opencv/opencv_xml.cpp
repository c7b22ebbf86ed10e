#include "model/opencv/opencv_xml.h"

#include <cstring>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "model/check.h"
#include "model/opencv/opencv_comment.h"
#include "model/opencv/opencv_xml_elements.h"

namespace winnow {

CascadeModel read_opencv_xml(std::span<const std::byte> bytes) {
  const XmlFile file(bytes);
  const pugi::xml_node root = file.root();
  if (std::strcmp(root.name(), "opencv_storage") != 0) {
    file.fail(root, std::string("the root element is <") + clean_text(root.name()) +
                        ">, a cascade of OpenCV has <opencv_storage>");
  }
  pugi::xml_node cascade = root.first_child();
  while (cascade && cascade.type() != pugi::node_element) cascade = cascade.next_sibling();
  if (!cascade) file.fail(root, "<opencv_storage> is empty");
  CascadeModel model;
  if (cascade.child("stageType") || cascade.child("featureType") || cascade.child("features")) {
    model = read_new_format(file, cascade);
  } else if (cascade.child("size") || cascade.child("stages")) {
    model = read_old_format(file, cascade);
  } else {
    file.fail(cascade, std::string("<") + clean_text(cascade.name()) +
                           "> holds no cascade: there are no <stages> and no <features>");
  }
  for (pugi::xml_node other = cascade.next_sibling(); other; other = other.next_sibling()) {
    if (other.type() != pugi::node_element) continue;
    model.notes.push_back("The file holds more than one thing; only the first was read, as OpenCV does.");
    break;
  }
  model.rules = opencv_rules(model.kind);
  read_comment(file, model.card, model.notes);
  return model;
}

HaarFeature read_haar_feature(const XmlFile& file, pugi::xml_node node) {
  HaarFeature feature;
  const pugi::xml_node rects = file.require(node, "rects");
  std::size_t count = 0;
  for (pugi::xml_node item = file.list_first(rects); item; item = file.list_next(item), ++count) {
    if (count == feature.rects.size()) file.fail(item, "a Haar feature has more than 3 rectangles");
    XmlNumbers numbers(file, item);
    HaarRect& rect = feature.rects[count];
    rect.box.x = numbers.next<std::int32_t>();
    rect.box.y = numbers.next<std::int32_t>();
    rect.box.width = numbers.next<std::int32_t>();
    rect.box.height = numbers.next<std::int32_t>();
    rect.weight = numbers.next<float>();
    numbers.expect_end();
  }
  if (count == 0) file.fail(rects, "a Haar feature has no rectangles");
  if (const pugi::xml_node tilted = file.find(node, "tilted"))
    feature.tilted = file.number<std::int32_t>(tilted) != 0;
  return feature;
}

void check_room(const XmlFile& file, pugi::xml_node at, std::size_t used, std::size_t limit,
                const char* what) {
  if (used >= limit)
    file.fail(at, std::string("the cascade has more than ") + std::to_string(limit) + " " + what,
              ErrorCode::kLimit);
}

}  // namespace winnow
