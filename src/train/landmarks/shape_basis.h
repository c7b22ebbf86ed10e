// Finds the directions in which samples of shapes differ most: the basis of a stage.
//
// In:     for each pair of coordinates the sum of their products over all samples; the number of directions.
// Out:    directions of length 1, in units of 2^-kBasisBits. The direction along which the sum of squares is
//         largest comes first.
// Exact:  doubles in a fixed order, on one thread.
// Memory: two square matrices.
// Thread: any.
// Cost:   about ten times the cube of the number of coordinates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

// `products`: a symmetric matrix of `coordinates` rows. Returns `coordinates` numbers for each direction,
// direction by direction.
std::vector<std::int16_t> main_directions(std::vector<double> products, std::size_t coordinates,
                                          std::size_t directions);

}  // namespace winnow
