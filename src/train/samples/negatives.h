// Pictures without the object, kept as the bytes of a file. A JPEG is kept as it is, whatever its colours:
// its grey is what `decode_picture` makes of it then and now, and nothing lossless is smaller. Anything else
// becomes a PNG of its grey where that is smaller, a part always. So `decode_picture(file).gray` is what
// `read_picture(path).gray` was, or that part of it.
#pragma once

#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// Each source a folder of pictures, a list of names (one a line, seen from the list's folder; empty lines and
// those that begin with # are none) or a picture. Pictures that cannot be read, are smaller than the window
// or do not hold `part` are noted; kUsage if none is left. `part` without width: all of each picture.
std::vector<Pack::Negative> load_negatives(const std::vector<std::string>& sources, Box part, Size window,
                                           const PackNote& note);

}  // namespace winnow
