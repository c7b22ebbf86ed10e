// Reads and writes the comment at the head of OpenCV's XML, which holds a model's origin and terms.
//
// In:     an XML file; or the card of a model.
// Out:    source and terms on the card; or the head of a file, up to OpenCV's root element.
// Memory: results belong to the caller.
// Thread: any.
#pragma once

#include <string>
#include <vector>

#include <winnow/cascade_model.h>

#include "model/opencv/xml_file.h"

namespace winnow {

// A comment that is too long to keep becomes a note.
void read_comment(const XmlFile& file, ModelCard& card, std::vector<std::string>& notes);
// Writes the card's origin and terms as a comment that `read_comment` finds again. OpenCV needs the comment
// to come after <?xml?>.
void put_head(std::string& out, const ModelCard& card);

}  // namespace winnow
