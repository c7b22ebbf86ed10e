#include "feed/address.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "image/picture_format.h"

namespace winnow {
namespace {

constexpr std::string_view kMark = "://";

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string lower_scheme(const std::string& address) {
  std::string scheme = address.substr(0, address.find(kMark));
  for (char& c : scheme) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return scheme;
}

// The address without user, password and query. A password may hold any character, so the last '@' ends it.
std::string shown(const std::string& address) {
  const std::size_t begin = address.find(kMark) + kMark.size();
  std::string rest = address.substr(begin);
  if (const std::size_t at = rest.rfind('@'); at != std::string::npos) rest.erase(0, at + 1);
  if (const std::size_t query = rest.find_first_of("?#"); query != std::string::npos) rest.resize(query);
  return address.substr(0, begin) + rest;
}

// The host and the last part of the path, as a file's name: "10-0-0-5-stream1", "127-0-0-1-walk.mp4".
std::string place_of(const std::string& name) {
  std::string rest = name.substr(name.find(kMark) + kMark.size());
  const std::string ending = ending_of(rest) == ".mp4" ? ".mp4" : "";
  rest.resize(rest.size() - ending.size());
  const std::size_t host = std::min(rest.find('/'), rest.size()), last = rest.rfind('/');
  const std::string words =
      rest.substr(0, host) + "-" + (last == std::string::npos ? "" : rest.substr(last + 1));
  std::string place;
  for (const char c : words) {
    if (is_letter_or_digit(c) || c == '_') {
      place += c;
    } else if (!place.empty() && place.back() != '-') {
      place += '-';
    }
  }
  while (!place.empty() && place.back() == '-') place.pop_back();
  constexpr std::size_t kLongest = 100;  // a file's name may have 255 bytes
  if (place.size() > kLongest) place.resize(kLongest);
  return (place.empty() ? "address" : place) + ending;
}

}  // namespace

bool is_address(const std::string& name) {
  const std::size_t mark = name.find(kMark);
  if (mark == std::string::npos || mark == 0) return false;
  return std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(mark),
                     [](char c) { return is_letter_or_digit(c) || c == '+' || c == '.' || c == '-'; });
}

bool is_camera_number(const std::string& name) {
  return !name.empty() && name.size() <= 3 &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Input input_of_address(const std::string& address) {
  const std::string scheme = lower_scheme(address), name = shown(address);
  if (scheme != "rtsp" && scheme != "http" && scheme != "https") {
    return {InputKind::kBroken, name, "",
            "addresses may begin with rtsp://, http:// or https://, not with " + scheme + kMark.data() +
                "; name a file, or let ffmpeg write pictures to winnow detect -"};
  }
  if (ending_of(name) == ".m3u8" || ending_of(name) == ".m3u") {
    return {
        InputKind::kBroken, name, "",
        "playlists (HLS) are not read; let ffmpeg read it: ffmpeg -i ADDRESS -f image2pipe -c:v mjpeg - | "
        "winnow detect -"};
  }
  Input input{InputKind::kCamera, name, place_of(name), ""};
  input.address = scheme + address.substr(scheme.size());
  return input;
}

}  // namespace winnow
