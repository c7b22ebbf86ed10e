// Pictures made by the program: sizes and contents that photographs do not have. Names begin with
// "synthetic/". Some depend on the window of the model ("one pixel narrower than the window"), all on the
// seed and on nothing else.
#pragma once

#include <winnow/image.h>
#include <string>
#include <vector>

#include "random.h"

namespace witness {

// `subset` leaves out the large ones.
std::vector<std::string> synthetic_names(bool subset);
// Throws std::runtime_error if there is none of this name.
winnow::GrayImage make_synthetic(const std::string& name, winnow::Size window, Random random);

// Dark eyes and a mouth in bright ellipses of many sizes: what the first stages of face cascades let through.
winnow::GrayImage make_blobs(winnow::Size size, Random& random);
// `tile`, mirrored left-right and up-down so that no edges arise, until `size` is filled.
winnow::GrayImage make_tiled(winnow::GrayView tile, winnow::Size size);

}  // namespace witness
