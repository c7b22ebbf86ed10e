// Makes pictures with sizes and contents that photographs do not have. Their names begin with "synthetic/".
//
// In:     a name, the model's window, and a generator. Some sizes depend on the window: "one pixel narrower
//         than the window".
// Out:    a grey picture.
// Exact:  the same pixels for the same name, window and seed.
// Memory: the caller owns the picture.
// Thread: any.
#pragma once

#include <winnow/image.h>
#include <string>
#include <vector>

#include "random.h"

namespace witness {

// `subset` leaves out the large pictures.
std::vector<std::string> synthetic_names(bool subset);
// Throws std::runtime_error if there is no picture of this name.
winnow::GrayImage make_synthetic(const std::string& name, winnow::Size window, Random random);

// Dark eyes and a mouth in bright ellipses of many sizes, which pass the first stages of face cascades.
winnow::GrayImage make_blobs(winnow::Size size, Random& random);
// Fills `size` with copies of `tile`, mirrored left-right and up-down so that no edges arise.
winnow::GrayImage make_tiled(winnow::GrayView tile, winnow::Size size);

}  // namespace witness
