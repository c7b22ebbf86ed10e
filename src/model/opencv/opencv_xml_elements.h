// Gives the functions that the readers of both XML formats of OpenCV use.
//
// In:     an XML file and an element of it, both of the caller.
// Out:    models and features, or an `Error` that names the line.
// Exact:  numbers are those that OpenCV reads (`model/numbers.h`).
// Memory: results belong to the caller, and keep nothing of the file.
#pragma once

#include <pugixml.hpp>

#include <winnow/cascade_model.h>

#include "model/opencv/xml_file.h"

namespace winnow {

// Read the body of each format: stages, trees and features of `cascade`.
CascadeModel read_new_format(const XmlFile& file, pugi::xml_node cascade);
CascadeModel read_old_format(const XmlFile& file, pugi::xml_node cascade);

// Reads <rects> and <tilted> of a Haar feature, which are the same in both formats.
HaarFeature read_haar_feature(const XmlFile& file, pugi::xml_node feature);

// Throws kLimit if a list has as many entries as a model may hold, so that the list never grows beyond.
void check_room(const XmlFile& file, pugi::xml_node at, std::size_t used, std::size_t limit,
                const char* what);

}  // namespace winnow
