// Opens the pictures of a folder as positives, each a crop of the object.
//
// In:     a folder of pictures, and the options of a pack, which must outlive the source.
// Out:    a source of positives. Pictures whose shapes differ widely are refused as crops. A note counts the
//         pictures that lose more than a fifth, since their shape is not the window's.
// Exact:  the order is that of the names.
// Memory: keeps one picture, and the sizes of all that were opened.
// Thread: one thread at a time.
#pragma once

#include <memory>
#include <string>

#include "train/samples/positives.h"

namespace winnow {

std::unique_ptr<PositiveSource> open_crops(const std::string& folder, const PackOptions& options);

}  // namespace winnow
