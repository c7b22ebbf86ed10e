// What the readers of OpenCV's two XML formats share.
#pragma once

#include <pugixml.hpp>

#include <winnow/cascade_model.h>

#include "model/xml_file.h"

namespace winnow {

// The body of each format: stages, trees and features of `cascade`.
CascadeModel read_new_format(const XmlFile& file, pugi::xml_node cascade);
CascadeModel read_old_format(const XmlFile& file, pugi::xml_node cascade);

// <rects> and <tilted> of a Haar feature, the same in both.
HaarFeature read_haar_feature(const XmlFile& file, pugi::xml_node feature);

// Throws kLimit if a list has reached what a model may hold, so that it never grows far beyond.
void check_room(const XmlFile& file, pugi::xml_node at, std::size_t used, std::size_t limit,
                const char* what);

}  // namespace winnow
