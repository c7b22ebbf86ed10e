// Finds the directions in which shapes differ most: the basis of a stage.
//
// In:     sums of products of coordinates, and the number of directions.
// Out:    directions of length 1, the one with the largest sum first, in units of 2^-kBasisBits.
// Exact:  doubles in a fixed order, on one thread.
// Memory: two square matrices.
// Thread: any.
// Cost:   about ten times the cube of the number of coordinates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

// `products`: a symmetric matrix of `coordinates` rows. Direction by direction, `coordinates` numbers each.
std::vector<std::int16_t> main_directions(std::vector<double> products, std::size_t coordinates,
                                          std::size_t directions);

}  // namespace winnow
