// Tells what the named folders hold beside pictures and videos.
//
// In:     the paths that `expand_inputs` left out.
// Out:    a phrase with their kinds, by endings.
// Memory: the text belongs to the caller.
// Thread: any.
#pragma once

#include <string>
#include <vector>

namespace winnow::cli {

// "3 files left out: 2 .psd, 1 without an ending"; empty if there is none. The commonest endings come first,
// and at most five are named.
std::string left_out_text(const std::vector<std::string>& paths);

}  // namespace winnow::cli
