// Describes a HOG SVM, as text for people and as JSON for programs.
//
// In:     a checked model, not copied; its name and file.
// Out:    whole lines, fit for output.
#pragma once

#include <winnow/hog.h>

#include <string>

namespace winnow::cli {

std::string hog_as_text(const HogSvmModel& model, const std::string& name, const std::string& path);
std::string hog_as_json(const HogSvmModel& model, const std::string& name, const std::string& path);

}  // namespace winnow::cli
