// Describes a cascade of HOG blocks, as text for people and as JSON for programs.
//
// In:     a checked model, not copied; its name and file.
// Out:    whole lines, fit for output.
#pragma once

#include <winnow/hog_cascade.h>

#include <string>

namespace winnow::cli {

std::string blocks_as_text(const HogCascadeModel& model, const std::string& name, const std::string& path);
std::string blocks_as_json(const HogCascadeModel& model, const std::string& name, const std::string& path);

}  // namespace winnow::cli
