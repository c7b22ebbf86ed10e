// Knows addresses of the network and numbers of cameras among the names of inputs.
//
// In:     the name of an input that is no file.
// Out:    whether it is an address or a number, and the input of an address.
// Exact:  names of inputs hold no user, password or query, so that messages and lines do not show them.
// Memory: results belong to the caller.
// Thread: any.
#pragma once

#include <string>

#include <winnow/feed.h>

namespace winnow {

// Whether the name begins like "rtsp://", with any scheme.
bool is_address(const std::string& name);
// Whether the name is a number of at most three digits.
bool is_camera_number(const std::string& name);
// A kCamera; or kBroken for another scheme than rtsp, http and https, and for a playlist of HLS.
Input input_of_address(const std::string& address);

}  // namespace winnow
