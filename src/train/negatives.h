// Pictures without the object, kept as the bytes of a file. A JPEG is kept as it is, whatever its colours:
// its grey is what `decode_picture` makes of it then and now, and nothing lossless is smaller. Anything else
// becomes a PNG of its grey where that is smaller. So `decode_picture(file).gray` is what
// `read_picture(path).gray` was.
#pragma once

#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// Each source a folder of pictures, a list of names (one a line, seen from the list's folder; empty lines and
// those that begin with # are none) or a picture. Pictures that cannot be read or are smaller than the window
// are noted; kUsage if none is left.
std::vector<Pack::Negative> load_negatives(const std::vector<std::string>& sources, Size window,
                                           const PackNote& note);

}  // namespace winnow
