// Reads which point and which axis each column of a list holds, from the names in its head line.
//
// In:     names of columns but the picture's, such as "left_eye_x", "noseY" or "x0"; possibly hostile.
// Out:    names of points, or an `Error` without a place (truth/place.h adds it).
// Exact:  the same answer for the same names, in small or capital letters.
// Memory: the caller owns the names.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace winnow {

// The names of the points in a head line of a list, without the columns' x and y. Empty if the columns have
// no names but numbers ("x0", "p1_y").
std::vector<std::string> names_of_columns(std::span<const std::string> columns);
// Whether each column is the x or the y of a point, in whatever order, and a point has a name.
bool are_point_columns(std::span<const std::string> columns);
// Throws kFormat if the columns' names tell x and y, and are not x and then y of one point after the other, or
// if a point is there twice. `first` is the number of the first column on its line, for the message.
void check_columns(std::span<const std::string> columns, std::size_t first);

}  // namespace winnow
