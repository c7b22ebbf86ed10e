// Reads what points mean from their names: mirror partners and eyes.
//
// In:     names of points, such as "left_eye", "mouthR", "LE" or "ibug 36"; possibly hostile.
// Out:    a scheme, whose lists are empty where the names do not tell.
// Exact:  the same scheme for the same names.
// Memory: the caller owns the scheme.
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <winnow/point_scheme.h>

namespace winnow {

// The name of a point of iBUG's scheme, 0 to 67.
std::string ibug_name(std::size_t number);

// Names whose sides tell partners give pairs, if each name with a side has a partner. Points without a side
// become themselves, unless two of them differ in digits alone.
PointScheme scheme_of_names(std::span<const std::string> names);

// Whether this is a point's name and not only a number. A single letter before a number, as in "p0", is no name,
// except for the letters of the sides.
bool names_a_point(std::string_view name);

}  // namespace winnow
