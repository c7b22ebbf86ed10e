// Reads dlib's imglab XML, as truth/formats/readers.h declares; its opening comment holds here. The XML holds
// pictures, their boxes, and the points (<part>) of each box.
#include <map>

#include <winnow/error.h>

#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/words.h"
#include "truth/xml_tree.h"

namespace winnow {
namespace {

void read_box(pugi::xml_node box, std::size_t picture, Gather& gather) {
  Label label;
  label.box = {attribute_number(box, "left"), attribute_number(box, "top"), attribute_number(box, "width"),
               attribute_number(box, "height")};
  label.ignore = flag_of(box.attribute("ignore").value(), "ignore");
  label.category = trim(box.child_value("label"));
  // The map sorts points by their names, letter by letter, as dlib does.
  std::map<std::string, Point> landmarks;
  for (const pugi::xml_node node : box.children("part")) {
    const std::string name = attribute_text(node, "name");
    if (!landmarks.emplace(name, Point{attribute_number(node, "x"), attribute_number(node, "y")}).second)
      throw Error(ErrorCode::kFormat, "the box has a second part " + shown(name));
  }
  std::vector<std::string> names;
  bool numbers = true;
  for (const auto& [name, point] : landmarks) {
    label.points.push_back(point);
    names.push_back(name);
    numbers = numbers && is_count(name);
  }
  if (!numbers) gather.name_points(std::move(names));
  gather.box(picture, std::move(label));
}

}  // namespace

void read_dlib(std::string_view text, Gather& gather) {
  const XmlTree tree(text);
  const pugi::xml_node images = tree.root().child("images");
  at_line([&] { return tree.line(tree.root()); },
          [&] {
            if (std::string_view(tree.root().name()) != "dataset" || !images)
              throw Error(ErrorCode::kFormat, "dlib's XML is a <dataset> that holds <images>");
          });
  for (const pugi::xml_node image : images.children("image")) {
    const std::size_t picture = at_line([&] { return tree.line(image); },
                                        [&] { return gather.picture(attribute_text(image, "file")); });
    for (const pugi::xml_node box : image.children("box"))
      at_line([&] { return tree.line(box); }, [&] { read_box(box, picture, gather); });
  }
}

}  // namespace winnow
