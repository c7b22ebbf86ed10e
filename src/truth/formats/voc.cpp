// Reads PASCAL VOC's XML, as truth/formats/readers.h declares; its opening comment holds here. A file is one
// picture. Pixels count from 1, and the pixels at xmax and ymax belong to the box.
#include <winnow/error.h>

#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/xml_tree.h"

namespace winnow {
namespace {

void read_object(pugi::xml_node object, std::size_t picture, Gather& gather) {
  Label label;
  label.category = child_text(object, "name");
  label.ignore = flag_of(object.child_value("difficult"), "<difficult>");
  // This is the box of the whole object. Boxes of its <part>s lie deeper in the XML, and are not read.
  const pugi::xml_node box = object.child("bndbox");
  if (!box) throw Error(ErrorCode::kFormat, "<object> has no <bndbox>");
  const double left = child_number(box, "xmin"), top = child_number(box, "ymin");
  label.box = {left - 1, top - 1, child_number(box, "xmax") - left + 1, child_number(box, "ymax") - top + 1};
  gather.box(picture, std::move(label));
}

}  // namespace

void read_voc(std::string_view text, Gather& gather) {
  const XmlTree tree(text);
  const pugi::xml_node root = tree.root();
  const std::size_t picture =
      at_line([&] { return tree.line(root); },
              [&] {
                if (std::string_view(root.name()) != "annotation")
                  throw Error(ErrorCode::kFormat, "VOC's XML begins with <annotation>");
                return gather.picture(child_text(root, "filename"));
              });
  for (const pugi::xml_node object : root.children("object"))
    at_line([&] { return tree.line(object); }, [&] { read_object(object, picture, gather); });
}

}  // namespace winnow
